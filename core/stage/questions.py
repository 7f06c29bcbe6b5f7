"""Answers a console's questions about poses and motions, beside the stagehand's loop."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias

import msgspec

from core.link import topics
from core.link.client import Client, Inbox
from core.link.pose import PoseQuestion, PoseVerdict
from core.link.topics import Topic
from core.robot.profile import Profile
from core.stage.body import PreflightBody, body_from_profile
from core.stage.pose_check import judge
from core.stage.torque_check import answer_torques

Answering: TypeAlias = Callable[[Any, PreflightBody], msgspec.Struct]


class Questions:
    """Answers one question after the other; of each kind it keeps the newest only.

    The first answer takes a second: it builds the robot's model.
    """

    def __init__(self, client: Client, profile: Profile) -> None:
        self._client, self._profile = client, profile
        self._kinds: tuple[tuple[Topic[Any], Answering], ...] = (
            (topics.POSE_QUESTION, judge_pose),
            (topics.TORQUE_QUESTION, answer_torques),
        )
        self._inboxes: list[Inbox[Any]] = [client.subscribe(topic) for topic, _ in self._kinds]
        self._waiting: dict[str, msgspec.Struct] = {}
        self._work: Future[msgspec.Struct] | None = None
        self._pool = ThreadPoolExecutor(1)
        self._body: PreflightBody | None = None

    def step(self) -> None:
        """Take questions and send the answer that is ready."""
        for (topic, _), inbox in zip(self._kinds, self._inboxes, strict=True):
            for question in inbox.poll():
                self._waiting[topic.name] = question
        if self._work is not None and self._work.done():
            self._client.publish(self._work.result())
            self._work = None
        if self._work is not None:
            return
        for topic, answering in self._kinds:
            question = self._waiting.pop(topic.name, None)
            if question is not None:
                self._work = self._pool.submit(self._answer, answering, question)
                return

    def close(self) -> None:
        """Drop unfinished work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _answer(self, answering: Answering, question: msgspec.Struct) -> msgspec.Struct:
        if self._body is None:
            self._body = body_from_profile(self._profile)
        return answering(question, self._body)


def judge_pose(question: PoseQuestion, body: PreflightBody) -> PoseVerdict:
    """Return the verdict about a pose."""
    collisions, loads = judge(question.angles, body)
    return PoseVerdict(question.sender, question.number, collisions, loads)
