"""Finds packets in a stream of bytes with noise.

A stream knows the ids and lengths of the replies that it awaits. It skips bytes that look like
another header. A header with a wrong checksum, or with another valid packet inside its own, is
discarded, and the search continues with the next byte. So noise can hide the packet that
follows it directly, and no later one. No bytes raise an error, and the buffer never holds more
than one packet or one round of replies.

BEAR packets have no sequence number: a late reply looks like the reply to the next request. The
owner of the line empties it before a request and calls `begin`.
"""

import re
from collections.abc import Mapping

import numpy as np

from devices.families.bear.wire.bulk import BulkReplies
from devices.families.bear.wire.packet import BLOCK, BROADCAST, HEADER, OVERHEAD, Instruction, Reply

_STRANGER = re.compile(rb"\xff\xff[\x00-\xfc][\x02-\x3e]", re.DOTALL)
_MOST_STRANGERS = 16  # headers examined in one stretch of noise, which bounds the cost of noise
_REQUEST = re.compile(rb"\xff\xff[\x00-\xfc\xfe][\x02-\xff][\x01-\x06\x08\x12]", re.DOTALL)


class LineCounts:
    """Statistics of a line since it was opened.

    Attributes:
        good: accepted replies, by id (256).
        bad_checksum: headers of awaited replies with a wrong checksum, by id (256).
        unexpected: valid packets that were not awaited, by id, if received in one piece, and
            second replies to one request (256).
        silent: awaited replies that did not arrive, by id (256).
        noise_bytes: bytes outside accepted replies.
    """

    __slots__ = ("bad_checksum", "good", "noise_bytes", "silent", "unexpected")

    def __init__(self) -> None:
        self.good = np.zeros(256, dtype=np.int64)
        self.bad_checksum = np.zeros(256, dtype=np.int64)
        self.unexpected = np.zeros(256, dtype=np.int64)
        self.silent = np.zeros(256, dtype=np.int64)
        self.noise_bytes = 0


class _Scanner:
    """The search common to all streams.

    A value can look like a header. A reply waits until the packet of such a header has arrived or
    the stream ends: then any pieces of the same bytes give the same replies. A request does not
    wait, for its answers would be a round late.
    """

    _waits_for_inner = True

    def __init__(self, header: re.Pattern[bytes]) -> None:
        self._header = header
        self._kept = b""

    def _search(self, data: bytes, final: bool = False) -> list[bytes]:
        """Return the valid packets in data and keep a possible beginning of one."""
        found = []
        at = end = 0  # offset of the search; end of the last packet
        keep = len(data)
        while True:
            match = self._header.search(data, at)
            if match is None:
                if not final:
                    keep = max(end, at, len(data) - _begun(data))
                break
            start = match.start()
            sound = self._judge(data, start)
            if sound is None and not final:
                keep = start
                break
            if sound or (sound is None and start + 4 + data[start + 3] <= len(data)):
                stop = start + 4 + data[start + 3]
                self._count_noise(data, end, start)
                found.append(data[start:stop])
                at = end = stop
            else:
                at = start + 1
        self._count_noise(data, end, keep)
        self._kept = data[keep:]
        return found

    def _judge(self, data: bytes, start: int) -> bool | None:
        """Return whether a header begins a packet; None if that depends on bytes yet to come.

        A packet that seems valid but has another valid one beginning inside it is noise.
        """
        if not self._is_likely(data, start):
            return False
        stop = start + 4 + data[start + 3]
        if stop > len(data):
            return None
        if not _is_sound(data, start):
            self._count_bad(data[start + 2])
            return False
        is_open = False
        inner = self._header.search(data, start + 1, stop)
        while inner is not None:
            begin = inner.start()
            if self._is_likely(data, begin):
                if begin + 4 + data[begin + 3] > len(data):
                    is_open = self._waits_for_inner
                elif _is_sound(data, begin):
                    self._count_bad(data[start + 2])
                    return False
            inner = self._header.search(data, begin + 1, stop)
        return None if is_open else True

    def _is_likely(self, data: bytes, start: int) -> bool:
        """Return whether a header may begin a packet, judged by more than its pattern."""
        return True

    def _count_noise(self, data: bytes, start: int, stop: int) -> None:
        """Count bytes that belong to no packet."""
        raise NotImplementedError

    def _count_bad(self, packet_id: int) -> None:
        """Count a header that began no valid packet."""
        raise NotImplementedError


class _ReplyScanner(_Scanner):
    """The search for awaited replies."""

    def __init__(self, counts: LineCounts | None) -> None:
        super().__init__(_STRANGER)
        self.counts = counts or LineCounts()

    def _expect(self, data_sizes: Mapping[int, int]) -> None:
        headers = (bytes((i, size + 2)) for i, size in data_sizes.items())
        either = b"|".join(re.escape(header) for header in headers)
        self._header = re.compile(rb"\xff\xff(?:" + either + rb")", re.DOTALL)

    def _drop(self) -> None:
        self.counts.noise_bytes += len(self._kept)
        self._kept = b""

    def _count_bad(self, packet_id: int) -> None:
        self.counts.bad_checksum[packet_id] += 1

    def _count_noise(self, data: bytes, start: int, stop: int) -> None:
        self.counts.noise_bytes += stop - start
        if stop - start < OVERHEAD:
            return
        for looked, match in enumerate(_STRANGER.finditer(data, start, stop)):
            first = match.start()
            last = first + 4 + data[first + 3]
            if last <= stop and _is_sound(data, first):
                self.counts.unexpected[data[first + 2]] += 1
            if looked == _MOST_STRANGERS:
                break


