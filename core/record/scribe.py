"""The scribe: a separate process that writes the record and never slows the core."""

import math
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from core.link import topics, wording
from core.link.catalogue.run import BLOCKS_MISSING, LOG_ENDS
from core.link.client import Client, Inbox
from core.record.errors import RecordError
from core.record.log_file import RESERVE_BYTES, LogFile, check_path
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline

POLL_S = 0.01
FLUSH_S = 0.25
QUIET_S = 0.5  # silence that ends the log after a request to end
PATIENCE_S = 3.0  # longest time to the end after a request to end
REPORT_S = 0.5  # longest wait for the report after the last block
EARLY_BLOCKS = 2000  # blocks kept until the description of the core arrives
INCOMPLETE = 4
T = TypeVar("T")
R = TypeVar("R")


class Scribe:
    """Writes a run into a file until its last block, or until a request to end.

    A full disk ends the file, not the run: the scribe reports it and continues to listen.
    """

    def __init__(
        self, config: LaunchConfig, path: Path, client: Client, reserve_bytes: int
    ) -> None:
        """Subscribe before the first heartbeat, for which the core waits."""
        self._launch = config.to_json()
        self._path = path
        self._reserve_bytes = reserve_bytes
        self._client = client
        self._log: LogFile | None = None
        # Without real time, the core waits instead of losing a block.
        self._blocks = client.subscribe(topics.BATCH, wait=True)
        self._statuses = client.subscribe(topics.STATUS)
        self._events = client.subscribe(topics.EVENT)
        self._reports = client.subscribe(topics.REPORT)
        self._hellos = client.subscribe(topics.HELLO)
        self._partner: tuple[Inbox[Any], ...] = tuple(
            client.subscribe(topic) for topic in (topics.HUMAN, topics.PARTNER_REPORT, topics.REPLY)
        )
        self._early: deque[bytes] = deque(maxlen=EARLY_BLOCKS)
        self._full = False
        self._reported = False
        self._next_flush_s = 0.0

    def run(self, lifeline: Lifeline) -> int:
        """Write until the end and return the exit status: 0, or 4 if the log is incomplete."""
        asked_s = last_s = math.inf
        heard_s = time.monotonic()
        while True:
            self._client.beat()
            heard, last = self._listen()
            now_s = time.monotonic()
            if heard:
                heard_s = now_s
            if last:
                last_s = min(last_s, now_s)
            if lifeline.ended:
                asked_s = min(asked_s, now_s)
            if self._reported and last_s < math.inf or now_s - last_s > REPORT_S:
                break
            if now_s - max(asked_s, heard_s) > QUIET_S or now_s - asked_s > PATIENCE_S:
                break
            self._flush(now_s)
            if not heard:
                time.sleep(POLL_S)
        return self._close(complete=last_s < math.inf)

    def _listen(self) -> tuple[bool, bool]:
        """Write new messages; return whether there were any, and whether the record ended."""
        blocks = self._blocks.poll()
        if self._log is None:
            # Kept here, because a full inbox would delay the hello.
            self._early.extend(blocks)
            hellos = self._hellos.poll()
            if not hellos:
                return bool(blocks), False
            # Only now: a run that never starts must not replace an earlier record.
            self._log = LogFile(self._path, hellos[-1], self._launch, self._reserve_bytes)
            blocks = list(self._early)
        log = self._log
        statuses, events = self._statuses.poll(), self._events.poll()
        reports = self._reports.poll()
        self._reported = self._reported or bool(reports)
        last = False
        for block in blocks:
            last = self._try(log, log.block, block) or last
        for status in statuses:
            self._try(log, log.status, status)
        for event in events:
            self._try(log, log.event, event)
        for report in reports:
            self._try(log, log.report, report)
        for inbox in self._partner:  # not heard: a partner may outlive the core
            for message in inbox.poll():
                self._try(log, log.partner, message)
        return bool(blocks or statuses or events or reports), last

    def _try(self, log: LogFile, write: Callable[[T], R], message: T) -> R:
        """Write a message; if the disk cannot store it, end the file and only count later ones."""
        try:
            return write(message)
        except OSError as error:
            self._end_early(log, str(error.strerror))
            return write(message)  # sealed: this writes nothing and detects the last block

    def _flush(self, now_s: float) -> None:
        if self._log is None or now_s < self._next_flush_s:
            return
        self._next_flush_s = now_s + FLUSH_S
        try:
            self._log.flush()
        except OSError as error:
            self._end_early(self._log, str(error.strerror))

    def _end_early(self, log: LogFile, why: str) -> None:
        if self._full:
            return
        self._full = True
        said = LOG_ENDS(path=str(self._path), stamp_s=log.last_stamp_s, error=why)
        event = wording.event(None, "scribe", said)
        self._client.publish(event)
        print(wording.text(said), file=sys.stderr)
        try:
            log.event(event)
        except OSError:
            pass  # The link and the standard error output have the message.
        log.seal()

    def _close(self, complete: bool) -> int:
        if self._log is None:
            return INCOMPLETE
        missing = self._log.missing_blocks
        said = BLOCKS_MISSING(blocks=missing)
        if missing:
            print(wording.text(said), file=sys.stderr)
        try:
            if missing:
                self._log.event(wording.event(None, "scribe", said))
            self._log.close()
        except OSError as error:
            print(f"the log has no index: {error.strerror}", file=sys.stderr)
            return INCOMPLETE
        return 0 if complete and not self._full and not missing else INCOMPLETE


def run(config: LaunchConfig, lifeline: Lifeline, reserve_bytes: int = RESERVE_BYTES) -> int:
    """Run the scribe and return the exit status of the process.

    Raises:
        RecordError: the file cannot be written at all.
        LinkError: the core does not answer.
    """
    if config.log is None:
        raise RecordError("a scribe needs the path of a log")
    path = Path(config.log)
    check_path(path)
    client = Client(
        config.endpoint, config.robot, "scribe", timeout_s=30.0, give_up=lambda: lifeline.ended
    )
    with client:
        return Scribe(config, path, client, reserve_bytes).run(lifeline)
