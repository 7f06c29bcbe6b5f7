"""What a robot does when a recorded person leads it: retargeted, followed and limited as live.

It is what arms and head do. The body and the steps are left out: their own plan keeps the pressure
where the feet allow it, whatever the person does.
"""

from typing import Final

import msgspec
import numpy as np

from core.behave.manager import MotionManager
from core.link.partner import Follow, Posture
from core.link.statement import Severity, Statement
from core.partner.follower import Follower
from core.partner.robot import robot_of
from core.plants.build import build_plant
from core.robot.joint_table import joint_table
from core.robot.profile import REST, Profile
from core.stage.dry_run import STEP_S, TAIL_S, CueRun
from core.tick.follow import FollowPerson
from devices.interface import PoseFrame, Support
from shows.body_limb import KIND, live_reaches
from shows.human import HumanTake

SMOOTH_S: Final = 0.06
"""Time over which accelerations count, two postures of a person: servos smooth shorter peaks."""


class LedRuns:
    """Leads the limbs of a standing robot by takes of a person.

    Args:
        profile: the robot's.

    Raises:
        ProfileError: nobody can lead this robot.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._robot = robot_of(profile)
        self._plant = build_plant(profile, Support(profile.chosen_support(None)))
        self._table, self._rest_q = joint_table(profile), profile.posture(REST)
        self._postures: dict[tuple[HumanTake, bool], tuple[Posture, ...]] = {}

    def run(self, order: Follow, take: HumanTake) -> CueRun:
        """Return the motion of the upper body while a person of a take leads it.

        It begins with the transition from rest, and ends with that to it.

        Args:
            order: how the robot follows.
            take: of the person.
        """
        led = order.limbs or self._table.following_limbs
        kinds = {limb.name: limb.kind for limb in self._table.limbs}
        limbs = tuple(name for name in led if kinds[name] != KIND)
        order = msgspec.structs.replace(order, mode="mirror", legs=False, limbs=limbs)
        settings = msgspec.structs.replace(
            self._profile.motion, size_variation=0.0, tempo_variation=0.0
        )
        manager = MotionManager(self._table, self._rest_q, settings)
        manager.widen(live_reaches(self._profile.body))
        notes: list[str] = []

        def say(actor: str, said: Statement, severity: Severity | None) -> None:
            if severity is not None:
                notes.append(said.code)

        follow = FollowPerson(manager, self._plant, say)
        if limbs:
            follow.start(order)
        postures = list(reversed(self._followed(order.mirror_sides, take)))
        end_s = postures[0].stamp_s
        count = 1 + round((end_s + TAIL_S) / STEP_S)
        upper = manager.joints.joint_count
        q, dq, ddq = (np.empty((count, upper)) for _ in range(3))
        for i in range(count):
            now_s = i * STEP_S
            if now_s > end_s:
                follow.end()
            follow.follow(now_s, None, True)
            while postures and postures[-1].stamp_s <= now_s:
                posture = msgspec.structs.replace(postures.pop(), number=follow.number)
                follow.hear(now_s, posture.stamp_s, posture)
            reference = manager.update(now_s)
            q[i], dq[i], ddq[i] = reference.q, reference.dq, reference.ddq
        half = round(0.5 * SMOOTH_S / STEP_S)
        ddq[half:-half] = (dq[2 * half :] - dq[: -2 * half]) / SMOOTH_S
        still = np.zeros((count, 3))
        return CueRun(
            time_s=STEP_S * np.arange(count, dtype=np.float64),
            q=q,
            dq=dq,
            ddq=ddq,
            body=np.zeros((count, 3, len(manager.joints) - upper)),
            velocity=still,
            lower=np.zeros(count),
            sway=still,
            sway_rate=np.zeros(count),
            running=np.zeros(count, dtype=np.bool_),
            jumps=(),
            notes=tuple(notes),
        )

    def _followed(self, mirror: bool, take: HumanTake) -> tuple[Posture, ...]:
        """Return the postures of a take as the partner's process would send them."""
        key = take, mirror
        if key not in self._postures:
            scale = self._robot.height_m / take.height_m
            robot = self._robot
            lengths = take.bone_lengths()
            follower = Follower(robot, lengths, scale)
            follower.restart(mirror)
            frames = zip(take.positions, take.orientations, strict=True)
            found = (
                follower.follow([PoseFrame(i / take.rate_hz, 0.0, points, turns)], 1)
                for i, (points, turns) in enumerate(frames)
            )
            self._postures[key] = tuple(one for one in found if one is not None)
        return self._postures[key]
