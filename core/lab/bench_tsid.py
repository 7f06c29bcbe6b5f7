"""TSID beside our whole-body controller: the same robot, the same states, equivalent tasks.

Nothing else needs TSID, so it is used where it happens to be installed.
"""

import importlib
import importlib.util
import subprocess
import sys
import time
import warnings
from typing import Any

import numpy as np
import pinocchio as pin

from core.control.whole_body import WholeBody
from core.lab.benchmark import Found, Listing, quantiles
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.link.messages import Command, Gesture
from core.performer import Performer
from core.robot.model import SIDES, RobotModel

HALF_WIDTH = 0.01  # of a sole; TSID's contact is a rectangle, ours a line [m]
MISSING = "TSID is not installed here, so it is not compared (`pip install tsid` beside pin)."
NAMES = ("ours", "tsid")
TRIAL_S = 60.0
TRIAL = (
    "import pinocchio, tsid; "
    "model = pinocchio.buildSampleModelHumanoid(); "
    "tsid.RobotWrapper(model, tsid.FLOATING_BASE_SYSTEM, False)"
)


def load() -> tuple[Any, str]:
    """Return the package, or None and a sentence on why it cannot be used.

    It is tried in another process first: a wheel made for another Pinocchio may take the whole
    process with it.
    """
    if importlib.util.find_spec("tsid") is None:
        return None, MISSING
    command = [sys.executable, "-P", "-W", "ignore", "-c", TRIAL]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TRIAL_S)
        words = done.stderr.strip().splitlines()
        failure = "" if done.returncode == 0 else words[-1] if words else f"{done.returncode}"
    except subprocess.TimeoutExpired:
        failure = f"no answer within {TRIAL_S:g} s"
    if failure:
        told = f"TSID is installed but breaks with Pinocchio {pin.__version__} ({failure})"
        return None, f"{told}, so it is not compared."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it registers a converter that pin has registered
        return importlib.import_module("tsid"), ""


class TsidController:
    """CoM, angular momentum, torso, posture and two rigid contacts, torques bounded."""

    def __init__(self, tsid: Any, lab: Laboratory, q: Any, v: Any) -> None:
        profile, model = lab.profile, RobotModel(lab.profile)
        t, feet = profile.tasks, profile.feet
        floating = tsid.FLOATING_BASE_SYSTEM
        self._robot = robot = tsid.RobotWrapper(model.pin_model, floating, False)
        form = tsid.InverseDynamicsFormulationAccForce("tsid", robot, False)
        form.computeProblemData(0.0, q, v)
        data = form.data()
        n = model.joint_count
        stall = t.torque_fraction * profile.actuator_column("stall_torque")[:n]
        x, y = (feet.heel_from_sole, feet.toe_from_sole), (-HALF_WIDTH, HALF_WIDTH)
        points = np.array([[a, b, 0.0] for a in x for b in y]).T
        self._kept: list[Any] = [model]
        for side in SIDES:
            contact = tsid.Contact6d(
                side,
                robot,
                f"{side}_sole",
                points,
                np.array([0.0, 0.0, 1.0]),
                t.friction,
                t.force_min,
                t.force_max,
            )
            contact.setKp(np.zeros(6))
            contact.setKd(10.0 * np.ones(6))
            frame = model.pin_model.getFrameId(f"{side}_sole")
            contact.setReference(robot.framePosition(data, frame))
            form.addRigidContact(contact, t.force_weight)
            self._kept.append(contact)
        com = tsid.TaskComEquality("com", robot)
        com.setKp(t.com_vertical.kp * np.ones(3))
        com.setKd(t.com_vertical.kd * np.ones(3))
        com.setReference(self._constant(tsid, "com", robot.com(data)))
        form.addMotionTask(com, t.com_vertical.weight, 1, 0.0)
        spin = tsid.TaskAMEquality("spin", robot)
        spin.setKp(np.zeros(3))
        spin.setKd(t.angular_momentum.kd * np.ones(3))
        spin.setReference(self._constant(tsid, "spin", np.zeros(3)))
        form.addMotionTask(spin, t.angular_momentum.weight, 1, 0.0)
        posture = tsid.TaskJointPosture("posture", robot)
        posture.setKp(t.posture.kp * np.ones(n))
        posture.setKd(t.posture.kd * np.ones(n))
        posture.setReference(self._constant(tsid, "posture", q[7:]))
        form.addMotionTask(posture, t.posture.weight, 1, 0.0)
        bounds = tsid.TaskActuationBounds("torque", robot)
        bounds.setBounds(-stall, stall)
        form.addActuationTask(bounds, 1.0, 0, 0.0)
        self._form, self._kept = form, [*self._kept, com, spin, posture, bounds]
        self._solver = tsid.SolverHQuadProgFast("eiquadprog")
        self._solver.resize(form.nVar, form.nEq, form.nIn)
        self.size = (form.nVar, form.nEq, form.nIn)

    def _constant(self, tsid: Any, name: str, value: Any) -> Any:
        trajectory = tsid.TrajectoryEuclidianConstant(name, value)
        self._kept.append(trajectory)
        return trajectory.computeNext()

    def solve(self, now_s: float, q: Any, v: Any) -> bool:
        """Compute dynamics and tasks at a state, solve, and tell whether there is a solution."""
        data = self._form.computeProblemData(now_s, q, v)
        return int(self._solver.solve(data).status) == 0


