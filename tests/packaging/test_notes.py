"""The technician's notes: their statements about lines, limits and files are true."""

import re
import shlex
import typing

import msgspec
import pytest

from app.commands.parser import build_parser
from devices.families.registry import ACTUATORS
from devices.real.settings import Hardware, load_hardware
from shows.folders import ROBOTS
from tests.tracked import REPOSITORY

NOTES = REPOSITORY / "packaging"


PAGES = sorted(path.relative_to(NOTES).as_posix() for path in NOTES.rglob("*.md"))
COMMAND = re.compile(r"`(?:\S*/)?footlight ([a-z][^`]*)`")
BLOCK = re.compile(r"^ {4}footlight ([a-z].*?)(?:  .*)?$", re.MULTILINE)


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


def test_installed_files_are_named_in_the_notes() -> None:
    text = note("realtime.md")
    for path in sorted(NOTES.glob("systemd/*")) + sorted(NOTES.glob("udev/71*")):
        if path.name not in ("footlight-doctor.service", "footlight.sysusers"):
            assert path.relative_to(NOTES).as_posix() in text, path.name


def test_the_notes_tell_the_units_times() -> None:
    unit, text = note("systemd/footlight-core.service"), note("realtime.md")
    for key in ("WatchdogSec", "TimeoutStopSec"):
        found = re.search(rf"^{key}=(\d+)$", unit, re.MULTILINE)
        assert found and f"{found[1]} s" in text


def commands(page: str) -> list[str]:
    """Return what a page has typed after `footlight`, in running text and in blocks."""
    text = re.sub(r"^```.*?^```$", "", note(page), flags=re.MULTILINE | re.DOTALL)
    return [" ".join(words.split()) for words in COMMAND.findall(text) + BLOCK.findall(text)]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_is_one(page: str) -> None:
    for words in commands(page):
        found = build_parser().parse_args(shlex.split(words))
        assert found.command == words.split()[0]


def test_every_answer_of_the_bench_has_a_place_to_go() -> None:
    """A setting that is one, a file that is there, and what is named in it."""
    rows = [row for row in note("wiring/bench_questions.md").splitlines() if row.startswith("| ")]
    tables = {field.name: field.type for field in msgspec.structs.fields(Hardware)}
    tables |= {f"actuators.{name}": family.table for name, family in ACTUATORS.items()}
    for row in rows[1:]:
        place = row.rstrip(" |").rpartition(" | ")[2]
        assert place, row
        named = re.findall(r"`([^`]+)`", place)
        files = [REPOSITORY / name for name in named if "/" in name]
        for name in named:
            table, _, key = name.partition("] ")
            if key:
                kind = tables[table.strip("[]")]
                kinds = [kind, *typing.get_args(kind)]
                assert any(key in getattr(one, "__struct_fields__", ()) for one in kinds), name
            elif "/" in name:
                assert (REPOSITORY / name).is_file(), name
            elif files and not name.startswith("footlight"):
                text = " ".join(path.read_text(encoding="utf-8") for path in files)
                assert re.search(rf"\b{name}\b", text), f"{name}: {place}"


def test_the_bring_up_names_its_commands() -> None:
    told = commands("bringup.md")
    for wanted in ("doctor", "commission scan", "commission id", "commission sign"):
        assert any(words.startswith(wanted) for words in told), wanted
    assert any(words.startswith("commission zero") for words in told)
    assert any(words.startswith("commission supply") for words in told)


def test_the_page_of_commissioning_tells_every_action_and_option() -> None:
    text = note("commissioning.md")
    parsers = build_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    actions = parsers["commission"]._subparsers._group_actions[0].choices  # type: ignore[index]
    for name, parser in actions.items():
        assert f"| `{name}" in text, name
        for option in (o for action in parser._actions for o in action.option_strings):
            assert option in ("-h", "--help") or f"`{option}" in text, option
