"""The points at which limbs hold loads, as frames of a Pinocchio model."""

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from core.robot.profile import Grip


class Grips:
    """Adds a frame for each grip to a model, and changes the masses there.

    Args:
        model: of the robot; it gets the frames, and later the loads.
        grips: of the robot's profile.

    Attributes:
        frames: names of the frames, in the order of the grips (g).
    """

    def __init__(self, model: pin.Model, grips: Sequence[Grip]) -> None:
        self._model = model
        numbers = [_add_frame(model, grip) for grip in grips]
        self.frames = tuple(str(model.frames[number].name) for number in numbers)
        self._levers = [model.frames[number].placement.translation.copy() for number in numbers]
        self._holders = [model.frames[number].parentJoint for number in numbers]
        self._bare = [model.inertias[holder].copy() for holder in self._holders]

    def carry(self, loads_kg: Sequence[float]) -> float:
        """Let each grip hold a point mass (g) [kg]; return their sum [kg]."""
        for holder, bare, lever, kg in zip(
            self._holders, self._bare, self._levers, loads_kg, strict=True
        ):
            load = pin.Inertia(kg, lever, np.zeros((3, 3)))
            self._model.inertias[holder] = bare + load if kg > 0.0 else bare
        return float(sum(loads_kg))


def _add_frame(model: pin.Model, grip: Grip) -> int:
    """Add the frame in which a limb holds a load."""
    body = model.frames[model.getFrameId(grip.body)]
    placement = body.placement * pin.SE3(np.eye(3), np.array(grip.offset))
    kind = pin.FrameType.OP_FRAME
    return int(model.addFrame(pin.Frame(f"grip of {grip.limb}", body.parentJoint, placement, kind)))
