"""Why the core would refuse control by hand now; such commands are not sent."""

from core.link.hello import Hello
from core.link.status import Status
from shows.body_limb import KIND

HEAD_MODES = frozenset({"READY", "PERFORM", "WALK", "RECORD"})
WALK_MODES = frozenset({"READY", "WALK"})
SWAY_MODES = frozenset({"READY"})
BODY_MODES = frozenset({"READY", "PERFORM", "WALK"})
_HARMLESS = frozenset({"NONE", "WARN"})
_MODES = {
    "OFF": "the robot is off",
    "DAMPED": "the robot is not standing: STAND UP first",
    "STANDING_UP": "wait until the robot stands",
    "PERFORM": "a show runs: HOLD ends it",
    "RECORD": "limbs are moved by hand: end RECORD first",
    "SETTLE": "the robot is settling",
    "FAULT": "a fault is latched: see the stop panel",
    "ESTOP": "an E-stop is latched: see the stop panel",
}


def head_bar(status: Status | None, connected: bool, hello: Hello | None = None) -> str:
    """Return why the head cannot be moved by hand now; empty if it can."""
    if hello is not None and hello.gaze is None:
        return "this robot has no head to turn"
    return _bar(status, connected, HEAD_MODES)


def walk_bar(status: Status | None, connected: bool, hello: Hello | None = None) -> str:
    """Return why the robot cannot be walked by hand now; empty if it can."""
    if hello is not None and hello.walk is None:
        return "this robot does not walk"
    return _bar(status, connected, WALK_MODES)


def sway_bar(status: Status | None, connected: bool, hello: Hello | None = None) -> str:
    """Return why the robot cannot sway now; empty if it can."""
    if hello is not None and hello.sway_range is None:
        return "this robot does not sway"
    if status is not None and status.mode == "WALK":
        return "the robot walks: HOLD it first"
    if status is not None and status.body_led:
        return "the body is led by hand: give it back to the show first"
    return _follow_bar(status) or _bar(status, connected, SWAY_MODES)


def body_bar(status: Status | None, connected: bool, hello: Hello | None = None) -> str:
    """Return why the body cannot be led by hand now; empty if it can."""
    if hello is not None and hello.body_limb is None:
        return "this robot has no body to lead"
    if hello is not None and hello.support == "seated":
        return "the robot is seated: put it on its feet first"
    return _follow_bar(status) or _bar(status, connected, BODY_MODES)


def jump_bar(status: Status | None, connected: bool, hello: Hello | None = None) -> str:
    """Return why the robot cannot jump now; empty if it can."""
    if hello is not None and hello.gaits.jump is None:
        return hello.gaits.refusal("jump")
    return _bar(status, connected, WALK_MODES)


def _follow_bar(status: Status | None) -> str:
    order = None if status is None else status.follow.order
    if order is not None and (not order.limbs or KIND in order.limbs):
        return "the body follows a person: end following first"
    return ""


def _bar(status: Status | None, connected: bool, modes: frozenset[str]) -> str:
    if not connected or status is None:
        return "the core is not there"
    if status.mode not in modes:
        return _MODES.get(status.mode, f"the robot is in {status.mode}")
    if status.action not in _HARMLESS:
        return "a fault holds the robot: see the alarms"
    return ""
