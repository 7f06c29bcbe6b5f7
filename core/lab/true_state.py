"""The simulator's true motion instead of the estimate, to separate the estimator's errors.

Torques and contacts are those of the samples, as ever, because they are no part of that error. Runs
on true state once lacked the torques and had the simulator's contacts, and did worse than runs on
the estimate. Without torques the load of a hand was not learned: with 1 kg in the hand the robot
fell 8 s into a walk with gestures, when it began to wave. To the simulator a foot that grazes the
ground with 1 N touches it, and carries no weight: swinging feet ended their steps too soon, and
pushes of 14 N·s from front and back felled the stepping robot, which now stands 18 N·s.
"""

import pinocchio as pin

from core.errors import CoreError
from core.plants.biped.model import RobotModel
from core.plants.biped.plant import BipedPlant
from core.plants.biped.sense.estimator import StateEstimator
from core.plants.interface import Plant
from core.plants.runner.plant import RunnerPlant
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Sample, Simulated


class TrueState(StateEstimator):
    """An estimator without error, which reads the simulator's state.

    Args:
        body: has the true state at the time of its last sample.
        model: the robot's.
        profile: the robot's.
        state: the state that the controller reads; it is overwritten.
    """

    def __init__(self, body: Simulated, model: RobotModel, profile: Profile, state: State) -> None:
        super().__init__(profile, model)
        self._body = body
        self.state = state

    def rest(self, sample: Sample) -> State:
        """Return the truth."""
        return self.update(sample)

    def update(self, sample: Sample) -> State:
        """Return the truth at the sample's time."""
        truth, state = self._body.truth(), self.state
        state.stamp_s = sample.stamp_s
        state.q[:] = truth.q
        state.dq[:] = truth.dq
        state.tau[:] = sample.tau
        state.rpy[:] = truth.base_rpy
        state.rotation_base_to_world[:] = pin.rpy.rpyToMatrix(truth.base_rpy)
        state.position_base_in_world[:] = truth.base_position
        state.velocity_base_in_world[:] = truth.base_velocity
        state.angular_velocity_base_in_base[:] = truth.base_spin
        self.contact.update(sample)
        state.contact[:] = self.contact.loaded
        return state


def know_truth(plant: Plant, body: Simulated, profile: Profile) -> None:
    """Feed the truth to a plant on legs instead of its estimate.

    Raises:
        CoreError: the robot has no legs, and nothing to estimate but its encoders.
    """
    if not isinstance(plant, BipedPlant | RunnerPlant):
        raise CoreError("this robot is no biped; choose one with --robot")
    plant.estimator = TrueState(body, plant.model, profile, plant.state)
