"""The technician's notes: what they say of lines, limits and files is so."""

import re

from core.robot.profile import ROBOTS
from devices.real.settings import load_hardware
from tests.tracked import REPOSITORY

NOTES = REPOSITORY / "packaging"


def note(name: str) -> str:
    return (NOTES / name).read_text(encoding="utf-8")


def test_the_lines_of_the_bring_up_are_those_of_the_hardware_file() -> None:
    lines = load_hardware(ROBOTS / "kid_cosmo" / "hardware.toml").lines
    told = re.findall(r"^\| (\w+) \| ([^|]+) \| (\d+) \|$", note("bringup.md"), re.MULTILINE)
    assert told == [(name, line.device, str(line.baud)) for name, line in lines.items()]


def test_every_step_of_the_bring_up_ends_with_something_to_see() -> None:
    steps = re.split(r"^## ", note("bringup.md"), flags=re.MULTILINE)
    numbered = [step for step in steps if re.match(r"\d", step)]
    assert [step[0] for step in numbered] == list("12345678")
    for step in numbered:
        assert "- [ ]" in step and "**" in step, step.splitlines()[0]


def test_what_is_to_be_installed_is_named_in_the_notes() -> None:
    text = note("realtime.md")
    for path in sorted(NOTES.glob("systemd/*")) + sorted(NOTES.glob("udev/71*")):
        if path.name not in ("footlight-doctor.service", "footlight.sysusers"):
            assert path.relative_to(NOTES).as_posix() in text, path.name


def test_the_notes_tell_the_units_times() -> None:
    unit, text = note("systemd/footlight-core.service"), note("realtime.md")
    for key in ("WatchdogSec", "TimeoutStopSec"):
        found = re.search(rf"^{key}=(\d+)$", unit, re.MULTILINE)
        assert found and f"{found[1]} s" in text
