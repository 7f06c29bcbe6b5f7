"""Limbs that a person moves: which are limp, floating or held, and the law of a floating joint.

A floating joint is held against gravity by a torque and against drift by a bristle (a spring of
the joint's own stiffness from an anchor that slips): POSER paper, equation 12, with the sign of
the gravity torque corrected, and with the bristle added, so that a wrong mass does not make the
limb drift and a stale command leaves it where it is.
"""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from core.behave.joints import UpperJoints
from core.behave.manager import MotionManager
from core.behave.settings import FloatingSettings
from core.compiled import compiled
from core.records import Record, record_of
from devices.interface import Bools, Floats, JointCommand
from shows.limbs import LimbFeel, LimbFreedom

Freedoms = npt.NDArray[np.int8]


class Freedom(IntEnum):
    """The freedom of a limb."""

    DRIVEN = 0  # behaviour moves it: rest, gestures, joystick
    HELD = 1  # it stays where it is
    FLOATING = 2  # a person moves it, and it stays where it is left
    LIMP = 3  # without torque

    @property
    def word(self) -> LimbFreedom:
        """Its name in messages and files."""
        return FREEDOMS[self]


FREEDOMS: tuple[LimbFreedom, ...] = ("driven", "held", "floating", "limp")
_DRIVEN, _HELD, _FLOATING, _LIMP = (int(freedom) for freedom in Freedom)


@compiled
def follow(freedom: Freedoms, q: Floats, constants: Record, band: Floats, anchor: Floats) -> None:
    """Move the anchors of floating and limp joints after the joints.

    Args:
        freedom: of each joint; a floating joint that cannot be moved by hand counts as held (u).
        q: measured positions of all joints (n) [rad].
        constants: `index` of each joint in `q` (u), `lower` and `upper`, where the walls begin
            (u) [rad], `step`, the largest motion of an anchor in a tick [rad], and `brake`, the
            distance from a wall from which on it brakes [rad].
        band: largest distance of an anchor from its joint (u) [rad].
        anchor: anchors (u) [rad].
    """
    given = constants[0]
    for i in range(freedom.size):
        at = q[given.index[i]]
        if freedom[i] == _LIMP:
            anchor[i] = at
        elif freedom[i] == _FLOATING:
            near = min(max(anchor[i], at - band[i]), at + band[i])
            near = min(max(near, given.lower[i]), given.upper[i])
            # A limb that is torn away yields slowly, and slower toward a wall: the springs of its
            # joints brake it, and it does not jerk the body.
            way = near - anchor[i]
            room = given.upper[i] - anchor[i] if way > 0.0 else anchor[i] - given.lower[i]
            step = given.step * min(1.0, max(0.0, room) / given.brake)
            anchor[i] += min(max(way, -step), step)


@compiled
def loosen(
    freedom: Freedoms,
    measured: Floats,
    gravity: Floats,
    constants: Record,
    anchor: Floats,
    q: Floats,
    dq: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
) -> None:
    """Replace the command of floating and limp joints.

    Args:
        freedom: as in `follow` (u).
        measured: measured positions of all joints (n) [rad].
        gravity: torques that hold the joints against gravity (n) [N·m].
        constants: as in `follow`, with `kp` (u) [N·m/rad], `kd`, and `wall_kd` at a wall (u)
            [N·m·s/rad], and `servo`, 1 for an actuator that takes no torque (u).
        anchor: anchors (u) [rad].
        q: commanded positions of all joints, changed in place (n) [rad].
        dq: commanded velocities, changed in place (n) [rad/s].
        tau: torques, changed in place (n) [N·m].
        kp: stiffness, changed in place (n) [N·m/rad].
        kd: damping, changed in place (n) [N·m·s/rad].
    """
    given = constants[0]
    for i in range(freedom.size):
        at = given.index[i]
        if freedom[i] == _LIMP:
            q[at] = measured[at]
            dq[at] = tau[at] = kp[at] = kd[at] = 0.0
        elif freedom[i] == _FLOATING:
            q[at], dq[at], tau[at] = anchor[i], 0.0, gravity[at]
            room = min(anchor[i] - given.lower[i], given.upper[i] - anchor[i])
            near = 1.0 - min(1.0, max(0.0, room) / given.brake)
            kp[at], kd[at] = given.kp[i], given.kd[i] + near * (given.wall_kd[i] - given.kd[i])
            if given.servo[i] > 0.0:
                q[at] += tau[at] / kp[at]
                tau[at] = 0.0


