"""Joints that follow another, and the motors that turn several hinges at once."""

from typing import Any

import mujoco
import numpy as np

from devices.errors import DeviceError
from devices.interface import Floats
from devices.sim.settings import Transmission

_FORM = 2  # first coefficients of a coupling: offset and ratio


class Couplings:
    """The `equality/joint` constraints of a model, and the torque that each hinge gets.

    MuJoCo holds the coupling by a constraint. A motor that turns both hinges of a rolling contact
    loads that constraint little, and the hinges part by less than a microradian.

    Attributes:
        count: joints that follow another.
    """

    def __init__(
        self, model: Any, joints: Any, names: tuple[str, ...], motors: tuple[Transmission, ...]
    ) -> None:
        """Read the couplings of a compiled model.

        Args:
            model: MuJoCo's model.
            joints: ids of the independent joints (n).
            names: of these joints (n).
            motors: transmissions; a motor that is not named turns its own joint only.

        Raises:
            DeviceError: a coupling is not proportional, or a transmission does not fit the model.
        """
        numbers = [
            number
            for number in range(model.neq)
            if model.eq_type[number] == mujoco.mjtEq.mjEQ_JOINT
        ]
        followers = model.eq_obj1id[numbers].astype(np.intp)
        primaries = model.eq_obj2id[numbers].astype(np.intp)
        data = model.eq_data[numbers]
        self.count = len(numbers)
        if data[:, 0].any() or data[:, _FORM:5].any() or (primaries < 0).any():
            raise DeviceError("simulator", "a coupling of joints is not proportional; correct it")
        self._ratio: Floats = data[:, 1].copy()
        self._q = model.jnt_qposadr[np.array([followers, primaries])].astype(np.intp)
        self._v = model.jnt_dofadr[np.array([followers, primaries])].astype(np.intp)
        ratios = {
            int(model.jnt_dofadr[follower]): (int(primary), float(ratio))
            for follower, primary, ratio in zip(followers, primaries, self._ratio, strict=True)
        }
        places = {int(joint): place for place, joint in enumerate(joints)}
        dofs: list[int] = []
        drivers: list[int] = []
        shares: list[float] = []
        for motor in motors:
            if motor.joint not in names:
                raise DeviceError("simulator", f"a transmission drives no joint {motor.joint!r}")
            place = names.index(motor.joint)
            own = int(model.jnt_dofadr[joints[place]])
            found = []
            for hinge, ratio in motor.hinges:
                dof = _dof(model, hinge)
                primary, angle = ratios.get(dof, (int(joints[place]), 1.0))
                if places.get(primary) != place or (dof not in ratios and dof != own):
                    reason = f"the hinge {hinge!r} does not follow {motor.joint!r}"
                    raise DeviceError("simulator", f"a transmission is wrong: {reason}")
                found.append((dof, ratio, angle))
            whole = sum(ratio * angle for _, ratio, angle in found)
            if not abs(whole) > 0.0:
                raise DeviceError(
                    "simulator", f"no motor turns {motor.joint!r}; correct its ratios"
                )
            # The motor's angle is the sum of ratio times angle, so its torque acts likewise.
            if own not in [dof for dof, _, _ in found]:
                found.append((own, 0.0, 1.0))
            for dof, ratio, _ in found:
                dofs.append(dof)
                drivers.append(place)
                shares.append(ratio / whole)
        self._dofs, self._drivers = np.array(dofs, np.intp), np.array(drivers, np.intp)
        self._shares = np.array(shares)

    def spread(self, torque: Floats, applied: Floats) -> None:
        """Write the generalised forces of motors that do not turn their joint alone (nv).

        Args:
            torque: of each independent joint (n) [N·m].
            applied: generalised forces; those of the other joints remain (nv).
        """
        applied[self._dofs] = self._shares * torque[self._drivers]

    def follow(self, qpos: Floats, qvel: Floats) -> None:
        """Set followers to where their primaries are, and to their speed (nq), (nv)."""
        if self.count:
            qpos[self._q[0]] = self._ratio * qpos[self._q[1]]
            qvel[self._v[0]] = self._ratio * qvel[self._v[1]]

    def error(self, qpos: Floats) -> float:
        """Return the largest angle between a follower and its place (nq) [rad]."""
        if not self.count:
            return 0.0
        return float(np.abs(qpos[self._q[0]] - self._ratio * qpos[self._q[1]]).max())

    @property
    def spreads(self) -> bool:
        """Whether a motor turns more than its own joint."""
        return self._dofs.size > 0

    @property
    def coupled_dofs(self) -> Any:
        """Indices in qvel of every joint that follows or is followed."""
        return self._v.reshape(-1)


def _dof(model: Any, hinge: str) -> int:
    joint = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, hinge))
    if joint < 0:
        raise DeviceError("simulator", f"a transmission turns {hinge!r}, which the model lacks")
    return int(model.jnt_dofadr[joint])
