"""How far a batch is, said on stderr."""

import io

from grader.batch.progress import BarProgress, PlainProgress, choose_progress


def test_a_line_tells_done_rate_time_left_slowest_and_failures():
    lines = []
    progress = PlainProgress(lines.append, every=0.0)
    progress.begin(10, 4)
    progress.step("doe", 0.5, failed=False)
    progress.step("roe\n", 7.25, failed=True)
    assert lines[0] == "4 of 10 have a report already"
    assert lines[-1].startswith("6 of 10 done, ")
    for part in (" per second, ", " left, ", "slowest roe\\n 7.2 s", "1 without a result"):
        assert part in lines[-1]


def test_one_report_has_its_own_grammar():
    lines = []
    PlainProgress(lines.append).begin(3, 1)
    assert lines == ["1 of 3 has a report already"]


def test_a_short_batch_says_nothing():
    lines = []
    progress = PlainProgress(lines.append)
    progress.begin(2, 0)
    for student in ("doe", "roe"):
        progress.step(student, 0.1, failed=False)
    progress.end()
    assert lines == []


def test_a_terminal_gets_a_bar_and_a_pipe_gets_lines():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    bar = choose_progress(screen, print)
    assert isinstance(bar, BarProgress)
    bar.begin(3, 1)
    bar.step("[bold]doe[/bold]", 0.1, failed=False)
    bar.note("something")
    bar.end()
    assert "2 of 3 done" in screen.getvalue()
    assert "grade: something" in screen.getvalue()
    assert isinstance(choose_progress(io.StringIO(), print), PlainProgress)
