"""A core whose robot has its body as a limb."""

import msgspec
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from core.robot.profile_file import load_profile
from shows.body_limb import KIND, BodyLimb
from tests.app.console.rig import HELLO, ROBOT, LineCore


def limb() -> BodyLimb:
    """Return the body of the robot."""
    found = load_profile(ROBOT).body
    assert found is not None
    return found


def give_body(core: LineCore, context: Context, qtbot: QtBot) -> None:
    """Let the core introduce itself anew, with a body."""
    groups = (*HELLO.group_names, KIND)
    core.hello = msgspec.structs.replace(HELLO, body_limb=limb(), group_names=groups, started_s=7.0)
    core.set(started_s=7.0, motion_states=("REST",) * len(groups))
    qtbot.waitUntil(lambda: context.link.hello is not None and context.link.hello == core.hello)
    qtbot.waitUntil(lambda: context.link.connected)


def wait_until_led(core: LineCore, context: Context, qtbot: QtBot, led: bool) -> None:
    """Let the core say whether a stick leads the body."""
    core.set(body_led=led)
    qtbot.waitUntil(lambda: context.link.status is not None and context.link.status.body_led == led)