class ReplyStream(_ReplyScanner):
    """Finds the replies to single requests."""

    def __init__(self, counts: LineCounts | None = None) -> None:
        super().__init__(counts)
        self._waiting: set[int] = set()

    def begin(self, data_sizes: Mapping[int, int]) -> None:
        """Start to wait for replies.

        Args:
            data_sizes: size of the reply's data by the id that is to answer.
        """
        self._drop()
        self._expect(data_sizes)
        self._waiting = set(data_sizes)

    def feed(self, data: bytes) -> list[Reply]:
        """Return the awaited replies that are complete by now."""
        return self._replies(self._search(self._kept + data))

    def end(self) -> list[Reply]:
        """Stop waiting: return replies hidden by a false header, and count missing replies."""
        found = self._replies(self._search(self._kept, final=True))
        for actuator_id in self._waiting:
            self.counts.silent[actuator_id] += 1
        self._waiting = set()
        return found

    def _replies(self, packets: list[bytes]) -> list[Reply]:
        for packet in packets:
            self.counts.good[packet[2]] += 1
            self._waiting.discard(packet[2])
        return [Reply(packet[2], packet[4], packet[5:-1]) for packet in packets]


class BulkStream(_ReplyScanner):
    """Finds the replies to one bulk request, round after round, and stores them.

    Complete and undisturbed replies are checked all at once.

    Attributes:
        replies: destination of the replies.
    """

    def __init__(self, replies: BulkReplies, counts: LineCounts | None = None) -> None:
        super().__init__(counts)
        self.replies = replies
        self._each = np.bincount(replies.index, minlength=256)
        self._expect(dict.fromkeys(replies.layout.ids, replies.layout.reply_size - OVERHEAD))

    def begin(self) -> None:
        """Start a round: no actuator has answered."""
        self._drop()
        self.replies.begin()

    def feed(self, data: bytes) -> bool:
        """Process received bytes; return whether every actuator has answered.

        Fewer bytes than all replies are buffered; `end` parses them.
        """
        if self._kept:
            data = self._kept + data
        if len(data) < self.replies.size:
            self._kept = data
            return False
        if self.replies.load(data):
            self._kept = b""
            self.counts.good += self._each
            return True
        self._take(self._search(data))
        return self.replies.complete

    def end(self) -> bool:
        """End a round at its deadline; return whether every actuator has answered."""
        self._take(self._search(self._kept, final=True))
        if self.replies.complete:
            return True
        self.counts.silent[self.replies.index[~self.replies.fresh]] += 1
        return False

    def _take(self, packets: list[bytes]) -> None:
        for packet in packets:
            # The later of two answers belongs to this request.
            counted = self.counts.good if self.replies.take(packet) else self.counts.unexpected
            counted[packet[2]] += 1


class RequestStream(_Scanner):
    """Finds requests, for the actuators' end of the line.

    Attributes:
        good: requests found.
        bad_checksum: likely requests with a wrong checksum.
        noise_bytes: bytes that belong to no request.
    """

    _waits_for_inner = False

    def __init__(self) -> None:
        super().__init__(_REQUEST)
        self.good = 0
        self.bad_checksum = 0
        self.noise_bytes = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the requests that are complete by now, as whole packets."""
        found = self._search(self._kept + data)
        self.good += len(found)
        return found

    def end(self) -> list[bytes]:
        """Return requests hidden by a false header; call it when the line has been idle."""
        found = self._search(self._kept, final=True)
        self.good += len(found)
        return found

    def _is_likely(self, data: bytes, start: int) -> bool:
        length, instruction = data[start + 3], data[start + 4]
        if instruction == Instruction.BULK:
            if data[start + 2] != BROADCAST:
                return False
            if len(data) < start + 7:
                return length >= OVERHEAD
            count, reads, writes = data[start + 5], data[start + 6] >> 4, data[start + 6] & 0x0F
            return length == 4 + reads + writes + count * (1 + 4 * writes)
        if instruction in (Instruction.PING, Instruction.SAVE_CONFIG):
            return length == 2
        if instruction in (Instruction.READ_STATUS, Instruction.READ_CONFIG):
            return length > 2
        if instruction == Instruction.SET_POSITION:
            return length == 10
        if len(data) > start + 5 and data[start + 5] == BLOCK:
            return True
        return length > 2 and (length % 5 == 2 or len(data) <= start + 5)

    def _count_noise(self, data: bytes, start: int, stop: int) -> None:
        self.noise_bytes += stop - start

    def _count_bad(self, packet_id: int) -> None:
        self.bad_checksum += 1


def _is_sound(data: bytes, start: int) -> bool:
    """Check the sum of a complete packet: its header adds 0xFE, the rest 0xFF."""
    return sum(data[start : start + 4 + data[start + 3]]) & 0xFF == 0xFD


def _begun(data: bytes) -> int:
    """Return how many of the last bytes may be the first of a header."""
    for count in (4, 3, 2):
        if data[-count:].startswith(HEADER):
            return count
    return int(data.endswith(HEADER[:1]))
