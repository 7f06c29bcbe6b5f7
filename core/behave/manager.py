"""The motion manager: one five-state machine for each limb, one owner for each limb.

Kid Cosmo paper, III-D: REST, ACTION, TRANSITION, STOP, JOYSTICK. Every hand-over runs through
TRANSITION, a cubic Hermite from the present position and velocity to those which the next
owner has when the transition ends, be it a gesture already in motion or idle life.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from core.behave.casting import PlayRequest, cast, limbs_of
from core.behave.clip import Clip
from core.behave.clock import MotionClock
from core.behave.errors import BehaveError
from core.behave.follower import Follower
from core.behave.hermite import transition_duration
from core.behave.idle import IdleLife
from core.behave.joints import UpperJoints
from core.behave.limits import SoftLimits
from core.behave.part import Part
from core.behave.pieces import ClipPiece, JoystickPiece, Piece, RestPiece, TransitionPiece
from core.behave.reference import LIMBS, MotionState, UpperReference
from core.behave.settings import MotionSettings
from devices.interface import Floats
from shows.joints import JointTable

HEAD = LIMBS.index("head")


class MotionManager:
    """Owns the motion of the upper body.

    Times are the core's clock [s] and never run backward: an older one counts as the latest.
    What is asked takes effect at its `now_s`; `update` tells the reference of a time.

    Args:
        settings: see MotionSettings.
        joints: the robot's joints, limits and limb groups.

    Raises:
        BehaveError: the settings do not fit the robot.
    """

    def __init__(self, settings: MotionSettings, joints: JointTable) -> None:
        self.joints = UpperJoints.from_table(joints)
        rest_q = np.array(settings.rest_q, dtype=np.float64)
        if rest_q.shape != (len(joints.names),) or not np.isfinite(rest_q).all():
            raise BehaveError("rest_q", f"give {len(joints.names)} finite angles, one a joint")
        if any(name not in self.joints.index for name in ("head_yaw", "head_pitch")):
            raise BehaveError("head", "the head needs joints head_yaw and head_pitch")
        count = len(self.joints)
        self._settings = settings
        self._rest_q = rest_q[list(self.joints.table_index)]
        self._idle = IdleLife(self.joints.index, settings.seed)
        self._idle_gain = 1.0 if settings.idle else 0.0
        self._limits = SoftLimits(
            self.joints.lower, self.joints.upper, settings.limit_margin, settings.limit_band
        )
        self._transition_limit = np.minimum(self.joints.velocity_limit, settings.transition_speed)
        self._follower = Follower(
            settings.joystick_stiffness, settings.joystick_speed, settings.joystick_acceleration
        )
        self._columns = dict(enumerate(self.joints.columns))
        self._raw = np.zeros((3, count))  # before limits, which need not be captured
        self._out = np.zeros((3, count))
        self._reference = UpperReference(
            self._out[0], self._out[1], self._out[2], np.zeros(len(LIMBS), dtype=np.int8)
        )
        self._now_s = 0.0
        everything = tuple(range(len(LIMBS)))
        self._parts = [Part(everything, self._rest(), MotionClock(), self._raw, self.joints)]

    def update(self, now_s: float) -> UpperReference:
        """Return where the upper body shall be at a time [s]; the next update overwrites it."""
        self._advance(now_s)
        self._limits.apply(self._raw, self._out)
        return self._reference

    def adopt(self, now_s: float, q_measured: Floats) -> None:
        """Start from where the body is, at rest, and go to REST through TRANSITION.

        Args:
            now_s: [s].
            q_measured: positions in upper order (u) [rad].

        Raises:
            BehaveError: a position is not finite.
        """
        q = np.asarray(q_measured, dtype=np.float64)
        if q.shape != self._rest_q.shape or not np.isfinite(q).all():
            raise BehaveError("measured posture", "is not one finite angle a joint; check encoders")
        self._advance(now_s)
        self._raw[0] = self._limits.unbend(q)
        self._raw[1:] = 0.0
        limbs = tuple(range(len(LIMBS)))
        self._hand_over(limbs, self._rest(), self._settings.transition_s)

    def play(
        self,
        now_s: float,
        clip: Clip,
        groups: Sequence[str] | None = None,
        speed: float = 1.0,
        loop: bool = False,
        mirror: bool = False,
        blend_in_s: float | None = None,
        blend_out_s: float | None = None,
        start_s: float = 0.0,
    ) -> tuple[str, ...]:
        """Play a clip; the clip's start is reached when the transition to it ends.

        A head that is in a hand stays there. A limb in STOP leaves it: playing is asking.

        Args:
            now_s: [s].
            clip: what to play.
            groups: limbs that it may have; None means every limb that the clip moves.
            speed: 1 is as authored.
            loop: play until cancelled.
            mirror: swap the sides; `groups` are the limbs after that.
            blend_in_s: duration of the transition to it [s]; None means the default.
            blend_out_s: duration of the transition to rest after it [s].
            start_s: where in the clip to start [s].

        Returns:
            The limbs that play it.

        Raises:
            BehaveError: nothing has changed; it says why.
        """
        request = PlayRequest(speed, loop, start_s, self._blend(clip.name, blend_out_s))
        enter_s = self._blend(clip.name, blend_in_s)
        if mirror:
            clip = clip.mirrored(self.joints.names)
        limbs = limbs_of(clip, groups, self.joints)
        if self._steered() is not None:
            limbs = tuple(limb for limb in limbs if limb != HEAD)
        if not limbs:
            return ()
        piece = cast(clip, limbs, request, self.joints, self._rest_q, self._transition_limit)
        self._advance(now_s)
        self._hand_over(limbs, piece, enter_s)
        return tuple(LIMBS[limb] for limb in limbs)

    def cancel(self, now_s: float, groups: Sequence[str] | None = None) -> None:
        """End what these limbs play, frozen or not, and take them to REST.

        A head in a hand stays there: release it.
        """
        limbs = self.joints.limbs(groups)
        self._advance(now_s)
        ending = tuple(
            limb
            for part in self._parts
            for limb in part.limbs
            if limb in limbs
            and not (self._destination(part) == MotionState.REST and not part.clock.frozen)
            and self._destination(part) != MotionState.JOYSTICK
        )
        if ending:
            self._hand_over(tuple(sorted(ending)), self._rest(), self._settings.transition_s)

    def rest(self, now_s: float) -> None:
        """Take every limb to REST, whatever it does; the head leaves the hand."""
        self._advance(now_s)
        moving = tuple(
            limb
            for part in self._parts
            for limb in part.limbs
            if part.clock.frozen or self._destination(part) != MotionState.REST
        )
        if moving:
            self._hand_over(tuple(sorted(moving)), self._rest(), self._settings.transition_s)

    def freeze(self, now_s: float, groups: Sequence[str] | None = None) -> tuple[str, ...]:
        """STOP limbs in the middle of whatever they do, within `freeze_s`; returns which."""
        return self._turn_clocks(now_s, groups, frozen=True)

    def unfreeze(self, now_s: float, groups: Sequence[str] | None = None) -> tuple[str, ...]:
        """Let frozen limbs go on along the very same path; returns which."""
        return self._turn_clocks(now_s, groups, frozen=False)

    def joystick(self, now_s: float, yaw: float, pitch: float) -> bool:
        """Steer the head by hand.

        Args:
            now_s: [s].
            yaw: to its left [rad].
            pitch: downward [rad].

        Returns:
            False if the head is in STOP, which a stream of stick positions does not end.

        Raises:
            BehaveError: an angle is not finite; the head keeps its target.
        """
        if not (math.isfinite(yaw) and math.isfinite(pitch)):
            raise BehaveError("head", f"cannot look at yaw {yaw}, pitch {pitch}; check the stick")
        self._advance(now_s)
        if self._part_of(HEAD).clock.frozen:
            return False
        steered = self._steered()
        if steered is not None:
            self._aim(steered, yaw, pitch)
            return True
        piece = JoystickPiece(self.joints, HEAD, self._follower)
        self._aim(piece, yaw, pitch)
        self._hand_over((HEAD,), piece, self._settings.joystick_s)
        return True

    def release_head(self, now_s: float) -> None:
        """Take the head out of the hand, to REST; a frozen head goes there once unfrozen."""
        self._advance(now_s)
        if self._steered() is None:
            return
        part = self._part_of(HEAD)
        if part.clock.frozen:
            self._redirect(part, self._rest(), self._settings.transition_s)
        else:
            self._hand_over((HEAD,), self._rest(), self._settings.transition_s)

    def set_idle(self, now_s: float, enabled: bool) -> None:
        """Let idle life come or go, within a second."""
        gain = 1.0 if enabled else 0.0
        if gain == self._idle_gain:
            return
        self._advance(now_s)
        self._idle_gain = gain
        for part in self._parts:
            piece, motion_s = part.piece, part.clock.motion_s
            if isinstance(piece, RestPiece):
                piece.fade(motion_s, gain)
            elif isinstance(piece, TransitionPiece) and isinstance(piece.then, RestPiece):
                # Its target has changed under way: go to the new one from here.
                self._redirect(part, self._rest(), piece.end_s - motion_s)

    def state(self, group: str) -> MotionState:
        """Return what a limb was doing at the last update."""
        return self._part_of(self.joints.limbs((group,))[0]).state

    def playing(self, group: str) -> tuple[str, float] | None:
        """Return the clip that owns a limb and the time within it [s], or None."""
        piece = self._part_of(self.joints.limbs((group,))[0]).piece
        return (piece.clip.name, piece.phase_s) if isinstance(piece, ClipPiece) else None

    def gestures(self) -> tuple[str, ...]:
        """Return, for each limb, the clip that it plays or is on its way to, or an empty name."""
        names = [""] * len(LIMBS)
        for part in self._parts:
            piece = part.piece
            if isinstance(piece, TransitionPiece):
                piece = piece.then
            if isinstance(piece, ClipPiece):
                for limb in part.limbs:
                    names[limb] = piece.clip.name
        return tuple(names)

    def _advance(self, now_s: float) -> None:
        """Bring `_raw` to a time [s], with every hand-over at its exact moment."""
        now_s = self._now_s = max(now_s, self._now_s)
        arrived = False
        for part in self._parts:
            if part.held:
                continue
            clock = part.clock
            clock.advance(now_s)
            motion_s = clock.motion_s
            while motion_s >= part.piece.end_s:
                self._follow(part)
                arrived = True
            part.piece.evaluate(motion_s)
            part.write()
            part.held = clock.frozen and clock.rate == 0.0
        if arrived:
            self._settle()

    def _follow(self, part: Part) -> None:
        """Give a part whose piece has ended to what comes after it, at that very time."""
        piece = part.piece
        if isinstance(piece, TransitionPiece):
            part.give(piece.then)
        elif isinstance(piece, ClipPiece):
            self._redirect(part, self._rest(), piece.leave_s, at_s=piece.end_s)

    def _redirect(
        self, part: Part, then: Piece, duration_s: float, at_s: float | None = None
    ) -> None:
        """Lead a part elsewhere on its own clock, so that a frozen one stays frozen."""
        at_s = part.clock.motion_s if at_s is None else at_s
        part.piece.evaluate(at_s)
        start = np.zeros((2, len(self.joints)))
        for limb in part.limbs:
            start[:, self._columns[limb]] = part.piece.block[:2, part.piece.columns[limb]]
        part.give(self._transition(part.limbs, start, at_s, then, duration_s))

    def _hand_over(self, limbs: tuple[int, ...], then: Piece, duration_s: float) -> None:
        """Take limbs from their owners and lead them to another, starting now."""
        start = self._raw[:2].copy()
        for part in self._parts:
            left = tuple(limb for limb in part.limbs if limb not in limbs)
            if left != part.limbs:
                part.keep(left)
        self._parts = [part for part in self._parts if part.limbs]
        clock = MotionClock()
        clock.advance(self._now_s)
        piece = self._transition(limbs, start, self._now_s, then, duration_s)
        part = Part(limbs, piece, clock, self._raw, self.joints)
        self._parts.append(part)
        piece.evaluate(self._now_s)
        part.write()
        self._settle()

    def _transition(
        self,
        limbs: tuple[int, ...],
        start: Floats,
        begin_s: float,
        then: Piece,
        duration_s: float,
    ) -> TransitionPiece:
        """Return the Hermite from `start` (2, u) to where `then` will be when it ends."""
        settings = self._settings
        mask = np.zeros(len(self.joints), dtype=np.bool_)
        for limb in limbs:
            mask[self._columns[limb]] = True
        knots = np.zeros((4, len(self.joints)))
        knots[:2] = np.where(mask, start, 0.0)
        duration_s = min(max(duration_s, settings.shortest_s), settings.longest_s)
        while True:
            # The target may itself be moving: where it is depends on how long this takes.
            end_s = begin_s + duration_s
            then.begin(end_s)
            then.evaluate(end_s)
            for limb in limbs:
                knots[2:, self._columns[limb]] = then.block[:2, then.columns[limb]]
            needed_s = transition_duration(
                knots, self._transition_limit, duration_s, settings.patience_s
            )
            if needed_s == duration_s:
                columns = {limb: self._columns[limb] for limb in limbs}
                return TransitionPiece(knots, begin_s, duration_s, columns, then)
            duration_s = needed_s

    def _turn_clocks(
        self, now_s: float, groups: Sequence[str] | None, frozen: bool
    ) -> tuple[str, ...]:
        limbs = self.joints.limbs(groups)
        self._advance(now_s)
        turned: list[int] = []
        for part in list(self._parts):
            meant = tuple(limb for limb in part.limbs if limb in limbs)
            if not meant or part.clock.frozen == frozen:
                continue
            if meant != part.limbs:
                part.keep(tuple(limb for limb in part.limbs if limb not in meant))
                part = Part(meant, part.piece.twin(), part.clock.copy(), self._raw, self.joints)
                self._parts.append(part)
            turn: Callable[[float, float], None]
            turn = part.clock.freeze if frozen else part.clock.resume
            turn(self._now_s, self._settings.freeze_s)
            part.held = False
            turned.extend(meant)
        self._settle()
        return tuple(LIMBS[limb] for limb in sorted(turned))

    def _settle(self) -> None:
        """Let parts at rest that live the same time be one, and tell every limb's state."""
        shared: Part | None = None
        for part in list(self._parts):
            piece = part.piece
            if (
                isinstance(piece, RestPiece)
                and part.clock.is_real_time
                and piece.gain == self._idle_gain
                and piece.is_steady(self._now_s)
            ):
                if shared is None:
                    shared = part
                else:
                    shared.keep(tuple(sorted(shared.limbs + part.limbs)))
                    self._parts.remove(part)
        states = self._reference.states
        for part in self._parts:
            for limb in part.limbs:
                states[limb] = part.state

    def _rest(self) -> RestPiece:
        return RestPiece(self._rest_q, self._idle, self._columns, self._idle_gain)

    def _part_of(self, limb: int) -> Part:
        """Return the one part that owns a limb."""
        return next(part for part in self._parts if limb in part.limbs)

    def _destination(self, part: Part) -> MotionState:
        """Return what a part does, or is on its way to do."""
        piece = part.piece
        return piece.then.state if isinstance(piece, TransitionPiece) else piece.state

    def _steered(self) -> JoystickPiece | None:
        """Return the joystick, if it has the head or is about to get it."""
        piece = self._part_of(HEAD).piece
        if isinstance(piece, TransitionPiece):
            piece = piece.then
        return piece if isinstance(piece, JoystickPiece) else None

    def _aim(self, piece: JoystickPiece, yaw: float, pitch: float) -> None:
        i, j = self.joints.index["head_yaw"], self.joints.index["head_pitch"]
        lower, upper = self.joints.lower, self.joints.upper
        piece.aim(
            min(max(yaw, float(lower[i])), float(upper[i])),
            min(max(pitch, float(lower[j])), float(upper[j])),
        )

    def _blend(self, name: str, blend_s: float | None) -> float:
        if blend_s is None:
            return self._settings.transition_s
        if not math.isfinite(blend_s) or blend_s < 0.0:
            raise BehaveError(name, f"cannot blend for {blend_s} s; choose 0.3 to 2 s")
        return blend_s
