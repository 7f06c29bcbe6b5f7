"""The server over real sockets: bounded, robust against invalid data, STOP first."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from core.link import session, topics
from core.link.client import Client
from core.link.commands import Command, Go, PauseShow, Stop, Walk
from core.link.envelope import Envelope
from core.link.errors import LinkError
from core.link.event import Event
from core.link.playbill import Entry, Playbill
from core.link.report import Report
from core.link.requests import LoadRequest, ShowRefused
from core.link.server import COMMANDS_PER_POLL, Server
from core.link.sound import VoiceCue, VoiceLibrary
from core.link.statement import Statement
from core.link.status import Status

pytestmark = pytest.mark.realtime

ROBOT = "kid_cosmo"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(session.free_endpoint(), ROBOT) as found:
        yield found


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.endpoint, ROBOT, "console", operator=True) as found:
        yield found


def eventually(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20.0
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def poll(server: Server, count: int) -> list[Envelope]:
    found: list[Envelope] = []

    def enough() -> bool:
        found.extend(server.commands())
        return len(found) >= count

    eventually(enough)
    return found


def raw(server: Server, topic: str, payload: bytes) -> None:
    with session.connect(server.endpoint, 5.0) as other:
        other.put(f"footlight/{ROBOT}/{topic}/stranger", payload)


def test_commands_arrive_once_and_in_order(server: Server, client: Client) -> None:
    sent: list[Command] = [Go(), Walk(vx=0.1), PauseShow()]
    numbers = [client.send(command) for command in sent]
    found = poll(server, 3)
    assert [envelope.command for envelope in found] == sent
    assert [envelope.sequence for envelope in found] == numbers
    assert {envelope.sender for envelope in found} == {client.sender}
    assert server.commands() == []


def test_a_stop_overtakes_a_full_queue(server: Server, client: Client) -> None:
    for _ in range(3 * topics.COMMAND.depth):
        client.send(Walk(vx=0.1))
    client.send(Stop())
    eventually(lambda: bool((found := server.commands()) and isinstance(found[0].command, Stop)))
    assert server.commands() == []  # what was asked before the stop is gone


def test_one_poll_is_bounded(server: Server, client: Client) -> None:
    for _ in range(topics.COMMAND.depth):
        client.send(Go())
    found = poll(server, 1)
    while len(found) < topics.COMMAND.depth:
        batch = server.commands()
        assert len(batch) <= COMMANDS_PER_POLL
        found.extend(batch)
        time.sleep(0.001)
    assert len(found) == topics.COMMAND.depth


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\xff" * 200, b"\x84\xa6sender"])
def test_noise_is_dropped_and_counted(server: Server, payload: bytes) -> None:
    raw(server, "command", payload)
    eventually(lambda: server.commands() == [] and server.dropped.malformed == 1)


def test_oversized_messages_are_not_looked_at(server: Server) -> None:
    raw(server, "command", b"\x00" * (topics.COMMAND.max_bytes + 1))
    eventually(lambda: server.commands() == [] and server.dropped.oversized == 1)


def test_oversized_noise_as_a_stop_still_stops(server: Server) -> None:
    raw(server, "stop", b"\x00" * (topics.STOP.max_bytes + 1))
    assert [envelope.command for envelope in poll(server, 1)] == [Stop()]


def test_old_commands_are_dropped(server: Server) -> None:
    old = Envelope("ghost", 1, time.monotonic() - 5.0, Go())
    raw(server, "command", msgspec.msgpack.encode(old))
    eventually(lambda: server.commands() == [] and server.dropped.stale == 1)


def test_ages_are_known_by_sender(server: Server, client: Client) -> None:
    client.beat()
    assert server.await_siblings(("console",), 10.0) == ()
    assert set(server.ages()) == {client.sender}
    young = server.operator_age_s()
    assert server.operator_age_s(time.monotonic() + 3.0) >= young + 3.0


def test_the_loop_takes_in_heartbeats_by_polling_commands(server: Server, client: Client) -> None:
    client.beat()
    eventually(lambda: server.commands() == [] and bool(server.ages()))


def test_a_sibling_that_never_comes_is_named(server: Server) -> None:
    assert server.await_siblings(("scribe", "voice"), 0.05) == ("scribe", "voice")


def test_who_has_fallen_silent_is_named(server: Server, client: Client) -> None:
    client.beat()
    assert server.await_siblings(("console",), 10.0) == ()
    assert server.silent(("console", "scribe"), 60.0) == ("scribe",)
    time.sleep(0.05)
    assert server.silent(("console", "scribe"), 0.02) == ("console", "scribe")


def test_listeners_hear_everything(server: Server, client: Client) -> None:
    voices, loads = client.subscribe(topics.VOICE), client.subscribe(topics.LOAD)
    playbills = client.subscribe(topics.PLAYBILL)
    client.status()
    client.events()
    client.report()
    client.beat()
    server.await_siblings(("console",), 10.0)
    server.publish(Status(1.5, mode="READY", flags=("battery_low",)))
    server.publish(Event(1.5, "core", "started"))
    server.publish(VoiceLibrary(1.0, {"hello": "/a/hello.flac"}))
    server.publish(VoiceCue("hello", 2.0))
    server.publish(LoadRequest("/a/show"))
    playbill = Playbill(3.0, "Evening", "/a/show", (Entry("1", "Hello"), Entry("2", "", "no")))
    for _ in range(2):
        server.publish(playbill)
    server.publish(Report(True, Statement("done")))
    eventually(lambda: (client.status() or Status(0.0)).stamp_s == 1.5)
    assert voices.receive(5.0) == VoiceLibrary(1.0, {"hello": "/a/hello.flac"})
    assert voices.receive(5.0) == VoiceCue("hello", 2.0)
    assert loads.receive(5.0) == LoadRequest("/a/show")
    assert [playbills.receive(5.0) for _ in range(2)] == [playbill, playbill]
    eventually(lambda: client.events() == [Event(1.5, "core", "started")])
    eventually(lambda: client.report() == Report(True, Statement("done")))
    assert server.send_failures == 0


def test_what_the_stagehand_sends_arrives(server: Server, client: Client) -> None:
    show = os.urandom(3 * 2**20)
    assert server.poll(topics.PREPARED) is None and server.poll(topics.REFUSED) is None
    client.publish_bytes(topics.PREPARED, show)
    client.publish(ShowRefused("/a", "no such cue"))
    eventually(lambda: server.poll(topics.PREPARED) == show)
    eventually(lambda: server.poll(topics.REFUSED) == ShowRefused("/a", "no such cue"))
    raw(server, "refused", b"\xc1")
    eventually(lambda: server.poll(topics.REFUSED) is None and server.dropped.malformed == 1)


def test_siblings_hear_each_other_through_the_core(server: Server, client: Client) -> None:
    with Client(server.endpoint, ROBOT, "voice") as voice:
        client.events()
        client.beat()
        server.await_siblings(("console",), 10.0)
        voice.publish(Event(None, "voice", "no_sound", {"text": "no device"}, "warning"))
        eventually(lambda: [event.code for event in client.events()] == ["no_sound"])


def test_cores_run_side_by_side(server: Server, client: Client) -> None:
    with Server(session.free_endpoint(), ROBOT) as other:
        client.send(Go())
        poll(server, 1)
        assert other.commands() == []


def test_other_robots_are_not_meant(server: Server) -> None:
    with Client(server.endpoint, "other_robot", "console") as stranger:
        stranger.send(Stop())
        stranger.send(Go())
    with Client(server.endpoint, ROBOT, "console") as known:
        known.send(Go())
        assert [envelope.sender for envelope in poll(server, 1)] == [known.sender]


def test_a_unix_socket_serves_as_well(tmp_path: Path) -> None:
    endpoint = f"unixsock-stream/{tmp_path}/core.sock"
    with Server(endpoint, ROBOT) as server, Client(endpoint, ROBOT, "console") as client:
        client.send(Go())
        assert [envelope.command for envelope in poll(server, 1)] == [Go()]


def test_a_taken_port_is_refused_in_one_sentence(server: Server) -> None:
    with pytest.raises(LinkError, match="another core may be using it") as caught:
        Server(server.endpoint, ROBOT)
    assert caught.value.endpoint == server.endpoint
    with pytest.raises(LinkError, match="choose another"):
        session.endpoint_on(int(server.endpoint.rpartition(":")[2]))


@pytest.mark.parametrize("endpoint", ["tcp/0.0.0.0:7447", "udp/127.0.0.1:7447", "tcp/[::]:1", ""])
def test_nothing_listens_to_other_machines(endpoint: str) -> None:
    with pytest.raises(LinkError, match="not on this machine"):
        Server(endpoint, ROBOT)


def own_sockets(protocol: str) -> list[list[str]]:
    """Return the rows of /proc/net of this process's own sockets."""
    inodes = {os.readlink(f) for f in Path("/proc/self/fd").iterdir() if f.is_symlink()}
    rows = [
        row.split()
        for table in (protocol, f"{protocol}6")
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
    ]
    return [cells for cells in rows if f"socket:[{cells[9]}]" in inodes]


