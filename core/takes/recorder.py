"""The recorder: a separate process that writes takes and never slows the core."""

import datetime
import os
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from core.link import topics
from core.link.catalogue.takes import TAKE_FULL
from core.link.client import Client
from core.link.hello import Hello
from core.link.take import TakeBegin, TakeEnd, TakeMark, TakeReport, TakeZero
from core.link.wording import text
from core.record.errors import RecordError
from core.record.schema import dtype_of
from core.record.tape import read_block
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.takes.disk import check_room
from core.takes.listener import Listener
from core.takes.open_sound import OpenSound
from devices.interface import SoundInput
from shows.take import MAX_TAKE_S, ROUNDING_S, TakeWriter

POLL_S = 0.02
REPORT_S = 0.2
SYNC_S = 1.0  # longest time until samples survive a power cut
KEPT_BLOCKS = 64  # blocks kept for a take that has begun before its order arrives
LATE_S = 1.0  # longest wait for the last ticks of a take
MAX_TROUBLE = 500
RESERVE_BYTES = 8 * 2**20  # of the disk, that stay free for others

Rows = npt.NDArray[np.void]


class OpenTake:
    """The file of a take: empty while it is counted in, written from its beginning on.

    A file without samples is deleted.

    Args:
        order: the order to create the file.
        reserve_bytes: space that stays free on the disk.

    Attributes:
        order: the order to create the file.
        end: the order to end; None before it.
        sound: its sound; None without a microphone.
        complete: all its ticks are in the file.
        asked_s: time of the order to end, on the host's monotonic clock [s].
        saved_s: length in the file [s].

    Raises:
        OSError: the file cannot be created, or the disk has no room.
        ValueError: the path is not one.
    """

    def __init__(self, order: TakeBegin, reserve_bytes: int = RESERVE_BYTES) -> None:
        self.order = order
        self.end: TakeEnd | None = None
        self.complete = False
        self.asked_s = 0.0
        self.saved_s = 0.0
        self._path = Path(order.path)
        self._reserve_bytes = reserve_bytes
        self._path.parent.mkdir(parents=True, exist_ok=True)
        check_room(self._path.parent, reserve_bytes)
        self._stream: BinaryIO = self._path.open("xb", buffering=0)  # never replaces a file
        self.sound: OpenSound | None = None
        if order.microphone is not None:
            self.sound = OpenSound(self._path, reserve_bytes)
        self._writer: TakeWriter | None = None
        self._dtype: np.dtype[np.void] = np.dtype([])
        self._period_s = self._synced_s = 0.0
        self._next_s = order.start_s

    @property
    def begun(self) -> bool:
        """Its beginning was ordered."""
        return self._writer is not None

    @property
    def size_bytes(self) -> int:
        """Size of the file."""
        return 0 if self._writer is None else self._writer.size_bytes

    @property
    def done(self) -> bool:
        """All of it is in its files."""
        return self.complete and (self.sound is None or self.sound.complete)

    def begin(self, order: TakeZero) -> None:
        """Write the description; the ticks from the beginning on can follow.

        Raises:
            OSError: the disk refused.
        """
        now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        self._dtype, self._period_s = order.head.dtype, 1.0 / order.head.rate_hz
        head = msgspec.structs.replace(order.head, recorded_at=now)
        self._writer = TakeWriter(self._stream, head)
        if self.sound is not None:
            self.sound.begin(order.host_s)

    def take(self, rows: Rows) -> None:
        """Write the ticks of a block; nothing before the beginning.

        Raises:
            OSError: the disk refused, or has no room.
        """
        start_s, end, writer = self.order.start_s, self.end, self._writer
        times = rows["t"]
        if writer is None or not len(times) or times[-1] < start_s:
            return
        check_room(self._path.parent, self._reserve_bytes)
        latest_s = start_s + MAX_TAKE_S
        chosen = self._choose(times, latest_s if end is None else min(end.stamp_s, latest_s))
        if len(chosen):
            found = rows[chosen]
            samples = np.zeros(len(chosen), dtype=self._dtype)
            samples["t"] = np.maximum(found["t"] - start_s, 0.0)  # at the start, it is rounded
            samples["q"], samples["velocity"] = found["q"], found["velocity_command"]
            samples["mode"], samples["states"] = found["mode"], found["motion_state"]
            writer.samples(samples)
            self.saved_s = float(samples["t"][-1])
            if self.saved_s - self._synced_s > SYNC_S:
                os.fdatasync(self._stream.fileno())
                self._synced_s = self.saved_s
        if end is None and float(times[-1]) > latest_s:  # the core ended it, or is gone
            self.end_at(TakeEnd(latest_s, text(TAKE_FULL(limit_s=MAX_TAKE_S))))
        self.complete = self.end is not None and float(times[-1]) >= self.end.stamp_s

    def mark(self, order: TakeMark) -> None:
        """Write a marker.

        Raises:
            OSError: the disk refused.
        """
        if self._writer is not None:
            self._writer.mark(order.stamp_s - self.order.start_s, order.name)

    def end_at(self, order: TakeEnd) -> None:
        """Set the time of its end."""
        self.end, self.asked_s = order, time.monotonic()
        if self.sound is not None:
            self.sound.end(order.stamp_s - self.order.start_s)

    def finish(self, reason: str) -> None:
        """Write the end and close the files."""
        if self.sound is not None:
            self.sound.finish()
        if self.saved_s > 0.0 and self._writer is not None:
            self._writer.end(reason)
            os.fsync(self._stream.fileno())
        self.close()

    def close(self) -> None:
        """Close the files as they are; delete them without samples."""
        self._stream.close()
        if self.sound is not None:
            self.sound.close()
        if self.saved_s <= 0.0:
            self._path.unlink(missing_ok=True)
            if self.sound is not None:
                self.sound.discard()

    def _choose(self, times: npt.NDArray[np.float64], end_s: float) -> list[int]:
        """Return the ticks to write: the first at or after each sample's time."""
        chosen = []
        for index, time_s in enumerate(times.tolist()):
            if time_s + ROUNDING_S < self._next_s or time_s > end_s:
                continue
            chosen.append(index)
            behind = time_s - self._next_s
            self._next_s += self._period_s * (1 + int(behind / self._period_s + 1e-6))
        return chosen


