"""The filter of inbound messages: invalid, old and repeated messages are dropped and counted."""

from dataclasses import dataclass
from typing import Any

import msgspec

from core.link.commands import Command, Stop
from core.link.envelope import Envelope, Heartbeat

MAX_SENDERS = 64


@dataclass(slots=True)
class Dropped:
    """Numbers of dropped messages by reason.

    Attributes:
        malformed: not a message of the topic, out of bounds, or not finite.
        oversized: longer than its topic allows.
        replayed: the sender's sequence number did not increase.
        stale: its time of sending is too old, or in the future.
        crowded: there were too many senders.
    """

    malformed: int = 0
    oversized: int = 0
    replayed: int = 0
    stale: int = 0
    crowded: int = 0

    @property
    def total(self) -> int:
        """Number of all dropped messages."""
        return self.malformed + self.oversized + self.replayed + self.stale + self.crowded


@dataclass(slots=True)
class _Sender:
    """The state of one sender: sequence numbers, times of its messages, whether it operates."""

    command_sequence: int = -1
    heartbeat_sequence: int = -1
    heard_s: float = -1.0
    beat_s: float = -1.0
    operator: bool = False


class Gate:
    """Checks inbound bytes. Never raises: an invalid message is dropped and counted.

    Times are on the host's monotonic clock, which senders on the same machine share.
    """

    def __init__(self, max_age_s: float = 0.5, forget_s: float = 10.0) -> None:
        """Set the largest age of a message, and how long a silent sender is remembered [s]."""
        self.dropped = Dropped()
        self._max_age_s = max_age_s
        # A forgotten sender could replay messages; these must be stale by then.
        self._forget_s = max(forget_s, 2.0 * max_age_s)
        self._senders: dict[str, _Sender] = {}
        self._envelopes = msgspec.msgpack.Decoder(Envelope)
        self._heartbeats = msgspec.msgpack.Decoder(Heartbeat)

    def command(self, payload: bytes, now_s: float) -> Envelope | None:
        """Return the envelope, or None if it is dropped."""
        envelope: Envelope | None = self._decode(self._envelopes, payload)
        if envelope is None or not self._fresh(envelope.stamp_s, now_s):
            return None
        sender = self._sender(envelope.sender, now_s)
        if sender is None:
            return None
        if envelope.sequence <= sender.command_sequence:
            self.dropped.replayed += 1
            return None
        sender.command_sequence = envelope.sequence
        sender.heard_s = now_s
        return envelope

    def stop(self, payload: bytes, now_s: float) -> Envelope:
        """Return a STOP for any payload: on this topic, invalid data must lead to less motion too.

        Commands with a lower sequence number that arrive after the STOP are dropped.
        """
        envelope = self._decode(self._envelopes, payload)
        if envelope is None:
            return Envelope("unknown", 0, max(now_s, 0.0), Stop())
        sender = self._sender(envelope.sender, now_s)
        if sender is not None:
            sender.command_sequence = max(sender.command_sequence, envelope.sequence)
            sender.heard_s = now_s
        command: Command = Stop()
        return Envelope(envelope.sender, envelope.sequence, envelope.stamp_s, command)

    def heartbeat(self, payload: bytes, now_s: float) -> None:
        """Take a heartbeat."""
        beat = self._decode(self._heartbeats, payload)
        if beat is None or not self._fresh(beat.stamp_s, now_s):
            return
        sender = self._sender(beat.sender, now_s)
        if sender is None:
            return
        if beat.sequence <= sender.heartbeat_sequence:
            self.dropped.replayed += 1
            return
        sender.heartbeat_sequence = beat.sequence
        sender.heard_s = now_s
        sender.operator = beat.operator
        # The age counts from the time of sending, so that a late heartbeat does not look new.
        sender.beat_s = max(sender.beat_s, min(beat.stamp_s, now_s))

    def oversized(self) -> None:
        """Count a message that exceeds its topic's size."""
        self.dropped.oversized += 1

    def ages(self, now_s: float) -> dict[str, float]:
        """Return the age of the last heartbeat of each sender that has sent one [s]."""
        return {n: now_s - s.beat_s for n, s in self._senders.items() if s.beat_s >= 0.0}

    def operator_age_s(self, now_s: float) -> float:
        """Return the age of the newest operator heartbeat [s]; infinity without one."""
        youngest = -1.0
        for sender in self._senders.values():
            if sender.operator and sender.beat_s > youngest:
                youngest = sender.beat_s
        return now_s - youngest if youngest >= 0.0 else float("inf")

    def _decode(self, decoder: msgspec.msgpack.Decoder[Any], payload: bytes) -> Any:
        try:
            return decoder.decode(payload)
        except (msgspec.DecodeError, ValueError, RecursionError):
            self.dropped.malformed += 1
            return None

    def _fresh(self, stamp_s: float, now_s: float) -> bool:
        if abs(now_s - stamp_s) <= self._max_age_s:
            return True
        self.dropped.stale += 1
        return False

    def _sender(self, name: str, now_s: float) -> _Sender | None:
        sender = self._senders.get(name)
        if sender is not None:
            return sender
        if len(self._senders) >= MAX_SENDERS:
            # Rare and bounded: forget senders that have been silent for long.
            for other in [n for n, s in self._senders.items() if self._silent(s, now_s)]:
                del self._senders[other]
            if len(self._senders) >= MAX_SENDERS:
                self.dropped.crowded += 1
                return None
        sender = _Sender()
        self._senders[name] = sender
        return sender

    def _silent(self, sender: _Sender, now_s: float) -> bool:
        return now_s - sender.heard_s > self._forget_s
