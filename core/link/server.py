"""The core's end of the link: polled by the loop, bounded, without callbacks or waits."""

import math
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
import zenoh

from core.link import session as sessions
from core.link import topics
from core.link.envelope import Envelope
from core.link.gate import Dropped, Gate
from core.link.topics import Topic

COMMANDS_PER_POLL = 16
HEARTBEATS_PER_POLL = 32
POLLS_PER_HEARTBEAT_POLL = 10
SENDER = "core"
_GATED = (topics.COMMAND, topics.STOP, topics.HEARTBEAT)
T = TypeVar("T")


class Server:
    """The interface of the link to the loop.

    Zenoh's threads fill ring channels with inbound messages, without Python; the loop takes a
    bounded number in each tick. Open it before the process becomes real-time, so that Zenoh's
    threads do not inherit its priority.
    """

    def __init__(self, endpoint: str, robot: str, lossless_batches: bool = False) -> None:
        """Listen.

        Args:
            endpoint: endpoint on this machine.
            robot: name in the key space.
            lossless_batches: wait for a slow scribe; for runs without real time.

        Raises:
            LinkError: the endpoint is in use or not on this machine.
        """
        self.endpoint = endpoint
        self._gate = Gate()
        self._session = sessions.listen(endpoint)
        try:
            self._stops = self._inbox(robot, topics.STOP)
            self._commands = self._inbox(robot, topics.COMMAND)
            self._heartbeats = self._inbox(robot, topics.HEARTBEAT)
            self._inboxes = {
                topic.name: (self._inbox(robot, topic), sessions.Codec(topic))
                for topic in topics.TOPICS
                if topic.into_core and topic not in _GATED
            }
            self._publishers = {
                topic.name: sessions.publisher(
                    self._session,
                    topics.key(robot, topic, SENDER),
                    topic,
                    lossless_batches and topic is topics.BATCH,
                )
                for topic in topics.TOPICS
                if not topic.into_core
            }
        except Exception:
            self._session.close()  # type: ignore[no-untyped-call]
            raise
        # A NumPy scalar in a field must not fail the loop.
        self._encode = msgspec.msgpack.Encoder(enc_hook=_plain).encode
        self._polls = 0
        self._send_failures = 0
        self._sent: dict[str, tuple[msgspec.Struct, bytes]] = {}
        self._batch = self._publishers[topics.BATCH.name]

    def _inbox(
        self, robot: str, topic: Topic[Any]
    ) -> zenoh.Subscriber[zenoh.handlers.Handler[zenoh.Sample]]:
        return self._session.declare_subscriber(
            topics.key(robot, topic), zenoh.handlers.RingChannel(topic.depth)
        )

    @property
    def dropped(self) -> Dropped:
        """Numbers of dropped messages by reason."""
        return self._gate.dropped

    @property
    def send_failures(self) -> int:
        """Number of messages that could not be sent."""
        return self._send_failures

    def commands(self) -> list[Envelope]:
        """Return the operators' commands since the last poll, STOP first. Never raises.

        It returns at most `COMMANDS_PER_POLL`; the next poll returns the rest.
        """
        now_s = time.monotonic()
        found: list[Envelope] = []
        stop = self._stops.try_recv()
        while stop is not None:
            found.append(self._gate.stop(self._payload(stop, topics.STOP) or b"", now_s))
            stop = self._stops.try_recv() if len(found) < COMMANDS_PER_POLL else None
        sample = self._commands.try_recv()
        while sample is not None:
            payload = self._payload(sample, topics.COMMAND)
            if payload is not None:
                envelope = self._gate.command(payload, now_s)
                if envelope is not None:
                    found.append(envelope)
            if len(found) >= COMMANDS_PER_POLL:
                break
            sample = self._commands.try_recv()
        self._polls += 1
        if self._polls % POLLS_PER_HEARTBEAT_POLL == 0:
            self.poll_heartbeats(now_s)
        return found

    def poll_heartbeats(self, now_s: float) -> None:
        """Take heartbeats; every tenth call of `commands` does so too."""
        for _ in range(HEARTBEATS_PER_POLL):
            sample = self._heartbeats.try_recv()
            if sample is None:
                return
            payload = self._payload(sample, topics.HEARTBEAT)
            if payload is not None:
                self._gate.heartbeat(payload, now_s)

    def _payload(self, sample: zenoh.Sample, topic: Topic[Any]) -> bytes | None:
        payload = sample.payload
        if len(payload) > topic.max_bytes:
            self._gate.oversized()
            return None
        return payload.to_bytes()

    def ages(self, now_s: float | None = None) -> dict[str, float]:
        """Return the age of each sender's last heartbeat on the host's monotonic clock [s]."""
        return self._gate.ages(time.monotonic() if now_s is None else now_s)

    def operator_age_s(self, now_s: float | None = None) -> float:
        """Return the age of the newest operator heartbeat [s], infinity without one."""
        return self._gate.operator_age_s(time.monotonic() if now_s is None else now_s)

    def silent(self, roles: tuple[str, ...], longest_s: float) -> tuple[str, ...]:
        """Return the processes without a heartbeat for longer than a time [s]."""
        ages = self._gate.ages(time.monotonic())
        present = {sender.partition("-")[0] for sender, age_s in ages.items() if age_s <= longest_s}
        return tuple(role for role in roles if role not in present)

    def poll(self, topic: Topic[T]) -> T | None:
        """Return the next message of an inbound topic, or None.

        An invalid message is dropped and counted.
        """
        inbox, codec = self._inboxes[topic.name]
        sample = inbox.try_recv()
        payload = None if sample is None else self._payload(sample, topic)
        if payload is None:
            return None
        try:
            message: T = codec.decode(payload)
        except (msgspec.DecodeError, ValueError, RecursionError):
            self._gate.dropped.malformed += 1
            return None
        return message

    def await_siblings(
        self, roles: tuple[str, ...], timeout_s: float, give_up: Callable[[], bool] = lambda: False
    ) -> tuple[str, ...]:
        """Wait, before the loop starts, for the first heartbeats; return the roles without one."""
        deadline = time.monotonic() + timeout_s
        while True:
            now_s = time.monotonic()
            self.poll_heartbeats(now_s)
            missing = self.silent(roles, math.inf)
            if not missing or now_s >= deadline or give_up():
                return missing
            time.sleep(0.01)

    def publish(self, message: msgspec.Struct) -> None:
        """Send a message on the topic of its type; a repeated object is encoded once.

        Never raises for a message in the table of topics.
        """
        name = topics.topic_of(message).name
        sent = self._sent.get(name)
        if sent is None or sent[0] is not message:
            sent = self._sent[name] = (message, self._encode(message))
        self._put(self._publishers[name], sent[1])

    def publish_batch(self, block: bytes) -> None:
        """Send a block of ticks to the scribe. Never raises."""
        self._put(self._batch, block)

    def _put(self, publisher: zenoh.Publisher, payload: bytes) -> None:
        try:
            publisher.put(payload)
        except zenoh.ZError:
            self._send_failures += 1

    def close(self) -> None:
        """Close the session; sent messages are still delivered."""
        self._session.close()  # type: ignore[no-untyped-call]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _plain(value: Any) -> Any:
    """Return a NumPy scalar as a Python number, and any other object as text."""
    return value.item() if isinstance(value, np.generic) else str(value)
