"""The elimination of couplings beside the paper's own form: dynamics, torques, whole-body QP."""

from dataclasses import dataclass, field

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.draco.coupled import LEAD_S, run
from core.lab.laboratory import Laboratory
from core.lab.oracle.constrained import (
    condition_5f,
    eliminated_mass_matrix,
    equation_4,
    forward_dynamics,
    internal,
    internal_force,
    joint_torque,
    motor_torque,
    motor_velocity,
)
from core.lab.oracle.paper_qp import compare, limits_of
from core.lab.oracle.tree import Tree
from core.lab.script import START_S
from core.link.commands import Command, Push, StartSway
from core.plants.biped.plant import biped_of
from core.robot.profile import Profile
from core.tick.performer import Performer

LENGTH_S = 15.0
EVERY = 12  # ticks from one that is compared to the next
PUSHES: list[tuple[float, Command]] = [
    (0.0, StartSway("left", 0.04, 0.2)),
    (4.0, Push(40.0, 60.0, 0.0, 0.1)),
    (8.0, Push(0.0, -70.0, 0.0, 0.1)),
    (11.0, Push(-40.0, 0.0, 0.0, 0.1)),
]


@dataclass(slots=True)
class Comparison:
    """Compares every so many ticks with the oracle.

    Attributes:
        profile: of the robot.
        tree: of all its hinges.
        worst: largest figure of each kind.
        ticks: that were compared.
    """

    profile: Profile
    tree: Tree
    worst: Figures = field(default_factory=dict)
    ticks: int = 0
    _count: int = 0

    def __call__(self, performer: Performer) -> None:
        """Compare the last tick."""
        plant = biped_of(performer.plant)
        if plant.state.stamp_s < START_S + LEAD_S or plant.solution.status != 1:
            return
        self._count += 1
        if self._count % EVERY:
            return
        self.ticks += 1
        whole_body, state, model = plant.controller.whole_body, plant.state, plant.model
        self.tree.carry(tuple(plant.loads_kg.get(grip.limb, 0.0) for grip in self.profile.grips))
        tree, torque = self.tree.at(state), whole_body.torque
        x = whole_body.result.x
        limits = limits_of(self.profile, state.dq, plant.walker.reference.load_limit)
        difference = compare(whole_body.problem, x, torque, tree, limits)
        self._note("torque", difference.torque)
        self._note("forces", difference.forces)
        self._note("acceleration", difference.acceleration)
        motors = motor_torque(tree, torque)
        forces, acceleration = x[: tree.contact_jacobian.shape[0]], x[-tree.expansion.shape[1] :]
        wanted = tree.expansion @ acceleration
        found, force = forward_dynamics(tree, motors, forces)
        self._note("dynamics", float(np.abs(found - wanted).max()))
        self._note("equation_4", float(np.abs(equation_4(tree, found, motors, forces)).max()))
        again = internal_force(tree, motors, forces)
        self._note("internal", float(np.abs(again - force).max()))
        mass = eliminated_mass_matrix(tree)
        scale = float(np.abs(mass).max())
        self._note("mass", float(np.abs(mass - model.mass_matrix).max()) / scale)
        space, jacobian = internal(tree).null_space, tree.internal_jacobian
        self._note("idempotent", float(np.abs(space @ space - space).max()))
        self._note("annihilated", float(np.abs(jacobian @ space).max()))
        self._note("condition", condition_5f(tree))
        self._note("mapped", float(np.abs(joint_torque(tree, motors) - torque).max()))
        joints, turns = model.v[6:], motor_velocity(tree)
        power = float(torque @ joints)
        self._note("power", abs(power - float(motors @ turns)) / max(1.0, abs(power)))

    def _note(self, name: str, value: float) -> None:
        self.worst[name] = max(self.worst.get(name, 0.0), value)


def run_seed(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    comparison = Comparison(lab.profile, Tree(lab.profile))
    found = run(lab, seed, LENGTH_S, PUSHES, look=comparison)
    figures: Figures = {
        **comparison.worst,
        "ticks": float(comparison.ticks),
        "falls": float(found.failed),
        "parted": found.parted_rad,
    }
    return Measured(figures)


EXPERIMENT = Experiment(
    "draco/rolling",
    "eliminated couplings beside the paper's own form, in a sway with pushes",
    run_seed,
    (
        Bar("ticks", "ticks compared", at_least=1000.0),
        Bar("mass", "mass matrix less GᵀAG, relative", at_most=1e-12),
        Bar("idempotent", "N² less N", at_most=1e-12),
        Bar("annihilated", "J_int N", at_most=1e-12),
        Bar("condition", "the condition of equation 5f", at_most=1e-9),
        Bar("torque", "joint torques less those of the paper's QP", "N·m", at_most=1e-5),
        Bar("forces", "contact wrenches less those of the paper's QP", "N, N·m"),
        Bar("acceleration", "accelerations less those of the paper's QP", "rad/s²"),
        Bar("dynamics", "the tree's acceleration under these torques less q̈", at_most=1e-8),
        Bar("equation_4", "residual of the corrected equation 4", "N, N·m"),
        Bar("internal", "internal forces by equation 3 less those of the KKT system", "N·m"),
        Bar("power", "τ_u u̇ less τ_m θ̇, relative", at_most=1e-12),
        Bar("falls", "falls", at_most=0.0),
        Bar("parted", "coupled hinges part by", "rad", at_most=1e-6),
    ),
    beside=False,
)