def test_only_the_loopback_interface_is_bound_and_nobody_scouts(server: Server) -> None:
    port = int(server.endpoint.rpartition(":")[2])
    listening = [cells[1] for cells in own_sockets("tcp") if cells[3] == "0A"]
    assert listening == [f"0100007F:{port:04X}"]
    assert own_sockets("udp") == []


def test_nothing_is_left_in_shared_memory_whatever_kills_the_core(
    server: Server, client: Client
) -> None:
    inbox = client.subscribe(topics.BATCH)
    client.beat()
    assert server.await_siblings(("console",), 10.0) == ()
    for _ in range(3):
        server.publish_batch(bytes(50_000))
        assert inbox.receive(10.0) is not None
    assert "/dev/shm" not in Path("/proc/self/maps").read_text()


FROZEN = """
import sys, time
from core.link import topics
from core.link.client import Client
with Client(sys.argv[1], "kid_cosmo", "scribe") as client:
    client.subscribe(topics.BATCH, wait=True)
    client.beat()
    time.sleep(60)
"""


def test_a_frozen_listener_does_not_hold_up_the_loop(server: Server) -> None:
    child = subprocess.Popen([sys.executable, "-c", FROZEN, server.endpoint])
    try:
        assert server.await_siblings(("scribe",), 20.0) == ()
        child.send_signal(signal.SIGSTOP)
        block = bytes(50_000)
        for _ in range(2000):  # 100 MB: far more than sockets and queues hold
            server.publish_batch(block)
        assert server.commands() == []
    finally:
        child.kill()
        child.wait()


def test_a_closed_server_counts_what_it_cannot_send() -> None:
    server = Server(session.free_endpoint(), ROBOT)
    server.close()
    server.publish(Status(0.0))
    assert server.send_failures == 1