class Floating:
    """Owns the freedom of each limb and the anchors of its joints.

    Args:
        manager: the limbs' owner; it gives up the limbs that are not driven.
        settings: of the law.
        kp: stiffness of all joints (n) [N·m/rad].
        kd: damping of all joints (n) [N·m·s/rad].
        gravity: largest torque of gravity on each joint in any posture (n) [N·m].
        fixed: joints that cannot be moved by hand, because of their gear (n).
        servos: joints whose actuators take no torque (n).
        measured: measured positions of all joints, which their owner overwrites (n) [rad].
        tick_s: period of the control loop [s].
        grips: names of the limbs whose load can be entered.

    Attributes:
        freedoms: freedom of each limb (l).
        feel: resistance of the floating limbs.
        anchor: anchors of the joints, in upper order (u) [rad].
        grips: names of the limbs whose load can be entered.
        largest_load_kg: that can be entered [kg].
    """

    def __init__(
        self,
        manager: MotionManager,
        settings: FloatingSettings,
        kp: Floats,
        kd: Floats,
        gravity: Floats,
        fixed: Bools,
        servos: Bools,
        measured: Floats,
        tick_s: float,
        grips: tuple[str, ...] = (),
    ) -> None:
        self._manager, self._settings = manager, settings
        self._measured, self.grips = measured, grips
        self.largest_load_kg = settings.largest_load_kg
        self._joints: UpperJoints = manager.joints
        joints = self._joints
        own = joints.joint_count  # nobody can lead the coordinates of the body by hand
        index = np.array(joints.table_index[:own], dtype=np.intp)
        self._kp, self._gravity, self._fixed = kp[index], gravity[index], fixed[index]
        self._constants = record_of(
            index=index,
            lower=joints.lower[:own] + settings.wall_rad,
            upper=joints.upper[:own] - settings.wall_rad,
            kp=self._kp,
            kd=np.where(servos[index], 0.0, settings.damping * kd[index]),
            wall_kd=kd[index],
            step=settings.yield_speed * tick_s,
            brake=settings.yield_speed * settings.brake_s,
            servo=servos[index].astype(np.float64),
        )
        self.freedoms = [Freedom.DRIVEN] * len(joints.limbs)
        self.feel: LimbFeel = "normal"
        self.anchor: Floats = np.zeros(len(joints))
        self._index = index
        self._freedom: Freedoms = np.zeros(own, dtype=np.int8)
        self._band: Floats = np.zeros(own)
        self._set_feel(self.feel)
        # Compile the kernels now: limbs are released while the robot stands.
        nothing = np.zeros(kp.size)
        self.follow()
        self.apply(JointCommand.zeros(kp.size), nothing)

    @property
    def active(self) -> bool:
        """Some limb is not driven by behaviour."""
        return any(self.freedoms)

    def movable(self, limb: str) -> bool:
        """Return whether a person can move some joint of a limb against its gear."""
        (number,) = self._joints.numbers((limb,))
        return not self._fixed[self._joints.columns[number]].all()

    def choose(self, now_s: float, freedoms: Mapping[str, Freedom], feel: LimbFeel) -> None:
        """Set the freedom of limbs; the others keep theirs.

        Args:
            now_s: [s].
            freedoms: freedom of limbs by name.
            feel: resistance of all floating limbs.

        Raises:
            BehaveError: the robot has no such limb; nothing has changed.
        """
        chosen = {self._joints.numbers((limb,))[0]: freedom for limb, freedom in freedoms.items()}
        self._set_feel(feel)
        for limb, freedom in chosen.items():
            before = self.freedoms[limb]
            if freedom is before:
                continue
            self.freedoms[limb] = freedom
            columns = self._joints.columns[limb]
            self._freedom[columns] = np.where(
                self._fixed[columns] & (freedom is Freedom.FLOATING), _HELD, freedom
            )
            name = self._joints.limbs[limb].name
            if freedom is Freedom.DRIVEN:
                self._manager.take_back(now_s, (name,))
                continue
            if before is Freedom.DRIVEN:
                self.anchor[columns] = self._manager.position(now_s)[columns]
                moving = freedom is Freedom.HELD
                self._manager.release(now_s, (name,), self.anchor, gently=moving)
            elif freedom is Freedom.HELD:
                self.anchor[columns] = self._manager.unbend(self.anchor)[columns]
        self.follow()

    def hold(self, now_s: float) -> tuple[str, ...]:
        """Hold every floating or limp limb where it is; return their names.

        A limb that went to rest would pull at a hand. The limbs that behaviour moves go there.
        """
        loose = {
            limb.name: Freedom.HELD
            for limb, freedom in zip(self._joints.limbs, self.freedoms, strict=True)
            if freedom in (Freedom.FLOATING, Freedom.LIMP)
        }
        self.choose(now_s, loose, self.feel)
        self._manager.cancel(now_s)
        self._manager.sticks.release_gaze(now_s)
        return tuple(loose)

    def forget(self) -> None:
        """Give every limb back to behaviour, whose manager takes them when it is told to."""
        self.freedoms = [Freedom.DRIVEN] * len(self.freedoms)
        self._freedom.fill(_DRIVEN)

    def follow(self) -> None:
        """Move the anchors after the measured positions."""
        follow(self._freedom, self._measured, self._constants, self._band, self.anchor)

    def apply(self, command: JointCommand, gravity: Floats) -> None:
        """Replace the command of floating and limp joints.

        Args:
            command: of all joints, changed in place.
            gravity: torques that hold the joints against gravity (n) [N·m].
        """
        loosen(
            self._freedom,
            self._measured,
            gravity,
            self._constants,
            self.anchor,
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
        )

    def _set_feel(self, feel: LimbFeel) -> None:
        self.feel = feel
        share: float = getattr(self._settings, feel)
        self._band[:] = share * self._gravity / self._kp
