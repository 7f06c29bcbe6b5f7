"""packaging/wiring/protocols.md says what the code does: every table, every name, every byte."""

import re
from enum import Enum
from typing import Any

import msgspec
import pytest

from devices.families.boards.wire import battery, bus, contacts, hand, identity, layout, supervisor
from devices.families.boards.wire.layout import Layout
from devices.families.native_handset import wire as handset
from devices.families.native_handset.messages import HandsetInput, HandsetScreen
from devices.families.native_handset.wire import HandsetEnd, RobotEnd
from devices.wire.frame import Frame, FrameStream
from tests.devices.families.boards.wire.examples import EXAMPLES
from tests.tracked import REPOSITORY

TEXT = (REPOSITORY / "packaging" / "wiring" / "protocols.md").read_text(encoding="utf-8")
HEADINGS = re.split(r"^#{2,4} ", TEXT, flags=re.MULTILINE)[1:]
SECTIONS = {heading.split("\n", 1)[0].split(" (")[0]: heading for heading in HEADINGS}
EXAMPLE = dict(re.findall(r"^```example (\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
ENUMS = [
    layout.Kind,
    identity.Board,
    identity.Start,
    contacts.ContactFault,
    hand.HandMode,
    hand.HandFault,
    hand.MotorFault,
    battery.BatteryFault,
    supervisor.PowerRequest,
    supervisor.PowerState,
    supervisor.PowerCause,
    supervisor.PowerInput,
    supervisor.PowerFault,
    handset.Direction,
]


def tables(section: str) -> list[list[list[str]]]:
    """Return the cells of a section's tables, without their heads."""
    found: list[list[list[str]]] = []
    inside = False
    for line in section.splitlines():
        if line.startswith("|"):
            if not inside:
                found.append([])
            inside = True
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        else:
            inside = False
    return [rows[2:] for rows in found]


def rows_of(made: Layout) -> list[list[str]]:
    return [[str(offset), str(size), *rest] for offset, size, *rest in made.rows]


def describe(message: Any, before: str = "") -> list[str]:
    """Return a line for each of a message's values."""
    lines = []
    for field in msgspec.structs.fields(message):
        value = getattr(message, field.name)
        entries = value if isinstance(value, tuple) else (value,)
        if isinstance(entries[0], msgspec.Struct):
            for i, entry in enumerate(entries):
                lines += describe(entry, f"{before}{field.name}[{i}].")
            continue
        shown = ", ".join(
            (entry.name or "none") if isinstance(entry, Enum) else str(entry) for entry in entries
        )
        lines.append(f"{before}{field.name} = {shown}")
    return lines


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_tables_are_the_layouts(name: str) -> None:
    found = tables(SECTIONS[name])
    message = type(EXAMPLES[name])
    assert [row[:5] for row in found[0]] == rows_of(message.LAYOUT)
    if hasattr(message, "EACH"):
        assert [row[:5] for row in found[1]] == rows_of(message.EACH)
    assert all(row[5] for table in found[:2] for row in table if len(row) > 5)


def test_the_envelope_matches_the_document() -> None:
    assert [row[:5] for row in tables(SECTIONS["Sealed frames"])[0]] == rows_of(handset.ENVELOPE)


@pytest.mark.parametrize("kind", ENUMS, ids=lambda kind: kind.__name__)
def test_every_value_has_its_name_and_meaning(kind: type[Enum]) -> None:
    (rows,) = tables(SECTIONS[kind.__name__])
    assert [(int(value, 0), name) for value, name, _ in rows] == [(e.value, e.name) for e in kind]
    assert all(meaning for _, _, meaning in rows)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_code_encodes_and_decodes_the_example(name: str) -> None:
    message = EXAMPLES[name]
    *lines, last = EXAMPLE[name].splitlines()
    assert lines == describe(message)
    sent = bytes.fromhex(last.removeprefix("payload = "))
    assert sent == message.encode()
    assert type(message).of(sent) == message


def test_the_frame_on_a_port_of_its_own() -> None:
    frame = Frame(layout.Kind.CONTACTS, 0x60, 7, 1_000_000, EXAMPLES["Contacts"].encode())
    sent = bytes.fromhex(EXAMPLE["port"])
    assert sent == frame.encode()
    assert FrameStream().feed(sent) == [frame]


def test_the_frames_on_a_bus_of_actuators() -> None:
    frame = Frame(layout.Kind.CONTACTS, 0x60, 7, 1_000_000, EXAMPLES["Contacts"].encode())
    command = Frame(layout.Kind.HAND_COMMAND, 0xE2, 7, 1_000_000, EXAMPLES["HandCommand"].encode())
    packets = (bus.ask(0x60), bus.answer(frame), bus.command(0x62, command))
    assert [bytes.fromhex(line) for line in EXAMPLE["bus"].splitlines()] == list(packets)


def test_the_sealed_frames() -> None:
    key = bytes(range(32))
    robot, end = (
        RobotEnd(key, 0x01, lambda n: bytes(range(0xA0, 0xA0 + n))),
        HandsetEnd(key, 0x70, 9),
    )
    hello = end.hello(0)
    challenge = robot.challenge(hello, 0)
    assert challenge is not None and end.begin(challenge)
    controls, screen = EXAMPLES["HandsetInput"], EXAMPLES["HandsetScreen"]
    assert isinstance(controls, HandsetInput)
    assert isinstance(screen, HandsetScreen)
    first = end.send(controls, 20_000)
    assert first is not None and robot.receive(first) == controls
    shown = robot.screen(screen, 25_000)
    assert shown is not None
    bodies = [frame.body() for frame in (hello, challenge, first, shown)]
    assert [bytes.fromhex(line) for line in EXAMPLE["sealed"].splitlines()] == bodies
