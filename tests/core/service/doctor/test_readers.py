"""What the computer tells of itself, read from a tree that looks like Linux's."""

import os
from pathlib import Path

import pytest

from core.service.doctor.facts import Kernel
from core.service.doctor.readers import (
    read_clocks,
    read_disk,
    read_kernel,
    read_missing,
    read_rights,
)


def tree(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_rights_are_tried_and_leave_no_trace() -> None:
    before = os.sched_getscheduler(0), os.sched_getparam(0).sched_priority
    rights = read_rights()
    assert (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority) == before
    assert "VmLck:\t       0 kB" in Path("/proc/self/status").read_text()
    assert all("; give" in sentence for sentence in rights.refused)
    assert rights.fifo_limit >= 0 or rights.fifo_limit == -1


def test_a_kernel_and_its_processors(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        proc__sys__kernel__osrelease="6.1.0-18-rt-amd64\n",
        proc__sys__kernel__version="#1 SMP PREEMPT_RT Debian 6.1.76-1\n",
        proc__swaps="Filename Type Size Used Priority\n/swapfile file 100 0 -2\n",
        sys__devices__system__cpu__isolated="3\n",
        sys__devices__system__cpu__cpu0__cpufreq__scaling_governor="performance\n",
        sys__devices__system__cpu__cpu1__cpufreq__scaling_governor="powersave\n",
    )
    kernel = read_kernel(root)
    assert kernel == Kernel(
        "6.1.0-18-rt-amd64",
        True,
        kernel.processors,
        "3",
        ("performance", "powersave"),
        ("/swapfile",),
    )


@pytest.mark.parametrize(("flag", "real_time"), [("1\n", True), ("0\n", False)])
def test_a_real_time_kernel_says_so(tmp_path: Path, flag: str, real_time: bool) -> None:
    assert read_kernel(tree(tmp_path, sys__kernel__realtime=flag)).real_time is real_time


def test_an_empty_tree_is_no_error(tmp_path: Path) -> None:
    kernel = read_kernel(tmp_path)
    assert (kernel.release, kernel.real_time, kernel.isolated) == ("", False, "")
    assert (kernel.governors, kernel.swaps) == ((), ())
    assert read_clocks(tmp_path).source == ""


def test_this_computers_clock_is_fine_enough() -> None:
    assert 0.0 < read_clocks().resolution_s <= 1e-6


def test_a_folder_that_is_missing_or_closed_is_reported(tmp_path: Path) -> None:
    assert "there is no such folder" in read_disk(tmp_path / "none").problem
    assert read_disk(tmp_path).problem == "" and read_disk(tmp_path).free_bytes > 0
    if os.geteuid():
        tmp_path.chmod(0o500)
        assert "cannot be written" in read_disk(tmp_path).problem


def test_missing_packages_are_found() -> None:
    assert read_missing(("json", "no_such_package_at_all")) == ("no_such_package_at_all",)
