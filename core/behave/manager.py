"""The motion manager: one five-state machine for each limb, one owner for each limb.

Kid Cosmo paper, III-D: REST, ACTION, TRANSITION, STOP, JOYSTICK. Every hand-over runs through
TRANSITION, a cubic Hermite from the present position and velocity to those that the next owner
has when the transition ends, even if it is in motion by then.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.behave.casting import FASTEST, SLOWEST, PlayRequest, cast, limbs_of, pose_clip
from core.behave.clip import Clip
from core.behave.clock import MotionClock
from core.behave.errors import BehaveError
from core.behave.follower import calm_speed, limits_of
from core.behave.idle import IdleMotion
from core.behave.idle_settings import Idle
from core.behave.joints import UpperJoints
from core.behave.limits import SoftLimits
from core.behave.live import LivePiece, Shift
from core.behave.part import Part
from core.behave.path import Bounds, path_between
from core.behave.pieces import (
    ClipPiece,
    GivenPiece,
    JoystickPiece,
    Piece,
    RestPiece,
    TransitionPiece,
)
from core.behave.reference import MotionState, UpperReference
from core.behave.settings import MotionSettings
from core.behave.variety import Variety, Vary
from devices.interface import Floats
from shows.body_limb import KIND, ROLES
from shows.joints import JointTable

TURN = f"{KIND}_yaw"  # the coordinate of the body that turns it


class MotionManager:
    """Owns the motion of the upper body.

    Times are the core's clock [s] and never run backward: an older one counts as the latest.
    A request takes effect at its `now_s`; `update` returns the reference of a time.

    Args:
        joints: the robot's joints, limbs and limits.
        rest_q: rest posture of the joints in the table's order, without the body (n) [rad].
        settings: durations and limits of the transitions.
        idle: the robot's idle motion; None: it stands still while it waits.
        seed: of the idle motion, and of what differs from performance to performance.

    Raises:
        BehaveError: the rest posture does not fit the robot.
    """

    def __init__(
        self,
        joints: JointTable,
        rest_q: Floats,
        settings: MotionSettings | None = None,
        idle: Idle | None = None,
        seed: int = 0,
    ) -> None:
        self.joints = UpperJoints.from_table(joints)
        if rest_q.shape != (joints.joint_count,) or not np.isfinite(rest_q).all():
            reason = f"give {joints.joint_count} finite angles, one for each joint"
            raise BehaveError("rest posture", reason)
        count = len(self.joints)
        self._settings = settings = settings or MotionSettings()
        whole = np.append(rest_q, np.zeros(len(joints.names) - joints.joint_count))
        self._rest_q: Floats = whole[list(self.joints.table_index)]
        self._gaze = gaze = self.joints.gaze
        self._idle: IdleMotion | None = None
        if idle is not None:
            turning = None if gaze is None else (gaze.yaw, gaze.pitch)
            self._idle = IdleMotion(idle, self.joints.index, turning, seed)
        self._idles = True
        self._variety = Variety(seed, settings)
        self._reach = np.stack((self.joints.lower, self.joints.upper))
        self._limits = self._soft_limits()
        self._transition_limit = np.minimum(self.joints.velocity_limit, settings.transition_speed)
        self._bounds = self._bounds_of_transitions()
        self._columns = dict(enumerate(self.joints.columns))
        self._body = next((i for i, limb in enumerate(self.joints.limbs) if limb.kind == KIND), -1)
        self._stick_limits, self._stick_limits_body = self._limits_of_sticks()
        self._all = tuple(range(len(self.joints.limbs)))
        self._raw = np.zeros((3, count))  # before the limits
        self._out = np.zeros((3, count))
        self._whole = np.zeros((3, count))  # with what is added to it
        self._turning = self.joints.index.get(TURN, -1)
        self._turn: Floats | None = None
        own = self.joints.joint_count
        self._reference = UpperReference(
            self._out[0, :own],
            self._out[1, :own],
            self._out[2, :own],
            self._out[:, own:],
            np.zeros(len(self._all), dtype=np.int8),
        )
        self._now_s = 0.0
        self._parts = [Part(self._all, self._rest(), MotionClock(), self._raw, self.joints)]

    def update(self, now_s: float) -> UpperReference:
        """Return the reference of the upper body at a time [s]; the next update overwrites it."""
        self._advance(now_s)
        raw, turn = self._raw, self._turn
        if turn is not None:
            raw = self._whole
            np.copyto(raw, self._raw)
            raw[:, self._turning] += turn
        self._limits.apply(raw, self._out)
        return self._reference

    def widen(self, reaches: Mapping[str, float]) -> None:
        """Let references go farther than clips and poses may, where these reaches are farther.

        Args:
            reaches: to both sides, by the joint's name.
        """
        for name, reach in reaches.items():
            column = self._reach[:, self.joints.index[name]]
            column[0], column[1] = min(column[0], -reach), max(column[1], reach)
        self._limits = self._soft_limits()
        self._bounds = self._bounds_of_transitions()

    def _limits_of_sticks(self) -> tuple[Floats, Floats]:
        """Return the limits of the followers of the gaze and of the body (3, m)."""
        joints, settings = self.joints, self._settings
        none, gaze = slice(0, 0), self._gaze
        head = none if gaze is None else joints.columns[gaze.limb]
        turns = limits_of(
            head.stop - head.start,
            settings.joystick_stiffness,
            settings.joystick_speed,
            settings.joystick_acceleration,
        )
        body = joints.columns[self._body] if self.has_body else none
        acceleration = joints.live_acceleration[body]
        stiffness = np.full_like(acceleration, settings.joystick_body_stiffness)
        speed = np.minimum(joints.velocity_limit[body], calm_speed(stiffness, acceleration))
        return turns, np.stack((stiffness, speed, acceleration))

    def _soft_limits(self) -> SoftLimits:
        settings = self._settings
        lower, upper = self._reach
        return SoftLimits(lower, upper, settings.limit_margin, settings.limit_band)

    def _bounds_of_transitions(self) -> Bounds:
        settings = self._settings
        lower, upper = self._reach
        acceleration, longest_s = settings.transition_acceleration, settings.patience_s
        return Bounds(lower, upper, self._transition_limit, acceleration, longest_s)

    @property
    def turn_reach(self) -> float:
        """How far the body turns to each side over standing feet; 0 if it is no limb [rad]."""
        turning, joints = self._turning, self.joints
        return 0.0 if turning < 0 else float(min(-joints.lower[turning], joints.upper[turning]))

    def turn_body(self, turn: Floats | None) -> None:
        """Add a turn to the motion of the body, within its limits; None adds nothing.

        Args:
            turn: position, velocity and acceleration, to the left (3), which its owner overwrites
                [rad], [rad/s], [rad/s²].
        """
        self._turn = turn if self._turning >= 0 else None

    def adopt(self, now_s: float, q_measured: Floats) -> None:
        """Start from the measured posture, without motion, and go to REST through TRANSITION.

        Args:
            now_s: [s].
            q_measured: positions in upper order, without the body (u) [rad].

        Raises:
            BehaveError: a position is not finite.
        """
        q = np.asarray(q_measured, dtype=np.float64)
        if q.shape != (self.joints.joint_count,) or not np.isfinite(q).all():
            raise BehaveError(
                "measured posture", "is not one finite angle for each joint; check the encoders"
            )
        self._advance(now_s)
        body = np.zeros(len(self.joints) - q.size)
        self._raw[0] = self._limits.unbend(np.append(q, body))
        self._raw[1:] = 0.0
        self._hand_over(self._all, self._rest(), self._settings.transition_s)

    def play(
        self,
        now_s: float,
        clip: Clip,
        limbs: Sequence[str] | None = None,
        speed: float = 1.0,
        loop: bool = False,
        mirror: bool = False,
        blend_in_s: float | None = None,
        blend_out_s: float | None = None,
        start_s: float = 0.0,
        beat_s: float | None = None,
        vary: Vary = "",
    ) -> tuple[str, ...]:
        """Play a clip; its start is reached when the transition to it ends.

        A limb in JOYSTICK keeps following the stick, and a released one its person. A limb in STOP
        leaves it.

        Args:
            now_s: [s].
            clip: the clip.
            limbs: names of the limbs that play it; None means every limb that the clip moves.
            speed: 1 is as authored.
            loop: the clip plays until it is cancelled.
            mirror: the sides swap; `limbs` are those after the swap.
            blend_in_s: duration of the transition to the clip [s]; None means the default.
            blend_out_s: duration of the transition to rest after it [s]; None means the default.
            start_s: time in the clip at which it starts [s].
            beat_s: time at which `start_s` is due, to which the clip keeps however long the
                transition takes; None: it starts when the transition ends [s].
            vary: what differs a little in each performance; a loop, a clip with a beat and a pose
                are as they were made.

        Returns:
            The names of the limbs that play it.

        Raises:
            BehaveError: the request is refused and nothing has changed.
        """
        leave_s = self._blend(clip.name, blend_out_s)
        size = 1.0
        if vary and not loop and beat_s is None and clip.peak_velocity.any():
            size, tempo = self._variety.draw(clip.name, vary)
            if SLOWEST <= speed <= FASTEST:
                speed = min(FASTEST, max(SLOWEST, speed * tempo))
        request = PlayRequest(speed, loop, start_s, leave_s, beat_s, size)
        enter_s = self._blend(clip.name, blend_in_s)
        if mirror:
            clip = clip.mirrored(self.joints)
        return self._start(now_s, clip, limbs, request, enter_s)

    def _start(
        self,
        now_s: float,
        clip: Clip,
        limbs: Sequence[str] | None,
        request: PlayRequest,
        enter_s: float,
    ) -> tuple[str, ...]:
        """Lead limbs to a clip within a time [s]; see `play`."""
        chosen = limbs_of(clip, limbs, self.joints)
        chosen = tuple(limb for limb in chosen if not self._is_given(self._part_of(limb)))
        chosen = tuple(limb for limb in chosen if self._steered(limb) is None)
        if not chosen:
            return ()
        piece = cast(clip, chosen, request, self.joints, self._rest_q, self._transition_limit)
        self._advance(now_s)
        self._hand_over(chosen, piece, enter_s)
        return self._names(chosen)

    def pose(
        self, now_s: float, angles: Mapping[str, float], duration_s: float | None = None
    ) -> tuple[str, ...]:
        """Lead limbs to a pose, and keep it until it is cancelled; as `play`.

        Args:
            now_s: [s].
            angles: joint angles by name; other joints of these limbs stay where they are [rad].
            duration_s: of the way there, if the limits allow it; None means the default [s].

        Raises:
            BehaveError: a joint is unknown, its angle is beyond its limits, or the duration is no
                positive number.
        """
        clip = pose_clip(angles, self.position(now_s), self.joints)
        settings = self._settings
        enter_s = settings.transition_s if duration_s is None else duration_s
        if not (math.isfinite(enter_s) and enter_s > 0.0):
            raise BehaveError(clip.name, f"cannot be reached in {enter_s} s; choose a time above 0")
        request = PlayRequest(1.0, True, 0.0, settings.transition_s)
        return self._start(now_s, clip, None, request, enter_s)

    def cancel(self, now_s: float, limbs: Sequence[str] | None = None) -> None:
        """End the motion of limbs, frozen or not, and take them to REST; None means all limbs.

        A limb in JOYSTICK keeps following the stick (see `release_gaze`, `release_body`).
        """
        chosen = self.joints.numbers(limbs)
        self._advance(now_s)
        ending = tuple(
            limb
            for part in self._parts
            for limb in part.limbs
            if limb in chosen
            and not (self._destination(part) == MotionState.REST and not part.clock.frozen)
            and self._destination(part) != MotionState.JOYSTICK
            and not self._is_given(part)
        )
        if ending:
            self._hand_over(tuple(sorted(ending)), self._rest(), self._settings.transition_s)

    def rest(self, now_s: float) -> None:
        """Take every limb to REST, also from JOYSTICK and from a person's hands."""
        self._advance(now_s)
        moving = tuple(
            limb
            for part in self._parts
            for limb in part.limbs
            if part.clock.frozen or self._destination(part) != MotionState.REST
        )
        if moving:
            self._hand_over(tuple(sorted(moving)), self._rest(), self._settings.transition_s)

    @property
    def idles(self) -> bool | None:
        """Whether the robot idles while it waits; None if it has no idle motion."""
        return None if self._idle is None else self._idles

    def set_idle(self, now_s: float, on: bool) -> None:
        """Turn the idle motion on or off; limbs at rest change by a transition."""
        if on == self._idles:
            return
        self._idles = on
        self._advance(now_s)
        waiting: list[int] = []
        for part in self._parts:
            if self._destination(part) != MotionState.REST:
                continue
            if part.clock.frozen:
                self._redirect(part, self._rest(), self._settings.transition_s)
            else:
                waiting += part.limbs
        if waiting:
            self._hand_over(tuple(sorted(waiting)), self._rest(), self._settings.transition_s)

    def freeze(self, now_s: float, limbs: Sequence[str] | None = None) -> tuple[str, ...]:
        """STOP limbs in mid-motion, within `freeze_s`; return the limbs that it changes."""
        return self._turn_clocks(now_s, limbs, frozen=True)

    def unfreeze(self, now_s: float, limbs: Sequence[str] | None = None) -> tuple[str, ...]:
        """Resume frozen limbs along the same path; return the limbs that it changes."""
        return self._turn_clocks(now_s, limbs, frozen=False)

    def joystick(self, now_s: float, yaw: float, pitch: float) -> bool:
        """Turn the gaze by joystick.

        Args:
            now_s: [s].
            yaw: to the robot's left [rad].
            pitch: downward [rad].

        Returns:
            False if the limb is in STOP or released, which a stream of positions does not end.

        Raises:
            BehaveError: the robot has no gaze, or an angle is not finite; nothing has changed.
        """
        gaze = self._gaze
        if gaze is None:
            raise BehaveError("gaze", "this robot has no joints that turn a gaze")
        if not (math.isfinite(yaw) and math.isfinite(pitch)):
            reason = f"yaw {yaw} and pitch {pitch} are not finite; check the stick"
            raise BehaveError("gaze", reason)
        aims = (gaze.yaw, yaw), (gaze.pitch, pitch)
        return self._steer(now_s, gaze.limb, aims, self._stick_limits, self._settings.joystick_s)

    def release_gaze(self, now_s: float) -> None:
        """End the JOYSTICK of the gaze and go to REST; a frozen limb once it is unfrozen."""
        self._advance(now_s)
        if self._gaze is not None:
            self._let_go(self._gaze.limb)

    @property
    def has_body(self) -> bool:
        """Whether the body is a limb."""
        return self._body >= 0

    def lead_body(self, now_s: float, coordinates: Sequence[float]) -> bool:
        """Lead the body by joystick.

        Args:
            now_s: [s].
            coordinates: of the body, in the order of `shows.body_limb.ROLES` [rad, m]; those
                beyond its limits lead to the limits.

        Returns:
            False if the limb is in STOP, which a stream of positions does not end.

        Raises:
            BehaveError: the body is no limb, or a coordinate is missing or not finite; nothing
                has changed.
        """
        if not self.has_body:
            raise BehaveError(KIND, "is no limb of this robot")
        if len(coordinates) != len(ROLES) or not all(map(math.isfinite, coordinates)):
            raise BehaveError(KIND, f"needs {len(ROLES)} finite coordinates; check the stick")
        aims = enumerate(coordinates, start=self._columns[self._body].start)
        limits, duration_s = self._stick_limits_body, self._settings.joystick_body_s
        return self._steer(now_s, self._body, tuple(aims), limits, duration_s)

    def release_body(self, now_s: float) -> None:
        """End the JOYSTICK of the body and go to REST; a frozen body once it is unfrozen."""
        self._advance(now_s)
        if self.has_body:
            self._let_go(self._body)

    def _steer(
        self,
        now_s: float,
        limb: int,
        aims: tuple[tuple[int, float], ...],
        limits: Floats,
        duration_s: float,
    ) -> bool:
        """Let a limb follow a stick; return False if it is in STOP or released.

        Args:
            now_s: [s].
            limb: its index.
            aims: joint, by its index in upper order, and its position; clipped to its limits.
            limits: of the follower (3, m).
            duration_s: of the transition to the stick [s].
        """
        self._advance(now_s)
        part = self._part_of(limb)
        if part.clock.frozen or self._is_given(part):
            return False
        steered = self._steered(limb)
        piece = steered or JoystickPiece(self.joints, limb, self._rest_q, limits)
        lower, upper = self.joints.lower, self.joints.upper
        for joint, position in aims:
            piece.aim(joint, min(max(position, float(lower[joint])), float(upper[joint])))
        if steered is None:
            self._hand_over((limb,), piece, duration_s)
        return True

    def _let_go(self, limb: int) -> None:
        """End the JOYSTICK of a limb."""
        if self._steered(limb) is None:
            return
        part = self._part_of(limb)
        if part.clock.frozen:
            self._redirect(part, self._rest(), self._settings.transition_s)
        else:
            self._hand_over((limb,), self._rest(), self._settings.transition_s)

    def live(self, now_s: float, limbs: Sequence[str], shift: Shift | None) -> LivePiece:
        """Let limbs follow a person, until another owner takes them; return their piece.

        The piece is aimed by its owner. A limb in STOP leaves it; a released one stays its
        person's.

        Args:
            now_s: [s].
            limbs: names of the limbs.
            shift: leads the shift of the body; None: it stays.

        Raises:
            BehaveError: the robot has no such limb.
        """
        numbers = self.joints.numbers(limbs)
        chosen = tuple(limb for limb in numbers if not self._is_given(self._part_of(limb)))
        self._advance(now_s)
        piece = LivePiece(self.joints, chosen, self._rest_q, self._settings, shift)
        if chosen:
            self._hand_over(chosen, piece, self._settings.live_s)
        return piece

    def end_live(self, now_s: float) -> None:
        """Lead the limbs that follow a person to REST; a frozen limb goes there once it resumes."""
        self._advance(now_s)
        for part in list(self._parts):
            if self._destination(part) != MotionState.LIVE:
                continue
            if part.clock.frozen:
                self._redirect(part, self._rest(), self._settings.transition_s)
            else:
                self._hand_over(part.limbs, self._rest(), self._settings.transition_s)

    def release(self, now_s: float, limbs: Sequence[str], q: Floats, gently: bool = False) -> None:
        """Give limbs away: their reference is a given position until they are taken back.

        Args:
            now_s: [s].
            limbs: names of the limbs.
            q: positions in upper order, which their owner overwrites (u) [rad].
            gently: the limbs may be in motion, and reach the position by a transition.

        Raises:
            BehaveError: the robot has no such limb.
        """
        chosen = self.joints.numbers(limbs)
        self._advance(now_s)
        piece = GivenPiece(q, {limb: self._columns[limb] for limb in chosen})
        if gently:
            self._hand_over(chosen, piece, self._settings.shortest_s)
        else:
            self._give(chosen, piece)

    def take_back(self, now_s: float, limbs: Sequence[str]) -> None:
        """Lead released limbs to REST.

        Raises:
            BehaveError: the robot has no such limb.
        """
        chosen = self.joints.numbers(limbs)
        self._advance(now_s)
        given = tuple(limb for limb in chosen if self._is_given(self._part_of(limb)))
        if given:
            self._hand_over(given, self._rest(), self._settings.transition_s)

    def position(self, now_s: float) -> Floats:
        """Return the positions of a time before they are bent away from the limits (u) [rad]."""
        self._advance(now_s)
        q: Floats = self._raw[0]
        return q

    def unbend(self, q: Floats) -> Floats:
        """Return the positions that are bent away from the limits to these (u) [rad]."""
        return self._limits.unbend(q)

    def state(self, limb: str) -> MotionState:
        """Return the state of a limb at the last update."""
        return self._part_of(self.joints.numbers((limb,))[0]).state

    def playing(self, limb: str) -> tuple[str, float] | None:
        """Return the clip that owns a limb and the time within it [s], or None."""
        piece = self._part_of(self.joints.numbers((limb,))[0]).piece
        return (piece.clip.name, piece.phase_s) if isinstance(piece, ClipPiece) else None

    def acts(self, limb: int) -> bool:
        """Return whether a limb, by its index, does anything but rest; a robot may lack it (-1)."""
        return limb >= 0 and bool(self._reference.states[limb] != MotionState.REST)

    def gestures(self) -> tuple[str, ...]:
        """Return the clip that each limb plays or is in transition to; empty names if none."""
        names = [""] * len(self._all)
        for part in self._parts:
            piece = part.piece
            if isinstance(piece, TransitionPiece):
                piece = piece.then
            if isinstance(piece, ClipPiece):
                for limb in part.limbs:
                    names[limb] = piece.clip.name
        return tuple(names)

    def _advance(self, now_s: float) -> None:
        """Bring `_raw` to a time [s], with every hand-over at its exact time."""
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
        """Give a part whose piece has ended to the next piece, at the exact time of the end."""
        piece = part.piece
        if isinstance(piece, TransitionPiece):
            part.give(piece.then)
        elif isinstance(piece, ClipPiece):
            self._redirect(part, self._rest(), piece.leave_s, at_s=piece.end_s)

    def _redirect(
        self, part: Part, then: Piece, duration_s: float, at_s: float | None = None
    ) -> None:
        """Lead a part to another piece on its own clock, so that a frozen part stays frozen."""
        at_s = part.clock.motion_s if at_s is None else at_s
        part.piece.evaluate(at_s)
        start = np.zeros((2, len(self.joints)))
        for limb in part.limbs:
            start[:, self._columns[limb]] = part.piece.block[:2, part.piece.columns[limb]]
        part.give(self._transition(part.limbs, start, at_s, then, duration_s))

    def _hand_over(self, limbs: tuple[int, ...], then: Piece, duration_s: float) -> None:
        """Take limbs from their owners and lead them to another, starting now."""
        start = self._raw[:2].copy()
        self._give(limbs, self._transition(limbs, start, self._now_s, then, duration_s))

    def _give(self, limbs: tuple[int, ...], piece: Piece) -> None:
        """Take limbs from their owners and give them to another, now."""
        for part in self._parts:
            left = tuple(limb for limb in part.limbs if limb not in limbs)
            if left != part.limbs:
                part.keep(left)
        self._parts = [part for part in self._parts if part.limbs]
        clock = MotionClock()
        clock.advance(self._now_s)
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
        """Return the Hermite from `start` (2, u) to the state of `then` when it ends."""
        settings = self._settings
        mask = np.zeros(len(self.joints), dtype=np.bool_)
        for limb in limbs:
            mask[self._columns[limb]] = True
        knots = np.zeros((4, len(self.joints)))
        knots[:2] = np.where(mask, start, 0.0)
        duration_s = max(duration_s, settings.shortest_s)
        while True:
            # The target may be moving: its state depends on the duration.
            end_s = begin_s + duration_s
            then.begin(end_s)
            then.evaluate(end_s)
            for limb in limbs:
                knots[2:, self._columns[limb]] = then.block[:2, then.columns[limb]]
            path = path_between(knots, duration_s, self._bounds)
            needed_s = sum(segment.duration_s for segment in path)
            if needed_s <= duration_s * (1.0 + 1e-9):
                columns = {limb: self._columns[limb] for limb in limbs}
                return TransitionPiece(path, begin_s, end_s, columns, then)
            duration_s = needed_s

    def _turn_clocks(
        self, now_s: float, limbs: Sequence[str] | None, frozen: bool
    ) -> tuple[str, ...]:
        """Freeze or resume the clocks of limbs; return the names of those that it changes."""
        chosen = self.joints.numbers(limbs)
        self._advance(now_s)
        turned: list[int] = []
        for part in list(self._parts):
            meant = tuple(limb for limb in part.limbs if limb in chosen)
            if not meant or part.clock.frozen == frozen or self._is_given(part):
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
        return self._names(sorted(turned))

    def _names(self, limbs: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.joints.limbs[limb].name for limb in limbs)

    def _settle(self) -> None:
        """Join the parts at rest whose clocks show real time, and write every limb's state."""
        shared: Part | None = None
        for part in list(self._parts):
            if isinstance(part.piece, RestPiece) and part.clock.is_real_time:
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
        return RestPiece(self._rest_q, self._idle if self._idles else None, self._columns)

    def _part_of(self, limb: int) -> Part:
        """Return the one part that owns a limb."""
        return next(part for part in self._parts if limb in part.limbs)

    def _destination(self, part: Part) -> MotionState:
        """Return the state of a part, or the one that its transition leads to."""
        piece = part.piece
        return piece.then.state if isinstance(piece, TransitionPiece) else piece.state

    def _is_given(self, part: Part) -> bool:
        """Return whether the limbs of a part are released, or about to be."""
        piece = part.piece
        if isinstance(piece, TransitionPiece):
            piece = piece.then
        return isinstance(piece, GivenPiece)

    def _steered(self, limb: int) -> JoystickPiece | None:
        """Return the joystick's piece if it owns a limb or is about to."""
        piece = self._part_of(limb).piece
        if isinstance(piece, TransitionPiece):
            piece = piece.then
        return piece if isinstance(piece, JoystickPiece) else None

    def _blend(self, name: str, blend_s: float | None) -> float:
        if blend_s is None:
            return self._settings.transition_s
        if not math.isfinite(blend_s) or blend_s < 0.0:
            raise BehaveError(name, f"has a blend of {blend_s} s; choose 0.3 to 2 s")
        return min(blend_s, self._settings.longest_s)
