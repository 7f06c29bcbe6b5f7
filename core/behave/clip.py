"""A motion as arrays that are ready to play, and its binary format on the link."""

import struct
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from core.behave.errors import BehaveError
from core.behave.hermite import fill_basis, new_basis, peak_velocity
from core.behave.joints import UpperJoints
from devices.interface import Floats
from shows.motion import Motion

MAGIC = b"FLCLIP1\0"
HEADER = struct.Struct("<8sdIHH")
MAX_KNOTS = 200_000
MAX_POSITION_RAD = 10.0
MAX_VELOCITY_RAD_S = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """Positions and velocities at even times, joined by cubic Hermite segments (C¹).

    Attributes:
        name: of the motion.
        joints: the m joints that it moves, as ascending columns of the upper order.
        rate_hz: rate of the knots [Hz].
        knots: position and velocity of each knot (2k, m) [rad], [rad/s], read-only.
        peak_velocity: largest speed of each joint anywhere in the clip (m) [rad/s].

    Raises:
        BehaveError: the arrays do not fit together, or hold values that no joint can follow.
    """

    name: str
    joints: tuple[int, ...]
    rate_hz: float
    knots: Floats = field(repr=False)
    peak_velocity: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the arrays and find the peak velocities."""
        object.__setattr__(self, "knots", np.ascontiguousarray(self.knots))
        rows, columns = self.knots.shape
        if rows < 4 or rows % 2 or columns != len(self.joints) or columns == 0:
            reason = f"has knots of shape {self.knots.shape} for {len(self.joints)} joints"
            raise BehaveError(self.name, f"{reason}; give at least 2 samples of every joint")
        ascending = all(a < b for a, b in zip(self.joints, self.joints[1:], strict=False))
        if not ascending or self.joints[0] < 0:
            raise BehaveError(self.name, "lists a joint twice or out of order; sort its joints")
        if not (np.isfinite(self.rate_hz) and 0.01 <= self.rate_hz <= 10_000.0):
            raise BehaveError(self.name, f"has {self.rate_hz} samples a second; resample it")
        # Written so that NaN fails it too.
        if not (np.abs(self.q) <= MAX_POSITION_RAD).all():
            raise BehaveError(
                self.name, f"has a position beyond {MAX_POSITION_RAD:g} rad; correct it"
            )
        if not (np.abs(self.dq) <= MAX_VELOCITY_RAD_S).all():
            raise BehaveError(
                self.name, f"is faster than {MAX_VELOCITY_RAD_S:g} rad/s; slow it down"
            )
        h = 1.0 / self.rate_hz
        peak = peak_velocity(self.q[:-1], self.dq[:-1], self.q[1:], self.dq[1:], h).max(axis=0)
        self.knots.setflags(write=False)
        object.__setattr__(self, "peak_velocity", peak)

    @property
    def q(self) -> Floats:
        """Positions at the knots (k, m) [rad]."""
        return self.knots[0::2]

    @property
    def dq(self) -> Floats:
        """Velocities at the knots (k, m) [rad/s]."""
        return self.knots[1::2]

    @property
    def duration_s(self) -> float:
        """Time from the first to the last knot [s]."""
        return (len(self.knots) // 2 - 1) / self.rate_hz

    @classmethod
    def from_motion(cls, motion: Motion, upper_joint_names: tuple[str, ...]) -> Self:
        """Return a motion's clip; velocities are second-order differences of its samples.

        Args:
            motion: the motion.
            upper_joint_names: the joints in upper order.

        Raises:
            BehaveError: the motion moves a joint that is not in the upper body.
        """
        index = {name: i for i, name in enumerate(upper_joint_names)}
        unknown = [name for name in motion.joint_names if name not in index]
        if unknown:
            reason = f"moves {unknown[0]}, which no limb of this robot has; remove it"
            raise BehaveError(motion.name, reason)
        order = sorted(range(len(motion.joint_names)), key=lambda i: index[motion.joint_names[i]])
        joints = tuple(index[motion.joint_names[i]] for i in order)
        return cls.from_positions(motion.name, joints, motion.rate_hz, motion.positions[:, order])

    @classmethod
    def from_positions(
        cls, name: str, joints: tuple[int, ...], rate_hz: float, positions: Floats
    ) -> Self:
        """Return the clip through positions (k, m) [rad] at even times."""
        q = np.asarray(positions, dtype=np.float64)
        dq = np.empty_like(q)
        if len(q) > 2:
            half_rate = 0.5 * rate_hz
            dq[1:-1] = (q[2:] - q[:-2]) * half_rate
            dq[0] = (4.0 * q[1] - 3.0 * q[0] - q[2]) * half_rate
            dq[-1] = (3.0 * q[-1] - 4.0 * q[-2] + q[-3]) * half_rate
        else:
            dq[:] = (q[-1] - q[0]) * rate_hz
        return cls(name, joints, rate_hz, _interleave(q, dq))

    @classmethod
    def pose(cls, name: str, joints: tuple[int, ...], q: Floats, length_s: float) -> Self:
        """Return a clip that holds one pose (m) [rad] for a time [s]."""
        if not (np.isfinite(length_s) and 1e-3 <= length_s <= 100.0):
            raise BehaveError(name, f"cannot be held for {length_s} s; choose 0.001 to 100 s")
        knots = np.zeros((4, len(joints)))
        knots[0::2] = q
        return cls(name, joints, 1.0 / length_s, knots)

    def sample(self, t: float, q_out: Floats, dq_out: Floats, ddq_out: Floats) -> None:
        """Write position, velocity and acceleration (m) at a time [s]; the ends are held."""
        basis, flat = new_basis()
        row, s = self.locate(t)
        fill_basis(flat, s, 1.0 / self.rate_hz, 1.0)
        q_out[:], dq_out[:], ddq_out[:] = np.dot(basis, self.knots[row : row + 4])

    def locate(self, t: float) -> tuple[int, float]:
        """Return the row of the knot before a time [s], and the share of that segment, 0 to 1."""
        knot = t * self.rate_hz
        last = len(self.knots) // 2 - 2
        segment = min(max(int(knot), 0), last)
        return 2 * segment, min(max(knot - segment, 0.0), 1.0)

    def mirrored(self, joints: UpperJoints) -> Self:
        """Return the mirror image: the sides swap, and some joints of centre limbs change sign.

        Raises:
            BehaveError: a joint has no counterpart on the other side.
        """
        partners = [joints.mirror[joint] for joint in self.joints]
        for joint, partner in zip(self.joints, partners, strict=True):
            if partner < 0:
                reason = f"cannot be mirrored: {joints.names[joint]} has no counterpart"
                raise BehaveError(self.name, reason)
        signs = np.array([joints.mirror_sign[joint] for joint in self.joints])
        order = sorted(range(len(partners)), key=lambda i: partners[i])
        columns = tuple(partners[i] for i in order)
        return self._derive(columns, (self.knots * signs)[:, order], self.peak_velocity[order])

    def looped(self, velocity_limit: Floats, seam_s: float = 0.5) -> Self:
        """Return a clip whose end equals its beginning, in position and velocity.

        A Hermite segment leads a motion that does not end in its first pose back to it.

        Args:
            velocity_limit: largest speeds in that segment (m) [rad/s].
            seam_s: its shortest duration [s].
        """
        q, dq = self.q.copy(), self.dq.copy()
        h = 1.0 / self.rate_hz
        if np.abs(q[-1] - q[0]).max() < 1e-4:
            q[-1] = q[0]
            dq[0] = dq[-1] = (q[1] - q[-2]) / (2.0 * h)
            return type(self)(self.name, self.joints, self.rate_hz, _interleave(q, dq))
        count = max(2, int(np.ceil(seam_s / h)))
        allowed = np.maximum(velocity_limit, np.maximum(np.abs(dq[0]), np.abs(dq[-1])))
        while (peak_velocity(q[-1], dq[-1], q[0], dq[0], count * h) > allowed).any():
            count += max(1, count // 10)
            if count * h > 10.0:
                break
        basis, flat = new_basis()
        ends = np.stack([q[-1], dq[-1], q[0], dq[0]])
        bridge = np.empty((count, 2, len(self.joints)))
        for i in range(1, count + 1):
            fill_basis(flat, i / count, count * h, 1.0)
            bridge[i - 1] = (basis @ ends)[:2]
        q = np.concatenate([q, bridge[:, 0]])
        dq = np.concatenate([dq, bridge[:, 1]])
        return type(self)(self.name, self.joints, self.rate_hz, _interleave(q, dq))

    def covering(self, joints: tuple[int, ...], rest_q: Floats) -> Self:
        """Return the clip for exactly these columns; joints that it does not move stay at rest.

        Args:
            joints: ascending columns of the upper order.
            rest_q: rest posture in upper order (u) [rad].
        """
        if joints == self.joints:
            return self
        knots = np.zeros((len(self.knots), len(joints)))
        knots[0::2] = rest_q[list(joints)]
        peak = np.zeros(len(joints))
        here = [column for column, joint in enumerate(joints) if joint in self.joints]
        there = [self.joints.index(joints[column]) for column in here]
        knots[:, here] = self.knots[:, there]
        peak[here] = self.peak_velocity[there]
        return self._derive(joints, knots, peak)

    def extended(self, knots: Floats, peak_velocity: Floats) -> Self:
        """Return the whole clip of which this is a part, whose knots were checked part by part.

        Args:
            knots: all knots (2k, m), as of this clip.
            peak_velocity: largest speed of each joint in all parts (m) [rad/s].
        """
        return self._derive(self.joints, knots, peak_velocity)

    def _derive(self, joints: tuple[int, ...], knots: Floats, peak_velocity: Floats) -> Self:
        """Return a clip of checked columns without a second check, to save time in the tick."""
        derived = object.__new__(type(self))
        for name, value in (
            ("name", self.name),
            ("joints", joints),
            ("rate_hz", self.rate_hz),
            ("knots", np.ascontiguousarray(knots)),
            ("peak_velocity", peak_velocity),
        ):
            object.__setattr__(derived, name, value)
        derived.knots.setflags(write=False)
        return derived

    def to_bytes(self) -> bytes:
        """Return the clip for the link: header, name, joints, padding to 8, knots (float64)."""
        name = self.name.encode()
        head = HEADER.pack(MAGIC, self.rate_hz, len(self.knots), len(self.joints), len(name))
        head += name + bytes(self.joints)
        return head + bytes(-len(head) % 8) + np.ascontiguousarray(self.knots).tobytes()

    @classmethod
    def from_bytes(cls, data: bytes | memoryview, upper_count: int) -> Self:
        """Read a clip without copying its arrays.

        Args:
            data: the output of `to_bytes`; must outlive the clip.
            upper_count: number of joints in upper order.

        Raises:
            BehaveError: the bytes are not a complete and valid clip of this robot.
        """
        if len(data) < HEADER.size:
            raise BehaveError("clip", "is cut short; send it again")
        magic, rate_hz, rows, columns, name_length = HEADER.unpack_from(data)
        if magic != MAGIC or rows > 2 * MAX_KNOTS or not 1 <= columns <= upper_count:
            raise BehaveError("clip", "is not a clip of this robot; prepare the show again")
        body = HEADER.size + name_length + columns
        start = body + -body % 8
        if len(data) != start + rows * columns * 8:
            raise BehaveError(
                "clip", f"has {len(data)} bytes, not those that its header states; send it again"
            )
        try:
            name = bytes(data[HEADER.size : HEADER.size + name_length]).decode()
        except UnicodeDecodeError as error:
            raise BehaveError("clip", "has a name that is not UTF-8; rename it") from error
        joints = tuple(bytes(data[HEADER.size + name_length : body]))
        if max(joints) >= upper_count:
            raise BehaveError(name, "moves a joint that this robot does not have; prepare it again")
        numbers: npt.NDArray[np.float64] = np.frombuffer(data, "<f8", rows * columns, start)
        return cls(name, joints, rate_hz, numbers.reshape(rows, columns))


def _interleave(q: Floats, dq: Floats) -> Floats:
    """Return knots (2k, m) of positions and velocities (k, m)."""
    knots = np.empty((2 * len(q), q.shape[1]))
    knots[0::2] = q
    knots[1::2] = dq
    return knots
