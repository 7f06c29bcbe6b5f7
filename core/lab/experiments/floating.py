"""Limbs that a person moves: does a floating arm stay, yield lightly, and begin without a drop?

An arm goes to the pose in which gravity pulls hardest at it. Then it floats, while its true masses
are those of the model, 10 % smaller or 10 % larger. It drifts if its joints move over the next
minute. A hand
pulls across it, harder and harder: the force counts at which the hand has moved by 3 cm. Other
runs make an arm limp, hold one, and pull at the hand of the standing robot.
"""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.link.commands import BackDrive, Command, GoToPose
from core.robot.gravity import Gravity
from core.robot.joint_table import joint_table
from core.robot.profile import REST
from core.tick.performer import Performer
from devices.interface import Floats
from shows.limbs import LimbFreedom

RAISE_AT_S, RAISE_S = 0.5, 2.0
RELEASE_S = 4.0
POSTURES, REACH = 2000, 0.7  # random ones, within this share of each joint's range
AWAKE_S = 1.0  # after the release, from when on an arm must not move
MINUTE_S = 60.0
MASSES = {"light": 0.9, "right": 1.0, "heavy": 1.1}  # of the true limb, by the model's
RAMP_N_S, MOST_N = 0.25, 4.0  # of the force across the arm
MOVED_M = 0.03
FALL_S = 1.0  # within which a limp arm has fallen
PULL_N, PULL_S = 15.0, 2.0
DIRECTIONS = {"+x": (1.0, 0.0), "-x": (-1.0, 0.0), "+y": (0.0, 1.0), "-y": (0.0, -1.0)}
AFTER_S = 3.0


class Arm:
    """The first arm of a robot that has a grip.

    Attributes:
        limb: its name.
        columns: its joints, in the profile's order.
        hand: link that a person holds.
        pose: angles in which gravity pulls hardest at it, by joint [rad].
    """

    def __init__(self, lab: Laboratory) -> None:
        profile = lab.profile
        sides = {limb.name: limb.side for limb in profile.limbs}
        grip = profile.grips[0]
        arms = (limb for limb in profile.limbs if limb.kind == "arm")
        self.limb = next(limb.name for limb in arms if limb.side == sides[grip.limb])
        rows = enumerate(profile.joints.rows)
        self.columns = [index for index, joint in rows if joint.limb == self.limb]
        self.hand = grip.body
        self.pose = _heaviest(lab, self.columns)

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


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    arm = Arm(lab)
    figures: Figures = {}
    figures["falls"] = 0.0
    for name, share in MASSES.items():
        rows = _release(lab, seed, arm, "floating", share, MINUTE_S, figures)
        _note_drift(figures, name, rows, arm)
        figures[f"force_{name}"] = _force(lab, seed, arm, share, figures)
    rows = _release(lab, seed, arm, "limp", 1.0, 2.0 * FALL_S, figures)
    figures["limp_fall"] = _travel(rows, arm, RELEASE_S, FALL_S)
    rows = _release(lab, seed, arm, "held", 1.0, MINUTE_S, figures)
    figures["held_drift"] = _travel(rows, arm, RELEASE_S + AWAKE_S, MINUTE_S - AWAKE_S)
    pulled: tuple[LimbFreedom, ...] = ("held", "floating")
    for freedom in pulled:
        for name in DIRECTIONS:
            _pull(lab, seed, arm, freedom, name, figures)
    return Measured(figures, notes=tuple(lab.notes))


def _heaviest(lab: Laboratory, columns: list[int]) -> dict[str, float]:
    """Return the pose of some joints in which gravity exerts the largest torques on them [rad]."""
    profile, gravity = lab.profile, Gravity(lab.profile)
    table, rng = joint_table(profile), np.random.default_rng(0)
    middle, half = 0.5 * (table.upper + table.lower), 0.5 * REACH * (table.upper - table.lower)
    best, found = 0.0, profile.posture(REST)
    for _ in range(POSTURES):
        q = profile.posture(REST)
        q[columns] = rng.uniform(middle[columns] - half[columns], middle[columns] + half[columns])
        pull = float(np.linalg.norm(gravity.update(q, np.eye(3))[columns]))
        if pull > best:
            best, found = pull, q
    return {profile.joint_names[column]: float(found[column]) for column in columns}


def _commands(arm: Arm, freedom: LimbFreedom) -> list[tuple[float, Command]]:
    return [
        (RAISE_AT_S, GoToPose(arm.pose, RAISE_S)),
        (RELEASE_S, BackDrive({arm.limb: freedom})),
    ]


