"""The walk to a mark that an operator or a cue asks for."""

import math
from collections.abc import Callable

from core.link.approach import Approach, Goal, Part
from core.link.catalogue import marks as words
from core.link.catalogue import refusals as why
from core.link.place import StandsAt, WalkTo
from core.link.statement import Severity, Statement
from core.plants.interface import Plant, Wanted
from core.plants.pace import Pace
from core.safety.modes import Mode
from core.safety.rules import Action
from core.tick.stage_place import StagePlace
from devices.interface import Support
from shows.marks import Place

WALK_MODES = frozenset({Mode.READY, Mode.WALK})
STILL_MODES = frozenset({Mode.DAMPED, Mode.READY})
PATIENCE_S, PATIENCE = 30.0, 3.0  # a walk may take so long, and so many times the shortest
PLACE = "the place"  # name of a goal without a mark


class WalkToMark:
    """Owns the walk to a mark, by hand or of a cue, and the robot's place on the stage.

    Args:
        pace: the robot's largest velocities; None: it does not walk.
        plant: the body that would walk.
        say: takes actor, statement and severity of an event.

    Attributes:
        place: the frame of the stage.
        asked: the request by hand; None without one. It counts in WALK, which it enters.
    """

    def __init__(
        self,
        pace: Pace | None,
        plant: Plant,
        say: Callable[[str, Statement, Severity | None], None],
    ) -> None:
        self.place = StagePlace()
        self.asked: Goal | None = None
        self._pace, self._plant, self._say = pace, plant, say
        self._goal: Goal | None = None
        self._cued = False
        self._until_s = math.inf
        self._approach: Approach | None = None

    @property
    def heads_for(self) -> str:
        """Name of the mark to which the robot is led; empty without one."""
        approach, goal = self._approach, self._goal
        if approach is None or goal is None or approach.part is Part.ARRIVED:
            return ""
        return goal.name or PLACE

    def start(self, command: WalkTo, mode: Mode, action: Action) -> Statement | None:
        """Ask for a walk, which replaces the present one, or return the reason of the refusal."""
        if self._pace is None:
            return why.NO_LEGS()
        if self._plant.support is Support.SEATED:
            return why.SEATED()
        if mode not in WALK_MODES:
            return why.WRONG_MODE(mode=mode.name)
        if action >= Action.HOLD:
            return why.FAULT_HOLDS()
        refusal = self._refusal(command.foot)
        if refusal is None:
            stage = Place(command.x, command.y, command.heading)
            self.asked = Goal(stage, command.foot, command.mark)
        return refusal

    def tell(self, command: StandsAt, mode: Mode) -> Statement | None:
        """Take an operator's word for the robot's place, or return the reason of the refusal."""
        if self._pace is None:
            return why.NO_LEGS()
        if mode not in STILL_MODES or mode is Mode.READY and not self._plant.stands:
            return words.STANDS_FIRST()
        self.place.tell(self._here(), Place(command.x, command.y, command.heading))
        self._plant.know_place()
        self._say("core", words.PLACE_TOLD(x=command.x, y=command.y), None)
        return None

    def begin(self) -> None:
        """Take the place at which the robot first stands up as the origin of the stage."""
        if self._pace is not None:
            self.place.begin(self._here())

    def watch(self, now_s: float, borne: bool, fell: bool) -> None:
        """Notice that the robot's place is not known any more.

        Args:
            now_s: time of the tick [s].
            borne: its feet carry it.
            fell: it has fallen.
        """
        known = self.place.known
        self.place.watch(now_s, borne)
        if fell:
            self.place.lose()
        if known and not self.place.known and self._pace is not None:
            self._say("core", words.PLACE_LOST(), None)

    def follow(self, now_s: float, goal: Goal | None, wanted: Wanted) -> None:
        """Write velocity, steps and last foot of the walk to a goal; None ends the present one.

        Args:
            now_s: time of the tick [s].
            goal: the request by hand or of a cue; the same object is one request.
            wanted: request to the plant; without a goal it stays as it is.
        """
        if goal is not self._goal:
            self._leave(words.MARK_CLIP_ENDED() if self._cued else words.MARK_INTERRUPTED())
            self._goal, self._cued = goal, goal is not self.asked
            if goal is not None:
                self._begin(now_s, goal)
        approach = self._approach
        if approach is None or goal is None:
            return
        if now_s > self._until_s and approach.part is not Part.ARRIVED:
            self._leave(words.MARK_OUT_OF_REACH())
            if goal is self.asked:
                self.asked = None
            return
        before = approach.part
        approach.update(now_s, self._here(), self._plant.stands, wanted.velocity)
        wanted.step_in_place, wanted.last_foot = approach.steps, approach.last_foot
        if approach.part is Part.ARRIVED is not before:
            self._say(
                "core",
                words.MARK_REACHED(
                    mark=goal.name or PLACE,
                    off_cm=approach.off_cm,
                    turned_deg=approach.turned_deg,
                ),
                None,
            )
            if goal is self.asked:
                self.asked = None

    def end(self) -> None:
        """End the walk by hand; the robot stops where it is. Without one nothing happens."""
        self.asked = None

    def _begin(self, now_s: float, goal: Goal) -> None:
        """Begin to lead the robot to a goal."""
        refusal = self._refusal(goal.foot)
        if refusal is not None:
            said = words.MARK_SKIPPED(mark=goal.name or PLACE, reason=refusal)
            self._say("core", said, None)
        elif self._pace is not None:
            aim, here = self.place.in_world(goal.stage), self._here()
            self._approach = Approach(aim, goal.foot, self._pace.range, here)
            self._until_s = now_s + PATIENCE_S + PATIENCE * self._approach.usual_s

    def _leave(self, cause: Statement) -> None:
        """Stop leading; say so if the robot has not arrived."""
        goal, approach = self._goal, self._approach
        self._approach = None
        if goal is not None and approach is not None and approach.part is not Part.ARRIVED:
            said = words.MARK_MISSED(
                mark=goal.name or PLACE,
                cause=cause,
                off_cm=approach.off_cm,
                turned_deg=approach.turned_deg,
            )
            self._say("core", said, None)

    def _refusal(self, foot: str) -> Statement | None:
        """Return the reason for which no walk to a mark is possible now."""
        if not self.place.known:
            return words.PLACE_UNKNOWN()
        if foot != "either" and not self._plant.chooses_foot:
            return words.FOOT_NOT_CHOSEN()
        return None

    def _here(self) -> Place:
        """Return the place of the robot in the world frame."""
        return Place(*self._plant.place())
