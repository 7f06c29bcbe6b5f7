"""The ranges of the fields of run and jump clips, in words."""

import math
from collections.abc import Sequence

from shows.document import Clip, JumpClip, WalkClip
from shows.fields import MAX_JUMPS
from shows.joints import JointTable


def range_text(name: str, clips: Sequence[Clip], joints: JointTable | None) -> str:
    """Return the range of a field of runs or jumps; empty for other fields and clips.

    Args:
        name: of the field.
        clips: those that are selected.
        joints: of the robot; None: not known yet.
    """
    if joints is None:
        return ""
    run, jump = joints.gaits.run, joints.gaits.jump
    if run is not None and all(isinstance(c, WalkClip) and c.gait == "run" for c in clips):
        return {
            "vx": f"{-run.forward:g} to {run.forward:g} m/s in a run",
            "vy": f"{-run.sideways:g} to {run.sideways:g} m/s in a run",
            "yaw_rate": _degrees(run.turning, "°/s in a run"),
        }.get(name, "")
    if jump is not None and all(isinstance(c, JumpClip) for c in clips):
        backward, forward = (100.0 * way for way in jump.ways(jump.flight_s))
        return {
            "count": f"1 to {MAX_JUMPS}",
            "flight_s": f"up to {jump.flight_s:g} s",
            "jump_period_s": f"at least {jump.period_s:g} s",
            "dx": f"{-backward:g} to {forward:g} cm in a flight of {jump.flight_s:g} s",
            "dy": f"{-100.0 * jump.sideways:g} to {100.0 * jump.sideways:g} cm",
            "turn": _degrees(jump.turn, "°"),
        }.get(name, "")
    return ""


def usual_text(name: str, joints: JointTable | None) -> str:
    """Return what an empty field of a jump means; empty for other fields."""
    jump = None if joints is None else joints.gaits.jump
    if name not in ("flight_s", "jump_period_s"):
        return ""
    if jump is None:
        return "usual"
    value = jump.usual_flight_s if name == "flight_s" else jump.usual_period_s
    return f"{value:g} (usual)"


def _degrees(angle: float, unit: str) -> str:
    degrees = math.degrees(angle)
    return f"{-degrees:.1f} to {degrees:.1f}{unit}"
