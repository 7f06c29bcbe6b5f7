"""Checks of the computer: pure functions from facts to findings."""

import re

from core.run.realtime import PRIORITY
from core.service.doctor.facts import Clocks, Disk, Kernel, Machine, Rights
from core.service.doctor.finding import Finding, State, told
from devices.interface import SoundFacts

RECORD_BYTES_PER_HOUR = 4e9  # of a record of every tick
NOTED_HOURS = 3.0
FINEST_S = 1e-6  # a coarser monotonic clock cannot time a tick of 1 ms
SLOW_SOURCES = ("hpet", "acpi_pm", "jiffies", "refined-jiffies")
_REAL_TIME = "see packaging/realtime.md"
_RIGHT = re.compile(r"FIFO|memory")


def check_machine(machine: Machine, live: bool) -> list[Finding]:
    """Return the findings about the computer.

    Args:
        machine: the facts.
        live: a robot is connected; for a rehearsal the same faults are less severe.
    """
    return [
        *check_rights(machine.rights, live),
        check_kernel(machine.kernel, live),
        check_isolation(machine.kernel, live),
        check_governor(machine.kernel, live),
        *check_swap(machine.kernel, live),
        check_monotonic(machine.clocks, live),
        check_wall_clock(machine.clocks),
        check_disk(machine.disk, live),
        check_sound(machine.sound, machine.wanted_output, live),
        *check_packages(machine.missing, live),
    ]


def check_rights(rights: Rights, live: bool) -> list[Finding]:
    """Check whether the loop gets its permissions."""
    limits = {
        "FIFO": ("FIFO scheduling", f"priority {PRIORITY} is granted"),
        "memory": ("locked memory", "every page may be locked"),
    }
    findings = []
    for word, (what, well) in limits.items():
        refusal = next((text for text in rights.refused if word in text), "")
        findings.append(told(what, _grade(live), refusal) if refusal else _well(what, well))
    others = [text for text in rights.refused if not _RIGHT.search(text)]
    return findings + [told("real time", _grade(live), text) for text in others]


def check_kernel(kernel: Kernel, live: bool) -> Finding:
    """Check the kernel."""
    if kernel.real_time:
        return _well("kernel", f"{kernel.release}, PREEMPT_RT")
    found = f"{kernel.release}, without PREEMPT_RT"
    todo = f"install a real-time kernel ({_REAL_TIME})" if live else ""
    return Finding("kernel", State.NOTE if live else State.WELL, found, todo)


def check_isolation(kernel: Kernel, live: bool) -> Finding:
    """Check whether a processor is isolated for the loop."""
    what = "isolated processors"
    if kernel.isolated:
        return _well(what, f"{kernel.isolated} of {kernel.processors}")
    found = f"none of {kernel.processors}"
    if not live:
        return _well(what, found)
    return Finding(what, State.NOTE, found, f"keep one for the loop ({_REAL_TIME})")


def check_governor(kernel: Kernel, live: bool) -> Finding:
    """Check the processors' clock rate governors."""
    what = "CPU governor"
    if not kernel.governors:
        return _well(what, "none: the system does not change the clock rate")
    others = sorted(set(kernel.governors) - {"performance"})
    if not others:
        return _well(what, "performance")
    todo = f"set performance ({_REAL_TIME})"
    return Finding(what, State.WRONG if live else State.NOTE, ", ".join(others), todo)


def check_swap(kernel: Kernel, live: bool) -> list[Finding]:
    """Check for swapping; no finding without swap."""
    if not kernel.swaps or not live:
        return []
    found = f"on {', '.join(kernel.swaps)}: other programs' memory is moved there"
    return [Finding("swap", State.NOTE, found, f"switch it off ({_REAL_TIME})")]


def check_monotonic(clocks: Clocks, live: bool) -> Finding:
    """Check the clock of the loop."""
    what = "monotonic clock"
    if not clocks.resolution_s <= FINEST_S:
        found = f"counts in steps of {1e6 * clocks.resolution_s:g} µs"
        return Finding(what, State.WRONG, found, "take a kernel with high resolution timers")
    found = f"steps of {1e9 * clocks.resolution_s:.0f} ns, source {clocks.source or 'unknown'}"
    if clocks.source in SLOW_SOURCES:
        todo = f"check why the kernel stopped using its fast clock ({_REAL_TIME})"
        return Finding(what, _grade(live), found, todo)
    return _well(what, found)


def check_wall_clock(clocks: Clocks) -> Finding:
    """Check the wall clock, which dates records and does not affect motion."""
    if clocks.synchronised:
        return _well("wall clock", "follows a time server; the loop does not use it")
    found = "follows no time server: records may have the wrong date; the loop does not use it"
    return Finding("wall clock", State.NOTE, found, "set it before the show, not during it")


def check_disk(disk: Disk, live: bool) -> Finding:
    """Check the free space for a record."""
    what = f"room for records in {disk.folder}"
    if disk.problem:
        return told(what, _grade(live), disk.problem)
    hours = disk.free_bytes / RECORD_BYTES_PER_HOUR
    found = f"{disk.free_bytes / 1e9:.1f} GB, {hours:.1f} h of a record"
    if hours >= NOTED_HOURS or (not live and hours >= 1.0):
        return _well(what, found)
    state = _grade(live) if hours < 1.0 else State.NOTE
    return Finding(what, state, found, "move old records to another disk")


def check_sound(sound: SoundFacts, wanted: str | None, live: bool) -> Finding:
    """Check the sound output."""
    what = "sound"
    if sound.problem:
        return told(what, _grade(live), sound.problem)
    if wanted is not None:
        matching = [name for name in sound.outputs if wanted.lower() in name.lower()]
        if matching:
            return _well(what, matching[0])
        there = ", ".join(sound.outputs) or "none"
        found = f"there is no output called {wanted!r}, but: {there}"
        return Finding(what, _grade(live), found, "plug it in, or name another with --sound")
    if not sound.default:
        return Finding(what, _grade(live), "there is no default output", "plug a sound device in")
    return _well(what, sound.default)


def check_packages(missing: tuple[str, ...], live: bool) -> list[Finding]:
    """Check for missing packages; no finding if there are none."""
    if not missing:
        return []
    todo = "install the robot's bundle anew" if live else "make setup installs them"
    return [Finding("packages", State.WRONG, f"{', '.join(missing)} missing", todo)]


def _well(what: str, found: str) -> Finding:
    return Finding(what, State.WELL, found)


def _grade(live: bool) -> State:
    """Return the state of an item that a robot needs and a rehearsal does not."""
    return State.WRONG if live else State.NOTE
