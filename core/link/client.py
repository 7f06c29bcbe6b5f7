"""The client end of the link, for operators and siblings; independent of any GUI toolkit."""

import os
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import msgspec
import zenoh

from core.link import session as sessions
from core.link import topics
from core.link.commands import Command, Stop
from core.link.envelope import Envelope, Heartbeat
from core.link.event import Event
from core.link.hello import Hello
from core.link.report import Report
from core.link.status import Status
from core.link.topics import Topic

HEARTBEAT_S = 0.1
T = TypeVar("T")


class Inbox(Generic[T]):
    """The messages of one topic, newest last; invalid ones are dropped and counted."""

    def __init__(
        self,
        session: zenoh.Session,
        robot: str,
        topic: Topic[T],
        wait: bool,
        wake: threading.Event | None = None,
    ) -> None:
        """Subscribe; with `wait` a full inbox slows the sender down instead of dropping.

        A message sets `wake`, if there is one, for a reader that sleeps.
        """
        self._topic = topic
        self._codec = sessions.Codec(topic)
        self.dropped = 0
        address = topics.key(robot, topic)
        if wake is not None:
            arrived: deque[Any] = deque(maxlen=topic.depth)

            def take(sample: Any) -> None:
                arrived.append(sample)
                wake.set()

            self._subscriber: Any = session.declare_subscriber(address, take)
            self._next: Callable[[], Any] = lambda: arrived.popleft() if arrived else None
            return
        channel: Any = (
            zenoh.handlers.FifoChannel(topic.depth)
            if wait
            else zenoh.handlers.RingChannel(topic.depth)
        )
        self._subscriber = session.declare_subscriber(address, channel)
        self._next = self._subscriber.try_recv

    def poll(self) -> list[T]:
        """Return the messages since the last poll, at most the topic's depth."""
        found: list[T] = []
        for _ in range(self._topic.depth):
            sample = self._next()
            if sample is None:
                break
            payload = sample.payload
            if len(payload) > self._topic.max_bytes:
                self.dropped += 1
                continue
            try:
                found.append(self._codec.decode(payload.to_bytes()))
            except (msgspec.DecodeError, ValueError, RecursionError):
                self.dropped += 1
        return found

    def receive(self, timeout_s: float) -> T | None:
        """Return the next message, or None after a timeout [s]."""
        deadline = time.monotonic() + timeout_s
        while True:
            sample = self._next()
            if sample is not None:
                payload = sample.payload
                if len(payload) <= self._topic.max_bytes:
                    try:
                        message: T = self._codec.decode(payload.to_bytes())
                        return message
                    except (msgspec.DecodeError, ValueError, RecursionError):
                        pass
                self.dropped += 1
                continue
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.002)


class Client:
    """A connection to a core: sends commands and heartbeats, receives messages.

    It has no thread: its owner calls `beat` in its own loop, so that a process whose loop hangs
    falls silent.
    """

    def __init__(
        self,
        endpoint: str,
        robot: str,
        role: str,
        operator: bool = False,
        timeout_s: float = 5.0,
        give_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Connect.

        Args:
            endpoint: endpoint of the core.
            robot: name in the key space.
            role: role of this process; its sender name is the role and a unique suffix.
            operator: a person uses this process.
            timeout_s: longest wait for the core [s].
            give_up: returns True to end the wait early.

        Raises:
            LinkError: no core answers.
        """
        self.sender = f"{role}-{os.getpid()}-{secrets.token_hex(3)}"
        self._robot = robot
        self._operator = operator
        self._lock = threading.Lock()
        self._sequence = 0
        self._beats = 0
        self._next_beat_s = 0.0
        self._encode = msgspec.msgpack.Encoder().encode
        self._publishers: dict[str, zenoh.Publisher] = {}
        self._inboxes: dict[str, Inbox[Any]] = {}
        self._last_status: Status | None = None
        self._session = sessions.connect(endpoint, timeout_s, give_up)

    def send(self, command: Command) -> int:
        """Send a command and return its sequence number. Safe from any thread.

        Raises:
            LinkError: the topic's key is malformed.
        """
        topic = topics.STOP if isinstance(command, Stop) else topics.COMMAND
        with self._lock:
            self._sequence += 1
            envelope = Envelope(self.sender, self._sequence, time.monotonic(), command)
            self._publisher(topic).put(self._encode(envelope))
            return self._sequence

    def beat(self) -> None:
        """Send a heartbeat if one is due; call it at least every 100 ms."""
        now_s = time.monotonic()
        if now_s < self._next_beat_s:
            return
        self._next_beat_s = now_s + 0.5 * HEARTBEAT_S
        with self._lock:
            self._beats += 1
            message = Heartbeat(self.sender, self._beats, now_s, self._operator)
            self._publisher(topics.HEARTBEAT).put(self._encode(message))

    def publish(self, message: msgspec.Struct) -> None:
        """Send a message other than a command, on the topic of its type. Thread-safe."""
        self.publish_bytes(topics.topic_of(message), self._encode(message))

    def publish_bytes(self, topic: Topic[Any], payload: bytes) -> None:
        """Send an encoded message. Thread-safe."""
        with self._lock:
            self._publisher(topic).put(payload)

    def subscribe(
        self, topic: Topic[T], wait: bool = False, wake: threading.Event | None = None
    ) -> Inbox[T]:
        """Return the inbox of a topic, see `Inbox`; each call returns the same one."""
        inbox = self._inboxes.get(topic.name)
        if inbox is None:
            inbox = Inbox(self._session, self._robot, topic, wait, wake)
            self._inboxes[topic.name] = inbox
        return inbox

    def status(self) -> Status | None:
        """Return the newest status, or None before the first."""
        found = self.subscribe(topics.STATUS).poll()
        if found:
            self._last_status = found[-1]
        return self._last_status

    def events(self) -> list[Event]:
        """Return the events since the last call, including those of the siblings."""
        return self.subscribe(topics.EVENT).poll()

    def hello(self, timeout_s: float) -> Hello | None:
        """Return the description of the core, or None after a timeout [s]."""
        return self.subscribe(topics.HELLO).receive(timeout_s)

    def report(self) -> Report | None:
        """Return the report of the run, or None before its end."""
        found = self.subscribe(topics.REPORT).poll()
        return found[-1] if found else None

    def _publisher(self, topic: Topic[Any]) -> zenoh.Publisher:
        publisher = self._publishers.get(topic.name)
        if publisher is None:
            address = topics.key(self._robot, topic, self.sender)
            # What is large and sent once may wait. What is sent again and again may be lost: a
            # console must not block on a frozen core, nor the stagehand on a frozen console.
            lossless = topic.lane == "bulk" and topic.rate_hz == 0.0
            publisher = sessions.publisher(self._session, address, topic, lossless)
            self._publishers[topic.name] = publisher
        return publisher

    def close(self) -> None:
        """Close the session."""
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
