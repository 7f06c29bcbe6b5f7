"""Negative controls: what becomes of a rolling knee that is not treated as one."""

from dataclasses import replace
from typing import Any

import mujoco

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.draco.coupled import LEAD_S, Run, run
from core.lab.laboratory import Laboratory
from core.lab.script import START_S
from core.robot.couplings import Coupling, read_couplings
from devices.interface import JointCommand

LENGTH_S = 4.0
SUNK_M = 0.5  # height of the base of a robot that has fallen [m]
LAX_SOLREF = (0.02, 1.0)  # MuJoCo's defaults
LAX_SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)


def run_seed(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    couplings = read_couplings(lab.profile.model_path)
    figures: Figures = {}
    for name, body in (
        ("sound", _torque_only(lab, seed, ())),
        ("half", _torque_only(lab, seed, couplings)),
        ("lax", _lax(lab, seed, couplings)),
    ):
        found = run(lab, seed, LENGTH_S, [], body=body, may_fall=name != "sound")
        figures[f"{name}_falls"] = float(found.failed)
        figures[f"{name}_s"] = _sunk_after_s(found)
        figures[f"{name}_parted"] = found.parted_rad
    return Measured(figures)


def _torque_only(lab: Laboratory, seed: int, couplings: tuple[Coupling, ...]) -> Any:
    """Return a robot that is driven by torques alone, once it has stood for a second.

    Inverse dynamics without the internal forces of a coupling gives each of its hinges its own
    row: a coupled joint then gets the share of its torque that belongs to its own hinge.
    """
    body, names = lab.body(seed), lab.profile.joint_names
    shares = {names.index(one.primary): 1.0 / (1.0 + abs(one.ratio)) for one in couplings}
    write = body.write

    def weakened(command: JointCommand) -> None:
        if body.clock.now_s() >= START_S + LEAD_S:
            command.kp[:] = command.kd[:] = 0.0
            for joint, share in shares.items():
                command.tau[joint] *= share
        write(command)

    body.write = weakened
    return body


def _lax(lab: Laboratory, seed: int, couplings: tuple[Coupling, ...]) -> Any:
    """Return a robot whose couplings yield, once it has stood for a second.

    The motor turns the second hinge alone, and the hinges have no rotor inertia.
    """
    body = lab.body(seed)
    followers = {one.primary: ((one.follower, 1.0),) for one in couplings}
    motors = tuple(
        replace(motor, hinges=followers[motor.joint]) for motor in body.settings.transmissions
    )
    body = type(body)(replace(body.settings, transmissions=motors), seed)
    model, write = body.model, body.write

    def slackened(command: JointCommand) -> None:
        if body.clock.now_s() >= START_S + LEAD_S and model.eq_solref[0, 0] != LAX_SOLREF[0]:
            model.eq_solref[: len(couplings)] = LAX_SOLREF
            model.eq_solimp[: len(couplings)] = LAX_SOLIMP
            model.dof_armature[body.world.couplings.coupled_dofs] = 0.0
            mujoco.mj_setConst(model, mujoco.MjData(model))
        write(command)

    body.write = slackened
    return body


def _sunk_after_s(found: Run) -> float:
    """Return when the base has sunk after a fault began; else the end of the record [s]."""
    height = found.rows["base_position_true"][:, 2]
    sunk = (found.since_s >= LEAD_S) & (height < SUNK_M)
    last_s = float(found.since_s[-1])
    return (float(found.since_s[sunk][0]) if sunk.any() else last_s) - LEAD_S


EXPERIMENT = Experiment(
    "draco/faults",
    "negative controls: faults of the rolling knee",
    run_seed,
    (
        Bar("sound_falls", "without a fault: falls", at_most=0.0),
        Bar("sound_parted", "coupled hinges part by", "rad", at_most=1e-6),
        Bar("half_falls", "internal forces left out: falls", at_least=1.0),
        Bar("half_s", "after", "s", at_most=1.0),
        Bar("lax_falls", "default equality, torque on the second hinge, no rotors", at_least=1.0),
        Bar("lax_s", "falls after", "s", at_most=2.0),
        Bar("lax_parted", "coupled hinges part by", "rad", at_least=1e-3),
    ),
    beside=False,
)
