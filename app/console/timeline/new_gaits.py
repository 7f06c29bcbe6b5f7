"""New clips of runs and jumps, within the range of a robot."""

from PySide6.QtGui import QAction

from shows.document import JumpClip, WalkClip
from shows.gaits import JUMP_REST_S, GaitRange
from shows.joints import JointTable

GAITS = ("run", "jump")
"""What a robot may lack of the clips of a walk track."""
NEW_RUN_S, NEW_RUN_M_S = 4.0, 0.2  # length and velocity of a new run
NEW_JUMP_S = 1.0  # from jump to jump of a robot that is not known


def refusal(gait: str, joints: JointTable | None) -> str:
    """Return why the robot does not run or jump; empty if it does, or is not known yet."""
    return "" if joints is None else joints.gaits.refusal(gait)


def usual_period_s(joints: JointTable | None) -> float:
    """Return the time from jump to jump of jumps that name none [s]."""
    jump = None if joints is None else joints.gaits.jump
    return NEW_JUMP_S if jump is None else jump.usual_period_s


def enable(action: QAction, gait: str, joints: JointTable | None) -> None:
    """Enable the action that adds a clip of a gait, or tell why the robot does not have it."""
    reason = refusal(gait, joints)
    action.setEnabled(not reason)
    action.setToolTip(f"{reason[:1].upper()}{reason[1:]}." if reason else "")


def new_clip(gait: str, start_s: float, gaits: GaitRange | None) -> WalkClip | JumpClip:
    """Return a run or a jump.

    Args:
        gait: "run" or "jump".
        start_s: when it starts in the cue [s].
        gaits: ranges of the robot; None: not known yet.
    """
    if gait == "run":
        run = None if gaits is None else gaits.run
        vx = NEW_RUN_M_S if run is None else min(NEW_RUN_M_S, run.forward)
        return WalkClip(start_s=start_s, length_s=NEW_RUN_S, gait="run", vx=vx)
    jump = None if gaits is None else gaits.jump
    length_s = JUMP_REST_S + NEW_JUMP_S if jump is None else jump.length_s(1)
    return JumpClip(start_s=start_s, length_s=round(length_s, 3))
