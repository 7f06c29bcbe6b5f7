"""The motion manager: one five-state machine for each limb, one owner for each limb.

Kid Cosmo paper, III-D: REST, ACTION, TRANSITION, STOP, JOYSTICK; and LIVE.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.behave.casting import FASTEST, SLOWEST, PlayRequest, cast, limbs_of, pose_clip
from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.idle import IdleMotion
from core.behave.idle_settings import Idle
from core.behave.joints import UpperJoints
from core.behave.limits import SoftLimits
from core.behave.live import LivePiece, Shift
from core.behave.ownership import Ownership, destination, is_given, owner
from core.behave.pieces import ClipPiece, GivenPiece, RestPiece
from core.behave.reference import MotionState, UpperReference
from core.behave.settings import MotionSettings
from core.behave.sticks import Sticks
from core.behave.variety import Variety, Vary
from devices.interface import Floats
from shows.body_limb import KIND
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

    Attributes:
        joints: the robot's joints, limbs and limits.
        sticks: lead the gaze and the body by joystick.
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
        self._idle: IdleMotion | None = None
        if idle is not None:
            gaze = self.joints.gaze
            turning = None if gaze is None else (gaze.yaw, gaze.pitch)
            self._idle = IdleMotion(idle, self.joints.index, turning, seed)
        self._idles = True
        self._variety = Variety(seed, settings)
        self._reach = np.stack((self.joints.lower, self.joints.upper))
        self._limits = self._soft_limits()
        self._columns = dict(enumerate(self.joints.columns))
        self._owners = Ownership(self.joints, settings, self._rest)
        self.sticks = Sticks(self.joints, self._rest_q, settings, self._owners)
        self._all = tuple(range(len(self.joints.limbs)))
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
            self._owners.states,
        )

    def update(self, now_s: float) -> UpperReference:
        """Return the reference of the upper body at a time [s]; the next update overwrites it."""
        self._owners.advance(now_s)
        raw, turn = self._owners.raw, self._turn
        if turn is not None:
            np.copyto(self._whole, raw)
            raw = self._whole
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
        self._owners.keep_within(*self._reach)

    def _soft_limits(self) -> SoftLimits:
        settings = self._settings
        lower, upper = self._reach
        return SoftLimits(lower, upper, settings.limit_margin, settings.limit_band)

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
        self._owners.advance(now_s)
        body = np.zeros(len(self.joints) - q.size)
        self._owners.raw[0] = self._limits.unbend(np.append(q, body))
        self._owners.raw[1:] = 0.0
        self._owners.hand_over(self._all, self._rest(), self._settings.transition_s)

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
        chosen = tuple(limb for limb in chosen if not is_given(self._owners.part_of(limb)))
        chosen = tuple(limb for limb in chosen if self._owners.steered(limb) is None)
        if not chosen:
            return ()
        piece = cast(clip, chosen, request, self.joints, self._rest_q, self._owners.fastest)
        self._owners.advance(now_s)
        self._owners.hand_over(chosen, piece, enter_s)
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

        A limb in JOYSTICK keeps following the stick (see `sticks`).
        """
        chosen = self.joints.numbers(limbs)
        self._owners.advance(now_s)
        ending = tuple(
            limb
            for part in self._owners.parts
            for limb in part.limbs
            if limb in chosen
            and not (destination(part) == MotionState.REST and not part.clock.frozen)
            and destination(part) != MotionState.JOYSTICK
            and not is_given(part)
        )
        if ending:
            self._owners.hand_over(tuple(sorted(ending)), self._rest(), self._settings.transition_s)

    def rest(self, now_s: float) -> None:
        """Take every limb to REST, also from JOYSTICK and from a person's hands."""
        self._owners.advance(now_s)
        moving = tuple(
            limb
            for part in self._owners.parts
            for limb in part.limbs
            if part.clock.frozen or destination(part) != MotionState.REST
        )
        if moving:
            self._owners.hand_over(tuple(sorted(moving)), self._rest(), self._settings.transition_s)

    @property
    def idles(self) -> bool | None:
        """Whether the robot idles while it waits; None if it has no idle motion."""
        return None if self._idle is None else self._idles

    def set_idle(self, now_s: float, on: bool) -> None:
        """Turn the idle motion on or off; limbs at rest change by a transition."""
        if on == self._idles:
            return
        self._idles = on
        self._owners.advance(now_s)
        waiting: list[int] = []
        for part in self._owners.parts:
            if destination(part) != MotionState.REST:
                continue
            if part.clock.frozen:
                self._owners.end(part)
            else:
                waiting += part.limbs
        if waiting:
            self._owners.hand_over(
                tuple(sorted(waiting)), self._rest(), self._settings.transition_s
            )

    def freeze(self, now_s: float, limbs: Sequence[str] | None = None) -> tuple[str, ...]:
        """STOP limbs in mid-motion, within `freeze_s`; return the limbs that it changes."""
        return self._turn_clocks(now_s, limbs, frozen=True)

    def unfreeze(self, now_s: float, limbs: Sequence[str] | None = None) -> tuple[str, ...]:
        """Resume frozen limbs along the same path; return the limbs that it changes."""
        return self._turn_clocks(now_s, limbs, frozen=False)

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
        chosen = tuple(limb for limb in numbers if not is_given(self._owners.part_of(limb)))
        self._owners.advance(now_s)
        piece = LivePiece(self.joints, chosen, self._rest_q, self._settings, shift)
        if chosen:
            self._owners.hand_over(chosen, piece, self._settings.live_s)
        return piece

    def end_live(self, now_s: float) -> None:
        """Lead the limbs that follow a person to REST; a frozen limb goes there once it resumes."""
        self._owners.advance(now_s)
        for part in list(self._owners.parts):
            if destination(part) == MotionState.LIVE:
                self._owners.end(part)

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
        self._owners.advance(now_s)
        piece = GivenPiece(q, {limb: self._columns[limb] for limb in chosen})
        if gently:
            self._owners.hand_over(chosen, piece, self._settings.shortest_s)
        else:
            self._owners.give(chosen, piece)

    def take_back(self, now_s: float, limbs: Sequence[str]) -> None:
        """Lead released limbs to REST.

        Raises:
            BehaveError: the robot has no such limb.
        """
        chosen = self.joints.numbers(limbs)
        self._owners.advance(now_s)
        given = tuple(limb for limb in chosen if is_given(self._owners.part_of(limb)))
        if given:
            self._owners.hand_over(given, self._rest(), self._settings.transition_s)

    def position(self, now_s: float) -> Floats:
        """Return the positions of a time before they are bent away from the limits (u) [rad]."""
        self._owners.advance(now_s)
        q: Floats = self._owners.raw[0]
        return q

    def unbend(self, q: Floats) -> Floats:
        """Return the positions that are bent away from the limits to these (u) [rad]."""
        return self._limits.unbend(q)

    def state(self, limb: str) -> MotionState:
        """Return the state of a limb at the last update."""
        return self._owners.part_of(self.joints.numbers((limb,))[0]).state

    def playing(self, limb: str) -> tuple[str, float] | None:
        """Return the clip that owns a limb and the time within it [s], or None."""
        piece = self._owners.part_of(self.joints.numbers((limb,))[0]).piece
        return (piece.clip.name, piece.phase_s) if isinstance(piece, ClipPiece) else None

    def acts(self, limb: int) -> bool:
        """Return whether a limb, by its index, does anything but rest; a robot may lack it (-1)."""
        return limb >= 0 and bool(self._reference.states[limb] != MotionState.REST)

    def gestures(self) -> tuple[str, ...]:
        """Return the clip that each limb plays or is in transition to; empty names if none."""
        names = [""] * len(self._all)
        for part in self._owners.parts:
            piece = owner(part)
            if isinstance(piece, ClipPiece):
                for limb in part.limbs:
                    names[limb] = piece.clip.name
        return tuple(names)

    def _turn_clocks(
        self, now_s: float, limbs: Sequence[str] | None, frozen: bool
    ) -> tuple[str, ...]:
        chosen = self.joints.numbers(limbs)
        self._owners.advance(now_s)
        return self._names(self._owners.turn_clocks(chosen, frozen))

    def _names(self, limbs: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.joints.limbs[limb].name for limb in limbs)

    def _rest(self) -> RestPiece:
        return RestPiece(self._rest_q, self._idle if self._idles else None, self._columns)

    def _blend(self, name: str, blend_s: float | None) -> float:
        if blend_s is None:
            return self._settings.transition_s
        if not math.isfinite(blend_s) or blend_s < 0.0:
            raise BehaveError(name, f"has a blend of {blend_s} s; choose 0.3 to 2 s")
        return min(blend_s, self._settings.longest_s)