def _release(
    lab: Laboratory,
    seed: int,
    arm: Arm,
    freedom: LimbFreedom,
    share: float,
    seconds: float,
    figures: Figures,
    watch: Callable[[Performer], None] | None = None,
    body: Any = None,
) -> Rows:
    """Return the record of a robot whose raised arm is released for a time [s]."""
    robot = _robot(lab, seed, arm, share) if body is None else body
    script = Script(RELEASE_S + seconds, commands=_commands(arm, freedom))
    done = lab.run(seed, script, body=robot, watch=watch)
    figures["falls"] += done.failed
    return done.rows


def _robot(lab: Laboratory, seed: int, arm: Arm, share: float) -> Any:
    """Return a simulated robot whose arm has a share of the model's masses."""
    body = lab.body(seed)
    links = arm.links(body.model)
    body.model.body_mass[links] *= share
    body.model.body_inertia[links] *= share
    mujoco.mj_setConst(body.model, mujoco.MjData(body.model))
    return body


def _note_drift(figures: Figures, name: str, rows: Rows, arm: Arm) -> None:
    figures[f"drift_{name}"] = _travel(rows, arm, RELEASE_S + AWAKE_S, MINUTE_S - AWAKE_S)
    figures[f"drop_{name}"] = _travel(rows, arm, RELEASE_S, AWAKE_S)


def _travel(rows: Rows, arm: Arm, from_s: float, for_s: float) -> float:
    """Return how far any joint of the arm comes from its place within a time [°]."""
    times = rows["t"] - START_S
    chosen = rows["q_true"][(times >= from_s) & (times <= from_s + for_s)][:, arm.columns]
    return float(np.degrees(np.abs(chosen - chosen[0]).max())) if len(chosen) else float("nan")


def _force(lab: Laboratory, seed: int, arm: Arm, share: float, figures: Figures) -> float:
    """Return the force across the arm at which the hand has moved by 3 cm [N]."""
    body = _robot(lab, seed, arm, share)
    data, state = body.data, {"force": float("nan")}
    start: list[Floats] = []

    def pull(performer: Performer) -> None:
        since_s = performer.plant.state.stamp_s - START_S - RELEASE_S - AWAKE_S
        if since_s < 0.0:
            return
        place = data.body(arm.hand).xpos - data.qpos[:3]
        if not start:
            start.append(place.copy())
        newtons = RAMP_N_S * since_s
        if np.linalg.norm(place - start[0]) > MOVED_M and not state["force"] > 0.0:
            state["force"] = newtons
        if newtons < MOST_N and not state["force"] > 0.0:
            along = place / np.linalg.norm(place)
            across = np.cross(along, (1.0, 0.0, 0.0))
            force = newtons * across / np.linalg.norm(across)
            body.push_body(arm.hand, force, lab.profile.tick_s)

    seconds = AWAKE_S + MOST_N / RAMP_N_S
    _release(lab, seed, arm, "floating", share, seconds, figures, watch=pull, body=body)
    return state["force"]


def _pull(
    lab: Laboratory, seed: int, arm: Arm, freedom: LimbFreedom, name: str, figures: Figures
) -> None:
    """Note whether the standing robot falls when its hand is pulled."""
    body = lab.body(seed)
    force = PULL_N * np.array((*DIRECTIONS[name], 0.0))
    asked = START_S + RELEASE_S + AWAKE_S

    def pull(performer: Performer) -> None:
        if asked <= performer.plant.state.stamp_s < asked + PULL_S:
            body.push_body(arm.hand, force, lab.profile.tick_s)

    seconds = AWAKE_S + PULL_S + AFTER_S
    done = lab.run(
        seed,
        Script(RELEASE_S + seconds, commands=_commands(arm, freedom)),
        body=body,
        watch=pull,
        thin=10,
    )
    figures[f"fall_{freedom}_{name}"] = float(done.failed)


EXPERIMENT = Experiment(
    "floating",
    "Limbs moved by hand",
    run,
    (
        *(
            Bar(f"drift_{name}", f"floating arm in 60 s, masses × {share:g}", "°", at_most=2.0)
            for name, share in MASSES.items()
        ),
        *(
            Bar(f"drop_{name}", f"as it begins to float, masses × {share:g}", "°", at_most=3.0)
            for name, share in MASSES.items()
        ),
        *(
            Bar(f"force_{name}", f"force across it for 3 cm, masses × {share:g}", "N", at_most=2.0)
            for name, share in MASSES.items()
        ),
        Bar("limp_fall", "a limp arm moves within 1 s", "°", at_least=30.0),
        Bar("held_drift", "a held arm in 60 s", "°", at_most=1.0),
        *(
            Bar(f"fall_{freedom}_{name}", f"falls, 15 N {name} at a {freedom} hand", at_most=0.0)
            for freedom in ("held", "floating")
            for name in DIRECTIONS
        ),
        Bar("falls", "falls in the other runs", at_most=0.0),
    ),
    beside=False,
)