class Comparison:
    """Watches a standing robot and lets both controllers solve each tick, by turns first."""

    def __init__(self, tsid: Any, lab: Laboratory) -> None:
        self._tsid, self._lab = tsid, lab
        self._theirs: TsidController | None = None
        self._model = RobotModel(lab.profile)
        self.body = WholeBody(lab.profile, self._model)
        self.times_us: dict[str, list[float]] = {name: [] for name in NAMES}
        self.unsolved = dict.fromkeys(NAMES, 0)
        self.size = (0, 0, 0)
        self._ticks = 0

    def __call__(self, performer: Performer) -> None:
        """Solve the last tick with both."""
        if performer.estimator.state.stamp_s < START_S:
            return
        q, v = performer.model.q, performer.model.v
        if self._theirs is None:
            self._theirs = TsidController(self._tsid, self._lab, q, v)
            self.size = self._theirs.size
        self._ticks += 1
        for name in NAMES if self._ticks % 2 else NAMES[::-1]:
            start_ns = time.thread_time_ns()
            if name == "ours":
                solved = self._ours(performer)
            else:
                solved = self._theirs.solve(performer.estimator.state.stamp_s, q, v)
            self.times_us[name].append(1e-3 * (time.thread_time_ns() - start_ns))
            self.unsolved[name] += not solved

    def _ours(self, performer: Performer) -> bool:
        state, upper, k = performer.estimator.state, performer.upper, self._model.first_leg_joint
        self._model.update(state)
        legs = performer.walker.reference
        return self.body.solve(state, self._model, legs, upper.q[:k], upper.dq[:k], upper.ddq[:k])


def compare(lab: Laboratory, seed: int, seconds: float) -> Found:
    """Return both controllers' times on a robot that stands and waves."""
    tsid, why = load()
    if tsid is None:
        return Found({}, {"compared": False, "why": why}, (), (why,))
    commands: list[tuple[float, Command]] = [(0.0, Gesture("wave", loop=True))]
    watch = Comparison(tsid, lab)
    lab.run(seed, Script(seconds, (), commands), gestures=True, watch=watch)
    found = {name: quantiles(watch.times_us[name]) for name in NAMES}
    ratio = found["ours"]["median"] / found["tsid"]["median"]
    report: dict[str, Any] = {"compared": True, "ours_over_tsid": ratio}
    for name in NAMES:
        count = len(watch.times_us[name])
        report[name] = {**found[name], "unsolved": watch.unsolved[name], "qps": count}
    variables, equalities, inequalities = watch.size
    problem = watch.body.problem
    ours = f"{problem.gradient.size} variables, {problem.equalities} equalities"
    theirs = f"{variables} variables, {equalities} equalities, {inequalities} inequalities"
    rows = tuple(
        (
            name,
            what,
            *(f"{found[name][key]:.1f}" for key in ("median", "p99", "p99_9", "max")),
            f"{watch.unsolved[name]} of {len(watch.times_us[name])}",
        )
        for name, what in zip(NAMES, (ours, theirs), strict=True)
    )
    headings = ("controller", "QP", "median [µs]", "p99", "p99.9", "max", "unsolved")
    title = "Dynamics, tasks and QP of a standing, waving robot: ours and TSID, CPU time"
    note = (
        f"Ours takes {ratio:.2f} times TSID's median: dynamics, CoM, angular momentum, posture, "
        "two feet, torque bounds in both; TSID's contacts are rigid rectangles, ours lines."
    )
    return Found({}, report, (Listing(title, headings, rows),), (note,))
