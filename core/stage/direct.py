"""Applies the player's output to the motion manager, in the loop and in preflight."""

from collections.abc import Mapping

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.link.catalogue.show import NO_MOTION, NOT_MOVED
from core.stage.output import StageOutput
from core.stage.timeline import Freeze, GestureEnd, GestureStart


def direct(
    output: StageOutput, clips: Mapping[str, Clip], manager: MotionManager, now_s: float
) -> None:
    """Apply the show's output to limbs and gaze; a refusal is added to the output's notes.

    Args:
        output: output of this tick.
        clips: motions of the show by name.
        manager: motion manager of the limbs.
        now_s: the core's clock [s].
    """
    for moment in output.limbs:
        if isinstance(moment, GestureStart):
            clip = clips.get(moment.clip)
            if clip is None:
                output.notes.append(NO_MOTION(motion=moment.clip))
                continue
            try:
                manager.play(
                    now_s,
                    clip,
                    moment.groups,
                    speed=moment.speed,
                    loop=moment.loop,
                    mirror=moment.mirror,
                    blend_in_s=moment.blend_in_s,
                    blend_out_s=moment.blend_out_s,
                    start_s=moment.offset_s,
                    vary="size",
                )
            except BehaveError as error:
                output.notes.append(NOT_MOVED(text=str(error)))
        elif isinstance(moment, GestureEnd):
            manager.cancel(now_s, moment.groups)
        elif isinstance(moment, Freeze):
            manager.freeze(now_s, moment.groups)
        else:
            manager.unfreeze(now_s, moment.groups)
    if manager.joints.gaze is None:
        return  # loading refuses a head track for a robot without a gaze
    if output.head_held and output.look is None:
        manager.sticks.lead_gaze(now_s, float(output.head[0]), float(output.head[1]))
    elif output.head_released and not output.head_held:
        manager.sticks.release_gaze(now_s)
