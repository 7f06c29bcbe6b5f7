"""Commands: only bounded and finite ones are decoded."""

import math
import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.link import commands as link_commands
from core.link.commands import (
    BackDrive,
    Command,
    Gesture,
    Go,
    GoTo,
    GoToPose,
    Head,
    LoadShow,
    Pull,
    Push,
    SetHandsetMap,
    StartTake,
    Walk,
)
from core.link.envelope import Envelope, Heartbeat
from core.link.handset import HandsetMap
from core.link.status import Status
from core.link.take import TakePlan

DECODER = msgspec.msgpack.Decoder(Envelope)
COMMANDS = typing.get_args(Command)


def unit(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False)


names = st.from_regex(r"\A[a-z0-9_]{1,64}\Z")
points = st.tuples(*(unit(-1e3, 1e3) for _ in range(3)))
groups = st.none() | st.lists(
    st.sampled_from(["head", "left_arm", "left_gripper"]), max_size=16
).map(tuple)
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(Walk, vx=unit(-2, 2), vy=unit(-2, 2), yaw_rate=unit(-3, 3), step=st.booleans()),
    st.builds(
        Gesture,
        name=st.from_regex(r"\A[a-z0-9_]{1,64}\Z"),
        groups=groups,
        speed=unit(0.1, 3),
        loop=st.booleans(),
        mirror=st.booleans(),
    ),
    st.builds(Head, yaw=unit(-3.2, 3.2), pitch=unit(-3.2, 3.2)),
    st.builds(Go, cue=st.none() | st.text(min_size=1, max_size=32)),
    st.builds(GoTo, cue=st.text(min_size=1, max_size=32)),
    st.builds(LoadShow, path=st.text(max_size=200), keep_standby=st.booleans()),
    st.builds(
        Push,
        fx=unit(-2000, 2000),
        fy=unit(-2000, 2000),
        fz=unit(-2000, 2000),
        duration_s=st.floats(0, 10, exclude_min=True),
    ),
    st.builds(
        SetHandsetMap,
        map=st.none()
        | st.builds(
            HandsetMap,
            buttons=st.just(("stop", "gesture:wave", *("none",) * 8)),
            dead_zone=unit(0.02, 0.5),
            expo=unit(0, 1),
            speed_share=unit(0.05, 1),
        ),
    ),
    st.builds(
        BackDrive,
        limbs=st.dictionaries(
            names, st.sampled_from(["driven", "held", "floating", "limp"]), max_size=16
        ),
        feel=st.sampled_from(["loose", "normal", "stiff"]),
        loads_kg=st.dictionaries(names, unit(0.0, 5.0), max_size=16),
    ),
    st.builds(
        GoToPose,
        angles=st.dictionaries(names, unit(-6.3, 6.3), min_size=1, max_size=16),
        duration_s=st.none() | unit(0.0, 10.0),
    ),
    st.builds(
        StartTake,
        st.builds(
            TakePlan,
            path=names.map(lambda name: f"/takes/{name}.take"),
            count_in_s=unit(0.0, 10.0),
        ),
    ),
    st.builds(Pull, link=names, point=points, target=points, duration_s=unit(0.1, 10.0)),
    st.sampled_from([kind() for kind in COMMANDS if not kind.__struct_fields__]),
)


def packed(command: dict[str, object], **envelope: object) -> bytes:
    fields: dict[str, object] = {"sender": "a", "sequence": 1, "stamp_s": 1.0}
    return msgspec.msgpack.encode({**fields, **envelope, "command": command})


