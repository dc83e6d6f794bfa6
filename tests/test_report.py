import json
import stat
import sys
import unicodedata

import pytest
from pydantic import ValidationError

from builders import build_check, build_counterexample, build_exercise, build_perfect, build_report
from grader.errors import GraderError, UsageError
from grader.report import (
    ArrayEvidence,
    CheckResult,
    GradientEvidence,
    Outcome,
    Report,
    dump_report,
    load_report,
    write_report,
)

GRADIENT = GradientEvidence(
    formula=False, consistency=True, carried=True, first_wrong_link="scale", error_by_step=((1e-2, 1e-4), (1e-3, 1e-6))
)


def whole_report():
    """Return a report that uses every field."""
    arrays = ArrayEvidence(student=[[1.0, "nan"]], expected=[[1.0, 2.0]], max_error=None)
    secret = build_counterexample(secret=True, expected="0.726")
    checks = (
        build_check("softmax", Outcome.FAILED, evidence=arrays, flags=("passes in public only",)),
        build_check("third_key", Outcome.FAILED, counterexample=secret, evidence=arrays),
        build_check("attention", Outcome.FAILED, hidden_counterexample=build_counterexample(), evidence=GRADIENT),
    )
    return build_report(build_exercise("third_key", *checks))


def test_a_report_reads_back_as_it_was_written(tmp_path):
    path = tmp_path / "report.json"
    write_report(whole_report(), path)
    assert load_report(path) == whole_report()


def test_the_same_report_gives_the_same_bytes():
    assert dump_report(whole_report()) == dump_report(whole_report())


def test_evidence_is_told_apart_by_its_kind():
    kinds = [check["evidence"]["kind"] for check in json.loads(dump_report(whole_report()))["exercises"][0]["checks"]]
    assert kinds == ["arrays", "arrays", "gradient"]


def test_a_report_has_the_fields_that_are_promised():
    record = json.loads(dump_report(build_perfect()))
    assert set(record) == {
        "schema_version", "created_at", "status", "error", "grader", "seed", "key_digest", "receipt", "submission",
        "isolation", "score", "max_score", "pending_score", "exercises",
    }  # fmt: skip
    assert set(record["submission"]) == {"student", "attempt", "late", "path", "files", "notes"}
    assert record["schema_version"] == 1


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_has_not_is_refused(number):
    with pytest.raises(ValidationError):
        build_check("softmax", score=number)
    with pytest.raises(ValidationError):
        ArrayEvidence(student=[1.0], expected=[1.0], max_error=number)


def test_an_unknown_field_is_refused_on_writing_and_on_reading(tmp_path):
    with pytest.raises(ValidationError):
        build_check("softmax", colour="blue")
    record = json.loads(dump_report(build_perfect()))
    record["exercises"][0]["checks"][0]["colour"] = "blue"
    path = tmp_path / "report.json"
    path.write_text(json.dumps(record))
    with pytest.raises(UsageError, match=r"report\.json.*exercises\.0\.checks\.0\.colour"):
        load_report(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"schema_version": 2}'])
def test_a_file_that_is_no_report_is_refused_with_one_sentence(content, tmp_path):
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is not a report of schema version 1") as caught:
        load_report(path)
    assert "\n" not in str(caught.value)


def test_a_report_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"gone\.json cannot be read"):
        load_report(tmp_path / "gone.json")


def test_records_cannot_be_changed():
    with pytest.raises(ValidationError):
        build_perfect().score = 100.0


def test_a_student_sees_no_seed_no_hidden_probe_no_flag_and_no_constant_answer():
    text = dump_report(whole_report().for_student())
    record = json.loads(text)
    checks = record["exercises"][0]["checks"]
    assert record["seed"] is None
    assert all(check["hidden_counterexample"] is None and check["flags"] == [] for check in checks)
    assert checks[1]["counterexample"]["expected"] is None
    assert checks[1]["counterexample"]["student"]
    assert checks[1]["evidence"] is None
    assert "0.726" not in text


def test_a_student_keeps_points_messages_and_open_answers():
    before, after = whole_report(), whole_report().for_student(keep_seed=True)
    assert after.seed == before.seed
    assert after.score == before.score
    assert after.exercises[0].checks[0].evidence == before.exercises[0].checks[0].evidence


def test_writing_replaces_the_old_report_in_one_step_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")
    with path.open() as reader:
        write_report(build_perfect(), path)
        # Whoever has the old file open still sees all of it.
        assert reader.read() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


def test_where_a_report_cannot_be_written_the_file_and_a_way_out_are_named(tmp_path):
    with pytest.raises(GraderError, match=r"report\.json could not be written .*another place"):
        write_report(build_perfect(), tmp_path / "no" / "such" / "report.json")


def test_a_report_that_replaces_a_folder_is_an_error_and_leaves_no_rest(tmp_path):
    (tmp_path / "report.json").mkdir()
    with pytest.raises(GraderError, match="could not be written"):
        write_report(build_perfect(), tmp_path / "report.json")
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_a_report_has_the_permissions_of_an_ordinary_file(tmp_path):
    write_report(build_perfect(), tmp_path / "report.json")
    (tmp_path / "plain").touch()
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("report.json", "plain")}
    assert len(modes) == 1


def test_the_schema_describes_what_is_written():
    schema = Report.model_json_schema()
    assert set(schema["required"]) <= set(json.loads(dump_report(build_perfect())))
    assert schema["additionalProperties"] is False
    assert set(schema["$defs"]["Outcome"]["enum"]) == set(Outcome)


def test_outcomes_are_words_not_truth_values():
    assert {outcome.value for outcome in Outcome} == {
        "passed", "failed", "error", "timeout", "crashed", "memory", "missing", "not_attempted", "skipped", "pending",
    }  # fmt: skip
    with pytest.raises(ValidationError):
        CheckResult(name="x", title="x", function="x", outcome=True, score=0, max_score=0)


def test_no_control_character_is_in_the_text_of_a_report_and_every_letter_reads_back():
    hostile = "\x9b31mred\u202e \u2028 \U000e0041 caf\u00e9 \u4e2d \x7f \x1b"
    report = build_report(build_exercise("third_key", build_check("softmax", Outcome.FAILED, message=hostile)))
    text = dump_report(report)
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in text if c != "\n")
    assert "caf\u00e9" in text
    assert Report.model_validate_json(text) == report