class Recorder:
    """Writes one take after the other, from the ticks that the core publishes.

    Args:
        client: connection to the core; subscribed before the first heartbeat.
        microphone: hears the sound of takes.
        reserve_bytes: space that stays free on the disk.
    """

    def __init__(
        self, client: Client, microphone: SoundInput, reserve_bytes: int = RESERVE_BYTES
    ) -> None:
        self._client, self._reserve_bytes = client, reserve_bytes
        self._listener = Listener(client, microphone)
        self._blocks = client.subscribe(topics.BATCH)
        self._orders = client.subscribe(topics.TAKE)
        self._hellos = client.subscribe(topics.HELLO)
        self._hello: Hello | None = None
        self._dtype: np.dtype[np.void] | None = None
        self._kept: deque[bytes] = deque(maxlen=KEPT_BLOCKS)
        self._take: OpenTake | None = None
        self._report_s = 0.0

    def step(self) -> None:
        """Carry out orders and write new ticks."""
        for hello in self._hellos.poll():
            if hello != self._hello:
                self._hello, self._dtype = hello, dtype_of(hello)
        blocks = self._blocks.poll()
        orders = self._orders.poll()
        for order in orders:
            if isinstance(order, TakeBegin):
                self._open(order)
            elif self._take is not None:
                self._obey(self._take, order)
        for block in blocks:
            self._kept.append(block)
            self._write(block)
        self._listen()
        self._tell()

    def _listen(self) -> None:
        """Read the microphone, for the level and for the take."""
        take = self._take
        chosen = None if take is None else take.order.microphone
        heard, trouble = self._listener.step(time.monotonic(), chosen)
        if take is None:
            return
        if take.sound is not None:
            take.sound.take(heard, trouble)
        if take.done:
            assert take.end is not None, "only an ended take is done"
            self._finish(take, take.end.reason)

    def close(self) -> None:
        """End the take as the run ends."""
        if self._take is not None:
            self._finish(self._take, "the run ended")
        self._listener.close()

    def _open(self, order: TakeBegin) -> None:
        if self._take is not None:
            self._finish(self._take, "another take began")
        try:
            self._take = OpenTake(order, self._reserve_bytes)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            why = f"{Path(order.path).name} cannot be written ({reason}); choose another place"
            self._publish(TakeReport(order.path, "failed", trouble=why[:MAX_TROUBLE]))
            return
        self._report_s = 0.0
        if self._take.sound is not None:
            self._take.sound.take([*self._listener.recent], "")

    def _obey(self, take: OpenTake, order: TakeZero | TakeMark | TakeEnd) -> None:
        """Carry out an order to the take that is open."""
        if isinstance(order, TakeZero):
            if self._try(take, partial(take.begin, order)):
                for block in self._kept:
                    self._write(block)
        elif isinstance(order, TakeMark):
            self._try(take, partial(take.mark, order))
        elif take.begun:
            take.end_at(order)
        else:
            self._finish(take, order.reason)

    def _write(self, block: bytes) -> None:
        take = self._take
        if take is None or self._dtype is None:
            return
        try:
            rows = read_block(block, self._dtype).rows
        except RecordError:
            return  # of another core, which this take is not about
        self._try(take, partial(take.take, rows))

    def _try(self, take: OpenTake, act: Callable[[], None]) -> bool:
        """Act on a take; if the disk refuses, the take ends with the file's present content."""
        try:
            act()
        except OSError as error:
            take.close()
            self._take = None
            why = f"the disk refused ({error.strerror}); make room, then record again"
            self._publish(_report(take, "failed", why))
            return False
        return True

    def _finish(self, take: OpenTake, reason: str) -> None:
        self._take = None
        if self._try(take, partial(take.finish, reason)):
            self._publish(_report(take, "saved"))

    def _tell(self) -> None:
        """Report while a take is written; end one whose last ticks do not come."""
        take, now_s = self._take, time.monotonic()
        if take is None:
            return
        if take.end is not None and now_s - take.asked_s > LATE_S:
            self._finish(take, take.end.reason)
        elif now_s >= self._report_s:
            self._report_s = now_s + REPORT_S
            self._publish(_report(take, "writing"))

    def _publish(self, report: TakeReport) -> None:
        self._client.publish(report)


def _report(
    take: OpenTake, state: Literal["writing", "saved", "failed"], trouble: str = ""
) -> TakeReport:
    sound = take.sound
    return TakeReport(
        path=take.order.path,
        state=state,
        saved_s=take.saved_s,
        size_bytes=take.size_bytes,
        trouble=trouble,
        sound_s=None if sound is None else sound.saved_s,
        sound_trouble="" if sound is None else sound.trouble[:MAX_TROUBLE],
    )


def run(
    config: LaunchConfig,
    lifeline: Lifeline,
    microphone: SoundInput,
    reserve_bytes: int = RESERVE_BYTES,
) -> int:
    """Run the recorder until a request to end.

    Args:
        config: launch configuration.
        lifeline: ends the process.
        microphone: hears the sound of takes.
        reserve_bytes: space that stays free on the disk.

    Raises:
        LinkError: the core does not answer.
    """
    with Client(
        config.endpoint, config.robot, "recorder", timeout_s=30.0, give_up=lambda: lifeline.ended
    ) as client:
        recorder = Recorder(client, microphone, reserve_bytes)
        while not lifeline.ended:
            client.beat()
            recorder.step()
            time.sleep(POLL_S)
        recorder.close()
    return 0
