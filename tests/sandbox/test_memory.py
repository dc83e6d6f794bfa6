"""How much memory there is at all, from files as the kernel writes them."""

import pytest

from grader.sandbox import memory


@pytest.fixture
def system(tmp_path, monkeypatch):
    """Return a function that writes files below a stand-in for `/`."""
    for name, place in {"_MEMINFO": "meminfo", "_OWN_GROUPS": "own", "_GROUPS": "groups"}.items():
        monkeypatch.setattr(memory, name, tmp_path / place)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("DOT", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return write


MACHINE = "MemTotal:       24683612 kB\nMemFree:        19473628 kB\n"


def test_a_machine_without_groups_has_what_it_has(system):
    assert memory.total() is None
    system(meminfo=MACHINE)
    assert memory.total() == 24105


def test_a_group_of_the_second_version_has_its_limit_or_that_of_one_around_it(system):
    system(meminfo=MACHINE, own="0::/outer/inner\n", groups__outer__inner__memoryDOTmax="max\n")
    assert memory.total() == 24105
    system(groups__outer__memoryDOTmax=f"{300 << 20}\n", groups__memoryDOTmax=f"{900 << 20}\n")
    assert memory.total() == 300


def test_a_group_of_the_first_version_has_its_limit(system):
    system(meminfo=MACHINE, own="5:cpu,cpuacct:/\n4:memory:/a\n0::/\n")
    system(groups__memory__a__memoryDOTlimit_in_bytes=f"{200 << 20}\n")
    system(groups__memory__memoryDOTlimit_in_bytes="9223372036854771712\n")
    assert memory.total() == 200


def test_this_machine_has_some():
    assert memory.total() is None or memory.total() > 100
