"""The partner: a process that hears a person's motion, and sends the robot postures and answers."""

import os
import sys
import time
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from scipy.spatial.transform import Rotation

from core.errors import ProfileError
from core.link import topics
from core.link.client import Client
from core.link.partner import (
    Calibrate,
    FollowStatus,
    Human,
    PairSource,
    PartnerOrder,
    PartnerReport,
    Reply,
    SourceReport,
    UseSource,
)
from core.partner.clips import Clips
from core.partner.input import Input, Sources, orders_of
from core.partner.person import Person
from core.partner.robot import Robot, robot_of
from core.partner.school import School
from core.partner.warm_up import warm_up
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from devices.interface import PoseFrame

NICENESS: Final = 5
POLL_S: Final = 0.004
REPORT_S: Final = 1.0 / topics.PARTNER_REPORT.rate_hz
DIGITS: Final = 4  # of positions and orientations in a picture: a log of them stays small
SWITCH_S: Final = 0.001  # longest turn of the thread that learns, while a posture waits


class Partner:
    """Obeys consoles, and follows one person.

    Args:
        client: connection to the core; subscribed before the first heartbeat.
        robot: what of the robot follows.
        school: its repertoire.
        sources: opens a port or a camera.
        now_s: the host's monotonic clock [s].
    """

    def __init__(
        self,
        client: Client,
        robot: Robot,
        school: School,
        sources: Sources,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client, self._now_s = client, now_s
        self._orders = client.subscribe(topics.PARTNER)
        self._input = Input(sources, now_s)
        self._person, self._school = Person(robot), school
        self._follow = FollowStatus(number=-1)
        self._fetched = -1  # number of the order whose repertoire was looked for
        self._report_s = 0.0
        client.status()  # subscribes

    def obey(self, order: PartnerOrder) -> None:
        """Carry out an order of a console; a refusal is in the report."""
        if isinstance(order, UseSource):
            self._input.use(order)
            self._person.forget()
        elif isinstance(order, PairSource):
            self._input.pair(order)
            self._person.forget()
        elif isinstance(order, Calibrate):
            self._person.calibrate(self._now_s())
        else:
            self._school.obey(order, self._input.fresh)

    def step(self) -> None:
        """Carry out orders, take what the source sent, and publish what is due."""
        for order in self._orders.poll():
            self.obey(order)
        self._attend()
        frames = self._input.read()
        now_s = self._now_s()
        posture, samples = self._person.hear(frames, max(self._follow.number, 0), now_s)
        if posture is not None and self._follow.order is not None:
            self._client.publish(replace(posture, steps=self._input.sees_steps))
        self._school.meet(self._person.build)
        self._school.step(now_s)
        for sample in samples:
            self._listen(sample)
        if now_s >= self._report_s:
            self._report_s = max(self._report_s + REPORT_S, now_s)
            self._client.publish(self._report(now_s))

    def close(self) -> None:
        """Close the port."""
        self._input.close()
        self._school.close()

    def _attend(self) -> None:
        """Follow the core's status: a new order counts from here."""
        status = self._client.status()
        if status is None:
            return
        before, self._follow = self._follow, status.follow
        order = self._follow.order
        if self._follow.number != before.number:
            self._person.restart(order is None or order.mirror_sides)
            self._school.restart()
        if order is None or order.mode != "answer" or self._fetched == self._follow.number:
            return
        self._fetched = self._follow.number
        if order.repertoire not in ("", self._school.name) and status.show_path:
            self._school.use_of_show(status.show_path, order.repertoire)

    @property
    def _answers(self) -> bool:
        """The order that is in force asks for answers of the loaded repertoire."""
        order = self._follow.order
        if order is None or order.mode != "answer":
            return False
        return order.repertoire in ("", self._school.name)

    def _listen(self, sample: PoseFrame) -> None:
        """Show the person, recognise what they do, and answer."""
        self._client.publish(human_of(sample))
        heard = self._school.listen(sample, self._answers)
        if heard is not None and heard.answer is not None:
            reply = Reply(self._follow.number, self._now_s(), heard.answer, heard.motion)
            self._client.publish(reply)

    def _report(self, now_s: float) -> PartnerReport:
        heard, heard_s, here = self._school.heard(now_s)
        return PartnerReport(
            stamp_s=now_s,
            source=self._input.report(now_s),
            calibration=self._person.report(now_s),
            repertoire=self._school.path,
            repertoire_trouble=self._school.trouble,
            symbols=self._school.symbols(),
            here=here,
            heard=heard,
            heard_s=heard_s,
            error_deg=self._person.error_deg,
            teach=self._school.teaching(),
        )


def human_of(sample: PoseFrame) -> Human:
    """Return a calibrated sample as the picture and the log take it, to 0.1 mm."""
    turns = Rotation.from_matrix(sample.orientations).as_quat(scalar_first=True)
    points, turns = sample.positions.round(DIGITS), turns.round(DIGITS)
    return Human(
        sample.stamp_s,
        tuple((x, y, z) for x, y, z in points.tolist()),
        tuple((w, x, y, z) for w, x, y, z in turns.tolist()),
    )


def run(config: LaunchConfig, lifeline: Lifeline, sources: Sources) -> int:
    """Run the partner until a request to end.

    Args:
        config: launch configuration.
        lifeline: ends the process.
        sources: opens a port or a camera.

    Raises:
        ProfileError: the profile cannot be used.
        LinkError: the core does not answer.
    """
    os.nice(NICENESS)
    sys.setswitchinterval(SWITCH_S)
    profile = load_profile(config.robot)
    robot, trouble = None, ""
    try:
        robot = robot_of(profile)
        warm_up(robot)  # blocks the interpreter for seconds at the first start
    except ProfileError as error:
        trouble = str(error)  # nobody can lead this robot: the run goes on without
    with Client(
        config.endpoint, config.robot, "partner", timeout_s=30.0, give_up=lambda: lifeline.ended
    ) as client:
        if robot is None:
            _wait(client, lifeline, trouble)
            return 0
        partner = Partner(client, robot, School(Clips(profile)), sources)
        for order in orders_of(config.source):
            partner.obey(order)
        while not lifeline.ended:
            client.beat()
            partner.step()
            time.sleep(POLL_S)
        partner.close()
    return 0


def _wait(client: Client, lifeline: Lifeline, trouble: str) -> None:
    """Tell that nobody can lead the robot, until the end."""
    while not lifeline.ended:
        client.beat()
        now_s = time.monotonic()
        client.publish(PartnerReport(now_s, SourceReport(trouble=trouble)))
        time.sleep(REPORT_S)
