"""Checks of the computer, fed with facts."""

from dataclasses import replace

import pytest

from core.service.doctor.facts import Clocks, Disk, Kernel, Machine, Rights
from core.service.doctor.finding import Finding, State, nothing_wrong
from core.service.doctor.machine import (
    check_disk,
    check_governor,
    check_isolation,
    check_kernel,
    check_machine,
    check_monotonic,
    check_packages,
    check_rights,
    check_sound,
    check_swap,
    check_wall_clock,
)
from devices.interface import SoundFacts

GOOD = Machine(
    rights=Rights((), 80, -1),
    kernel=Kernel("6.1.0-rt", True, 8, "3", ("performance",) * 8, ()),
    clocks=Clocks(1e-9, "tsc", True),
    disk=Disk("records", "", 100_000_000_000),
    sound=SoundFacts("", "HDMI", ("HDMI", "USB Audio")),
    missing=(),
    wanted_output=None,
)
BARE = Machine(  # an ordinary laptop
    rights=Rights(
        (
            "FIFO scheduling was refused (Operation not permitted): late; give it in limits.conf",
            "locking memory was refused (Cannot allocate memory): late; give it in limits.conf",
        ),
        0,
        65536,
    ),
    kernel=Kernel("6.1.0", False, 4, "", ("powersave",), ("/dev/sda2",)),
    clocks=Clocks(1e-9, "hpet", False),
    disk=Disk(".", "", 5_000_000_000),
    sound=SoundFacts("there is no sound output; plug one in"),
    missing=(),
    wanted_output=None,
)


def states(findings: list[Finding]) -> dict[str, State]:
    return {finding.what: finding.state for finding in findings}


@pytest.mark.parametrize("live", [True, False])
def test_of_a_good_computer_all_is_well(live: bool) -> None:
    findings = check_machine(GOOD, live)
    assert set(states(findings).values()) == {State.WELL}
    assert not any(finding.todo for finding in findings)


def test_an_ordinary_laptop_rehearses_and_drives_no_robot() -> None:
    assert nothing_wrong(check_machine(BARE, live=False))
    live = states(check_machine(BARE, live=True))
    wrong = {what for what, state in live.items() if state is State.WRONG}
    assert wrong == {"FIFO scheduling", "locked memory", "CPU governor", "monotonic clock", "sound"}
    noted = {what for what, state in live.items() if state is State.NOTE}
    assert noted == {
        "kernel",
        "isolated processors",
        "swap",
        "wall clock",
        "room for records in .",
    }


@pytest.mark.parametrize("live", [True, False])
def test_every_fault_has_a_remedy(live: bool) -> None:
    for finding in check_machine(BARE, live):
        assert (finding.todo == "") is (finding.state is State.WELL), finding


def test_each_refusal_stands_in_its_own_row() -> None:
    memory = Rights(("locking memory was refused (no); give it",), 80, 0)
    assert states(check_rights(memory, True)) == {
        "FIFO scheduling": State.WELL,
        "locked memory": State.WRONG,
    }
    odd = Rights(("asking for it was ended by the system; look at its log",), 80, 0)
    assert states(check_rights(odd, True))["real time"] is State.WRONG


def test_the_kernel_of_a_rehearsal_may_be_any() -> None:
    plain = replace(GOOD.kernel, real_time=False)
    assert check_kernel(plain, True).state is State.NOTE
    assert check_kernel(plain, False).state is State.WELL
    assert check_isolation(replace(plain, isolated=""), False).state is State.WELL


def test_one_processor_that_saves_power_is_enough() -> None:
    kernel = replace(GOOD.kernel, governors=("performance", "schedutil", "performance"))
    found = check_governor(kernel, True)
    assert (found.state, found.found) == (State.WRONG, "schedutil")
    assert check_governor(replace(kernel, governors=()), True).state is State.WELL


def test_swap_is_reported_with_a_robot() -> None:
    kernel = replace(GOOD.kernel, swaps=("/swapfile",))
    assert [one.state for one in check_swap(kernel, True)] == [State.NOTE]
    assert check_swap(kernel, False) == []


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("resolution_s", [0.004, float("nan")])
def test_a_coarse_clock_is_wrong_everywhere(live: bool, resolution_s: float) -> None:
    assert check_monotonic(Clocks(resolution_s, "tsc", True), live).state is State.WRONG


def test_the_wall_clock_is_never_more_than_a_note() -> None:
    assert check_wall_clock(Clocks(1e-9, "tsc", False)).state is State.NOTE


@pytest.mark.parametrize(
    ("free_gb", "live", "state"),
    [
        (20, True, State.WELL),
        (8, True, State.NOTE),
        (3.9, True, State.WRONG),
        (8, False, State.WELL),
        (3.9, False, State.NOTE),
        (0, False, State.NOTE),
    ],
)
def test_a_record_needs_room(free_gb: float, live: bool, state: State) -> None:
    assert check_disk(Disk("here", "", int(free_gb * 1e9)), live).state is state


def test_a_folder_that_cannot_be_written_is_reported() -> None:
    found = check_disk(Disk("here", "there is no such folder; make it", 10**12), True)
    assert (found.state, found.todo) == (State.WRONG, "make it")


@pytest.mark.parametrize(
    ("wanted", "state", "words"),
    [
        (None, State.WELL, "HDMI"),
        ("usb", State.WELL, "USB Audio"),
        ("Scarlett", State.WRONG, "there is no output called 'Scarlett', but: HDMI, USB Audio"),
    ],
)
def test_the_output_of_the_given_name_must_be_there(
    wanted: str | None, state: State, words: str
) -> None:
    found = check_sound(GOOD.sound, wanted, True)
    assert (found.state, found.found) == (state, words)


def test_outputs_without_a_default_are_none() -> None:
    assert check_sound(SoundFacts("", "", ("HDMI",)), None, True).state is State.WRONG


@pytest.mark.parametrize("live", [True, False])
def test_a_missing_package_is_wrong_everywhere(live: bool) -> None:
    (found,) = check_packages(("mujoco",), live)
    assert found.state is State.WRONG and found.found == "mujoco missing"
