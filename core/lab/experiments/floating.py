"""Limbs that a person moves: does a floating arm stay, yield lightly, and begin without a drop?

The arms go to a pose in which gravity pulls hardest at them. Then they float, while their true
masses are those of the model, 10 % smaller or 10 % larger. An arm drifts if its joints move over
the next minute. A hand pulls across it, harder and harder: the force counts at which the hand has
moved by 3 cm. At last the arm is held. All of that is done with two models of dry friction: one
that creeps, and one that holds a joint at rest. Another run makes an arm limp.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.link.commands import BackDrive, Command, GoToPose
from core.robot.gravity import Gravity
from core.robot.model import joint_limits
from core.robot.profile import REST, Profile
from core.tick.performer import Performer
from devices.interface import Floats
from shows.limbs import LimbFreedom

RAISE_AT_S, RAISE_S = 0.5, 2.0
RELEASE_S = 4.0
POSTURES, REACH = 2000, 0.7  # random ones, within this share of each joint's range
AWAKE_S = 1.0  # after the release, from when on an arm must not move
MINUTE_S = 60.0
LIGHT, RIGHT, HEAVY = 0.9, 1.0, 1.1  # masses of the true limb, by the model's
MASSES = {"light": LIGHT, "right": RIGHT, "heavy": HEAVY}
FRICTIONS = {"creep": False, "stiction": True}
RAMP_N_S, MOST_N = 0.25, 4.0  # of the force across the arm
MOVED_M = 0.03
FALL_S = 1.0  # within which a limp arm has fallen
DROP_DEG = 1.0  # a limb rests where it is, whatever its mass


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long an experiment is made; a test shortens it.

    Attributes:
        float_s: an arm floats before a hand pulls at it [s].
        most_n: largest force across an arm [N].
    """

    float_s: float = MINUTE_S
    most_n: float = MOST_N


class Arm:
    """An arm whose hand has a grip.

    Attributes:
        limb: its name.
        columns: its joints, in the profile's order.
        hand: link that a person holds.
        pose: angles in which gravity pulls hardest at it, by joint [rad].
    """

    def __init__(self, profile: Profile, grip: int) -> None:
        sides = {limb.name: limb.side for limb in profile.limbs}
        arms = [limb for limb in profile.limbs if limb.kind == "arm"]
        side = sides[profile.grips[grip].limb]
        self.limb = next(limb.name for limb in arms if limb.side == side)
        rows = enumerate(profile.joints.rows)
        self.columns = [index for index, joint in rows if joint.limb == self.limb]
        self.hand = profile.grips[grip].body
        self.pose = _heaviest(profile, self.columns)

    def links(self, model: Any) -> list[int]:
        """Return the bodies between torso and hand, and beyond."""
        chain = [int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, self.hand))]
        parents = model.body_parentid
        for _ in self.columns:
            chain.append(int(parents[chain[-1]]))
        found = set(chain[: len(self.columns) + 1])
        for body in range(len(parents)):
            if int(parents[body]) in found:
                found.add(body)
        return sorted(found - {chain[-1]})


@dataclass(slots=True)
class Tug:
    """A hand that pulls across an arm, harder and harder, until the arm has moved.

    Attributes:
        arm: the arm.
        force: at which it has moved [N]; not a number before.
    """

    arm: Arm
    force: float = float("nan")
    _start: list[Floats] = field(default_factory=list)

    def pull(self, body: Any, newtons: float, tick_s: float) -> None:
        """Pull for a tick, unless the arm has moved."""
        place = body.data.body(self.arm.hand).xpos - body.data.qpos[:3]
        if not self._start:
            self._start.append(place.copy())
        if self.force > 0.0:
            return
        if np.linalg.norm(place - self._start[0]) > MOVED_M:
            self.force = newtons
            return
        across = np.cross(place, (1.0, 0.0, 0.0))
        body.push_body(self.arm.hand, newtons * across / np.linalg.norm(across), tick_s)


def run(lab: Laboratory, seed: int, lengths: Lengths = Lengths()) -> Measured:
    """Measure one seed."""
    left, right = (Arm(lab.profile, grip) for grip in (0, 1))
    figures: Figures = {"falls": 0.0}
    for friction in FRICTIONS:
        held = {left.limb: "right", right.limb: ""}
        _float(lab, seed, (left, right), held, friction, lengths, figures)
        wrong = {left.limb: "light", right.limb: "heavy"}
        _float(lab, seed, (left, right), wrong, friction, lengths, figures)
    _let_fall(lab, seed, left, figures)
    return Measured(figures)


def _heaviest(profile: Profile, columns: list[int]) -> dict[str, float]:
    """Return the pose of some joints in which gravity exerts the largest torques on them [rad]."""
    gravity = Gravity(profile)
    (lower, upper), rng = joint_limits(profile), np.random.default_rng(0)
    middle, half = 0.5 * (upper + lower), 0.5 * REACH * (upper - lower)
    best, found = 0.0, profile.posture(REST)
    for _ in range(POSTURES):
        q = profile.posture(REST)
        q[columns] = rng.uniform(middle[columns] - half[columns], middle[columns] + half[columns])
        pull = float(np.linalg.norm(gravity.update(q, np.eye(3))[columns]))
        if pull > best:
            best, found = pull, q
    return {profile.joint_names[column]: float(found[column]) for column in columns}


