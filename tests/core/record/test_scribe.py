"""The scribe, a real process with a real server: killed, ended by request, with a full disk."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcap.reader import make_reader

from core.link.client import Client
from core.link.event import Event
from core.link.partner import Human, Reply
from core.link.report import Report
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.statement import Statement
from core.link.status import Status
from core.record import scribe
from core.record.errors import RecordError
from core.record.reader import read
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from tests.core.record.records import blocks, write
from tests.stand_in import HELLO

pytestmark = pytest.mark.realtime

SCRIBE = """
import resource, sys
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.record import scribe
limit, reserve = int(sys.argv[2]), int(sys.argv[3])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
sys.exit(scribe.run(LaunchConfig.from_json(sys.argv[1]), Lifeline(), reserve))
"""


class Run:
    """A server and a scribe."""

    def __init__(self, path: Path, limit: int = 0, reserve: int = 0) -> None:
        self.path = path
        self.server = Server(free_endpoint(), "kid_cosmo", lossless_batches=True)
        config = LaunchConfig(self.server.endpoint, log=str(path))
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIBE, config.to_json(), str(limit), str(reserve)],
            stderr=subprocess.PIPE,
            text=True,
        )

    def begin(self) -> None:
        assert self.server.await_siblings(("scribe",), 30.0) == ()
        self.server.publish(HELLO)

    def play(self, ticks: int, last: bool) -> None:
        for number, block in enumerate(blocks(ticks, last)):
            self.server.publish_batch(block)
            self.server.publish(Status(number * 0.05))

    def end(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def make(**options: int) -> Run:
        runs.append(Run(tmp_path / "run.mcap", **options))
        return runs[-1]

    yield make
    for run in runs:
        run.process.kill()
        run.process.communicate()
        run.server.close()


def wait_for(path: Path, size: int) -> None:
    deadline = time.monotonic() + 30.0
    while not path.exists() or path.stat().st_size < size:
        assert time.monotonic() < deadline, "the scribe wrote nothing"
        time.sleep(0.01)


def test_it_ends_by_itself_after_the_last_block(start: Callable[..., Run]) -> None:
    run = start()
    run.begin()
    run.server.publish(Event(0.0, "core", "started"))
    run.server.publish(Status(0.0, host_stamp_s=2.0))
    with Client(run.server.endpoint, "kid_cosmo", "partner") as partner:
        for stamp_s in (2.0, 2.1):
            partner.publish(Human(stamp_s, ((0.0, 0.0, 0.0),) * 22))
            partner.publish(Reply(1, stamp_s, "bow", "wave"))
        time.sleep(0.3)  # another sender than the core: no order between them
        run.play(3000, last=True)
    run.server.publish(Report(True, Statement("done"), cues_played=3))
    assert run.end() == (0, "")
    recording = read(run.path)
    assert recording.problem == "" and len(recording.column("t")) == 3000
    assert recording.event_text == ["core: started"]
    assert recording.report is not None and recording.report.cues_played == 3
    with run.path.open("rb") as file:
        topics = [c.topic for _, c, _ in make_reader(file).iter_messages(["/human", "/reply"])]
    assert sorted(topics) == ["/human", "/human", "/reply", "/reply"]


def test_blocks_before_the_hello_are_kept(start: Callable[..., Run]) -> None:
    run = start()
    assert run.server.await_siblings(("scribe",), 30.0) == ()
    found = blocks(30_000)  # more than its inbox holds
    for block in found[:400]:
        run.server.publish_batch(block)
    run.server.publish(HELLO)
    for block in found[400:]:
        run.server.publish_batch(block)
    run.server.publish(Report(True, Statement("done")))
    assert run.end() == (0, "")
    assert len(read(run.path).column("t")) == 30_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_it_closes_the_file(start: Callable[..., Run], number: signal.Signals) -> None:
    run = start()
    run.begin()
    run.play(2000, last=False)
    wait_for(run.path, 100_000)
    run.process.send_signal(number)
    assert run.end() == (scribe.INCOMPLETE, "")
    recording = read(run.path)
    assert len(recording.column("t")) == 2000
    assert "the core did not end it" in recording.problem


def test_killed_it_leaves_what_was_flushed(start: Callable[..., Run]) -> None:
    run = start()
    run.begin()
    run.play(4000, last=False)
    wait_for(run.path, 400_000)
    run.process.kill()
    run.end()
    recording = read(run.path)
    t = recording.column("t")
    assert len(t) >= 1000 and t[0] == 0.0
    assert "its end is missing" in recording.problem


def test_the_core_gone_and_asked_to_end_it_closes_the_file(start: Callable[..., Run]) -> None:
    run = start()
    run.begin()
    run.play(2000, last=False)
    wait_for(run.path, 100_000)
    run.server.close()
    run.process.terminate()
    assert run.end()[0] == scribe.INCOMPLETE
    assert len(read(run.path).column("t")) == 2000


def test_a_full_disk_ends_the_file_and_not_the_run(start: Callable[..., Run]) -> None:
    run = start(reserve=2**62)
    run.begin()
    time.sleep(2.0 * scribe.FLUSH_S)
    run.play(3000, last=True)
    status, errors = run.end()
    assert status == scribe.INCOMPLETE
    assert len(errors.splitlines()) == 1 and "the disk is full" in errors
    assert run.path.stat().st_size < 50_000
    with run.path.open("rb") as file:
        lines = [m.data for _, _, m in make_reader(file).iter_messages(topics=["/events"])]
    assert len(lines) == 1 and b"the disk is full" in lines[0]


def test_a_write_that_fails_leaves_what_was_written(start: Callable[..., Run]) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    run = start(limit=400_000)
    run.begin()
    run.play(6000, last=True)
    status, errors = run.end()
    assert status == scribe.INCOMPLETE
    assert "ends at" in errors.splitlines()[0]
    assert "Traceback" not in errors
    assert 0 < len(read(run.path).column("t")) < 6000


def test_a_run_that_never_begins_does_not_replace_a_record(start: Callable[..., Run]) -> None:
    run = start()
    write(run.path, ticks=50)
    before = run.path.read_bytes()
    assert run.server.await_siblings(("scribe",), 30.0) == ()
    run.process.terminate()
    assert run.end() == (scribe.INCOMPLETE, "")
    assert run.path.read_bytes() == before


def test_asked_to_end_before_the_core_is_there_it_ends(tmp_path: Path) -> None:
    config = LaunchConfig(free_endpoint(), log=str(tmp_path / "run.mcap"))
    line = [sys.executable, "-c", SCRIBE, config.to_json(), "0", "0"]
    with subprocess.Popen(line, stderr=subprocess.PIPE) as process:
        time.sleep(1.0)
        process.terminate()
        assert process.wait(10) != 0


def test_without_a_path_or_a_folder_it_refuses(tmp_path: Path) -> None:
    for config in (
        LaunchConfig("tcp/127.0.0.1:9"),
        LaunchConfig("tcp/127.0.0.1:9", log=str(tmp_path / "no" / "run.mcap")),
    ):
        before = {n: signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGINT)}
        try:
            with pytest.raises(RecordError):
                scribe.run(config, Lifeline())
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    assert os.listdir(tmp_path) == []
