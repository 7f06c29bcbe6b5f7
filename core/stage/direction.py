"""Hands the show's moments to the motion manager; the one place where a show moves a limb."""

from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.stage.output import StageOutput
from core.stage.prepared import PreparedShow
from core.stage.timeline import Freeze, GestureEnd, GestureStart


class Direction:
    """Turns what the player asks for into what the limbs do.

    Args:
        manager: owns the upper body's motion.
    """

    def __init__(self, manager: MotionManager) -> None:
        self._manager = manager
        self._show: PreparedShow | None = None

    def load(self, show: PreparedShow) -> None:
        """Take the clips of a show."""
        self._show = show

    def gesture(
        self,
        now_s: float,
        name: str,
        groups: tuple[str, ...] | None = None,
        speed: float = 1.0,
        loop: bool = False,
        mirror: bool = False,
    ) -> str | None:
        """Play a clip at once; returns None, or the sentence that says why not."""
        start = GestureStart(0.0, name, groups or (), speed, None, None, loop, mirror, 0.0)
        return self._start(now_s, start)

    def apply(self, now_s: float, stage: StageOutput) -> list[str]:
        """Do what the show wants in this tick; returns what could not be done."""
        problems: list[str] = []
        if stage.happened:
            for moment in stage.limbs:
                if isinstance(moment, GestureStart):
                    problem = self._start(now_s, moment)
                    if problem is not None:
                        problems.append(problem)
                elif isinstance(moment, GestureEnd):
                    self._manager.cancel(now_s, moment.groups)
                elif isinstance(moment, Freeze):
                    self._manager.freeze(now_s, moment.groups)
                else:
                    self._manager.unfreeze(now_s, moment.groups)
        if stage.head_held:
            self._manager.joystick(now_s, float(stage.head[0]), float(stage.head[1]))
        elif stage.head_released:
            self._manager.release_head(now_s)
        return problems

    def _start(self, now_s: float, start: GestureStart) -> str | None:
        clip = None if self._show is None else self._show.clips.get(start.clip)
        if clip is None:
            return f"the gesture {start.clip!r} is not loaded; load a show that has it"
        try:
            self._manager.play(
                now_s,
                clip,
                start.groups or None,
                start.speed,
                start.loop,
                start.mirror,
                start.blend_in_s,
                start.blend_out_s,
                start.offset_s,
            )
        except BehaveError as error:
            return str(error)
        return None