def release_commands(
    arms: tuple[Arm, ...], freedoms: Mapping[str, LimbFreedom]
) -> list[tuple[float, Command]]:
    """Return the commands that raise arms and then release limbs, with their times [s]."""
    pose = {joint: angle for arm in arms for joint, angle in arm.pose.items()}
    return [
        (RAISE_AT_S, GoToPose(pose, RAISE_S)),
        (RELEASE_S, BackDrive(dict(freedoms))),
    ]


def _float(
    lab: Laboratory,
    seed: int,
    arms: tuple[Arm, ...],
    masses: Mapping[str, str],
    friction: str,
    lengths: Lengths,
    figures: Figures,
) -> None:
    """Note drift, drops and force of the arms that have a mass; the others are held."""
    floats = [arm for arm in arms if masses[arm.limb]]
    body = lab.body(seed, stiction=FRICTIONS[friction])
    for arm in floats:
        _weigh(body, arm, MASSES[masses[arm.limb]])
    tugs = [Tug(arm) for arm in floats]
    pull_s = RELEASE_S + lengths.float_s
    hold_s = pull_s + lengths.most_n / RAMP_N_S

    def pull(performer: Performer) -> None:
        since_s = performer.plant.state.stamp_s - START_S - pull_s
        if 0.0 <= since_s < hold_s - pull_s:
            for tug in tugs:
                tug.pull(body, RAMP_N_S * since_s, lab.profile.tick_s)

    freedoms: dict[str, LimbFreedom] = {
        arm.limb: "floating" if arm in floats else "held" for arm in arms
    }
    end = (hold_s + AWAKE_S, BackDrive({arm.limb: "held" for arm in floats}))
    script = Script(hold_s + 2.0 * AWAKE_S, commands=[*release_commands(arms, freedoms), end])
    done = lab.run(seed, script, body=body, watch=pull, thin=10)
    figures["falls"] += done.failed
    for tug in tugs:
        name = f"{masses[tug.arm.limb]}_{friction}"
        figures[f"force_{name}"] = tug.force
        left_s = lengths.float_s - AWAKE_S
        figures[f"drift_{name}"] = travel(done.rows, tug.arm, RELEASE_S + AWAKE_S, left_s)
        figures[f"begin_{name}"] = travel(done.rows, tug.arm, RELEASE_S, AWAKE_S)
        figures[f"end_{name}"] = travel(done.rows, tug.arm, hold_s + AWAKE_S, AWAKE_S)
    for arm in arms:
        if arm not in floats:
            figures[f"held_{friction}"] = travel(done.rows, arm, RELEASE_S, lengths.float_s)


def _weigh(body: Any, arm: Arm, share: float) -> None:
    """Give an arm of a simulated robot a share of the model's masses."""
    links = arm.links(body.model)
    body.model.body_mass[links] *= share
    body.model.body_inertia[links] *= share
    mujoco.mj_setConst(body.model, mujoco.MjData(body.model))


def travel(rows: Rows, arm: Arm, from_s: float, for_s: float) -> float:
    """Return how far any joint of the arm comes from its place within a time [°]."""
    times = rows["t"] - START_S
    chosen = rows["q_true"][(times >= from_s) & (times <= from_s + for_s)][:, arm.columns]
    return float(np.degrees(np.abs(chosen - chosen[0]).max())) if len(chosen) else float("nan")


def _let_fall(lab: Laboratory, seed: int, arm: Arm, figures: Figures) -> None:
    """Note how far a limp arm falls."""
    script = Script(
        RELEASE_S + FALL_S + AWAKE_S, commands=release_commands((arm,), {arm.limb: "limp"})
    )
    done = lab.run(seed, script)
    figures["falls"] += done.failed
    figures["limp_fall"] = travel(done.rows, arm, RELEASE_S, FALL_S)


def _of_each(figure: str, what: str, unit: str, most: float) -> tuple[Bar, ...]:
    """Return the rows of a figure that is measured with each mass and each friction."""
    return tuple(
        Bar(
            f"{figure}_{name}_{friction}",
            f"{what}, masses × {share:g}, {friction}",
            unit,
            at_most=most,
        )
        for friction in FRICTIONS
        for name, share in MASSES.items()
    )


EXPERIMENT = Experiment(
    "floating",
    "limbs moved by hand",
    run,
    (
        *_of_each("drift", "floating arm in 60 s", "°", 2.0),
        *_of_each("begin", "drop as it begins to float", "°", DROP_DEG),
        *_of_each("end", "drop as it is held again", "°", DROP_DEG),
        *_of_each("force", "force across it for 3 cm", "N", 2.0),
        Bar("limp_fall", "a limp arm moves within 1 s", "°", at_least=30.0),
        *(Bar(f"held_{one}", f"a held arm in 60 s, {one}", "°", at_most=1.0) for one in FRICTIONS),
        Bar("falls", "falls", at_most=0.0),
    ),
    beside=False,
)