@given(commands, st.integers(0, 2**62 - 1), st.floats(0, 1e10))
def test_every_command_survives_the_wire(command: Command, sequence: int, stamp_s: float) -> None:
    envelope = Envelope("console-1-ab12", sequence, stamp_s, command)
    assert DECODER.decode(msgspec.msgpack.encode(envelope)) == envelope


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300, "1", None])
@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (kind.__name__, field.name)
        for kind in COMMANDS
        for field in msgspec.structs.fields(kind)
        if "float" in str(field.type)
    ],
)
def test_a_number_that_is_none_is_refused(kind: str, field: str, bad: object) -> None:
    if kind == "BackDrive":
        field, bad = "loads_kg", {"left_hand": bad}
    elif field == "angles":
        bad = {"head_yaw": bad}
    elif field in ("point", "target"):
        bad = (0.0, bad, 0.0)
    whole: dict[str, dict[str, object]] = {
        "BackDrive": {"limbs": {"left_arm": "floating"}},
        "Pull": {
            "link": "left_hand",
            "point": (0.0, 0.0, 0.0),
            "target": (0.0, 0.0, 1.0),
            "duration_s": 0.1,
        },
        "GoToPose": {"angles": {"head_yaw": 0.1}},
        "Walk": {},
        "StartJump": {},
        "WalkTo": {"x": 0.0, "y": 0.0, "heading": 0.0},
        "LookAt": {"x": 0.0, "y": 0.0, "z": 0.0},
        "LeadBody": {},
        "ShiftPoint": {},
        "StandsAt": {"x": 0.0, "y": 0.0, "heading": 0.0},
        "StartSway": {"direction": "left", "amplitude_m": 0.04, "frequency_hz": 0.1},
        "Volume": {"level": 0.5},
        "Gesture": {"name": "wave"},
        "Head": {"yaw": 0.0, "pitch": 0.0},
        "Push": {"fx": 0.0, "fy": 0.0, "fz": 1.0, "duration_s": 0.1},
    }
    DECODER.decode(packed({"type": kind, **whole[kind]}))
    if (kind, field, bad) == ("GoToPose", "duration_s", None):
        return  # the default
    with pytest.raises(msgspec.ValidationError):
        DECODER.decode(packed({"type": kind, **whole[kind], field: bad}))


@pytest.mark.parametrize(
    "command",
    [
        {"type": "Jump"},
        {},
        {"type": "Stop", "why": "not"},
        {"type": "Gesture", "name": "../etc"},
        {"type": "Gesture", "name": ""},
        {"type": "Gesture", "name": "wave\n"},
        {"type": "Gesture", "name": "wave", "groups": ["a tail"]},
        {"type": "Gesture", "name": "wave", "groups": ["left_gripper"] * 17},
        {"type": "Gesture", "name": "wave", "speed": 0.0},
        {"type": "GoTo", "cue": ""},
        {"type": "LoadShow", "path": "x" * 5000},
        {"type": "Push", "fx": 0.0, "fy": 0.0, "fz": 0.0, "duration_s": 0.0},
    ],
)
def test_a_command_that_is_none_is_refused(command: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        DECODER.decode(packed(command))


@pytest.mark.parametrize(
    "envelope",
    [
        {"sender": "A B"},
        {"sender": ""},
        {"sender": "a" * 49},
        {"sequence": -1},
        {"sequence": 2**62},
        {"sequence": 1.5},
        {"stamp_s": -1.0},
        {"stamp_s": math.nan},
        {"extra": 1},
    ],
)
def test_an_envelope_that_is_none_is_refused(envelope: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        DECODER.decode(packed({"type": "Stop"}, **envelope))


def test_a_command_that_is_not_finite_cannot_even_be_made() -> None:
    with pytest.raises(ValueError, match="vx is nan"):
        Walk(vx=math.nan)
    with pytest.raises(ValueError, match="stamp_s is inf"):
        Heartbeat("a", 0, math.inf)


def test_every_inbound_struct_is_frozen_and_knows_its_keys() -> None:
    kinds = [kind for kind in vars(link_commands).values() if isinstance(kind, type)]
    structs = [k for k in kinds if issubclass(k, msgspec.Struct) and k.__struct_fields__]
    assert len(structs) > 15
    for kind in structs:
        assert kind.__struct_config__.frozen, kind
        assert kind.__struct_config__.forbid_unknown_fields, kind


def test_a_status_may_say_that_the_core_does_not_know() -> None:
    status = Status(math.nan, base_position=(math.nan, 0.0, 0.0))
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(status), type=Status)
    assert math.isnan(again.stamp_s) and math.isnan(again.base_position[0])
