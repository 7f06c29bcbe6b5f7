"""The client: finds the core or reports it, sends heartbeats, ignores invalid data."""

import time
from collections.abc import Iterator

import pytest

from core.link import session, topics
from core.link.client import Client
from core.link.commands import Go
from core.link.envelope import Heartbeat
from core.link.errors import LinkError
from core.link.server import Server

ROBOT = "kid_cosmo"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(session.free_endpoint(), ROBOT) as found:
        yield found


def test_a_core_that_is_not_there_is_told() -> None:
    endpoint = session.free_endpoint()
    with pytest.raises(LinkError, match="no core answers") as caught:
        Client(endpoint, ROBOT, "console", timeout_s=0.1)
    assert caught.value.endpoint == endpoint


def test_a_client_waits_for_the_core_to_listen() -> None:
    endpoint = session.free_endpoint()
    with pytest.raises(LinkError):
        Client(endpoint, ROBOT, "console", timeout_s=0.0)
    with Server(endpoint, ROBOT) as server, Client(endpoint, ROBOT, "console") as client:
        client.beat()
        assert server.await_siblings(("console",), 10.0) == ()


def test_two_clients_of_a_role_are_two_senders(server: Server) -> None:
    with (
        Client(server.endpoint, ROBOT, "console") as one,
        Client(server.endpoint, ROBOT, "console") as two,
    ):
        assert one.sender != two.sender


def test_it_beats_when_due_and_not_more(server: Server) -> None:
    with Client(server.endpoint, ROBOT, "console") as client:
        inbox = client.subscribe(topics.HEARTBEAT)
        for _ in range(50):
            client.beat()
        first = inbox.receive(10.0)
        assert isinstance(first, Heartbeat) and first.sender == client.sender
        time.sleep(0.06)
        client.beat()
        second = inbox.receive(10.0)
        assert second is not None and second.sequence == first.sequence + 1


def test_an_inbox_drops_and_counts_what_it_cannot_read(server: Server) -> None:
    with (
        Client(server.endpoint, ROBOT, "console") as client,
        session.connect(server.endpoint, 5.0) as other,
    ):
        inbox = client.subscribe(topics.HELLO)
        client.beat()
        server.await_siblings(("console",), 10.0)
        for payload in (b"\xc1", b"\x00" * (topics.HELLO.max_bytes + 1)):
            other.put(f"footlight/{ROBOT}/hello/x", payload)
        assert inbox.receive(0.5) is None
        assert inbox.dropped == 2
        assert client.hello(0.0) is None


def test_the_same_inbox_is_given_each_time(server: Server) -> None:
    with Client(server.endpoint, ROBOT, "console") as client:
        assert client.subscribe(topics.STATUS) is client.subscribe(topics.STATUS)


def test_a_core_that_goes_and_comes_back_is_found_again() -> None:
    endpoint = session.free_endpoint()
    first = Server(endpoint, ROBOT)
    with Client(endpoint, ROBOT, "console") as client:
        client.beat()
        assert first.await_siblings(("console",), 10.0) == ()
        first.close()
        with Server(endpoint, ROBOT) as second:
            deadline = time.monotonic() + 20.0
            found = second.commands()
            while not found and time.monotonic() < deadline:
                client.send(Go())
                time.sleep(0.1)
                found = second.commands()
            assert found and found[0].command == Go()
