"""Messages of the picture process arrive whole, in order, and nonsense is refused."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.picture.protocol import Answer, Failure, Frame, Order, ProtocolError, Shot, Stream
from core.link.scene import Scene
from tests.draws import share


@contextmanager
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, theirs:
        yield ours, theirs


def shot(number: int, **changes: object) -> Shot:
    camera = (0.0, 0.0, 0.7, 3.0, 0.0, 0.1)
    fields = {"number": number, "width": 640, "height": 480, "simple": None, "camera": camera}
    return Shot(scene=Scene(1.0), **(fields | changes))  # type: ignore[arg-type]


@settings(max_examples=share(50))
@given(st.lists(st.integers(1, 9), min_size=1, max_size=20), st.data())
def test_messages_arrive_whole_however_the_bytes_are_cut(
    ghosts: list[int], data: st.DataObject
) -> None:
    sent = [shot(n, ghost={f"joint_{k}": 0.1 * k for k in range(count)}) for n, count in
            enumerate(ghosts)]  # fmt: skip
    whole = bytearray()
    with ends() as (writer, wire):
        stream = Stream(writer, Answer)
        for message in sent:
            stream.send(message)
        while True:
            try:
                whole += wire.recv(1 << 16)
            except BlockingIOError:
                break
    with ends() as (again, end):
        reader, found = Stream(end, Order), []
        while whole:
            size = data.draw(st.integers(1, len(whole)))
            again.sendall(bytes(whole[:size]))
            del whole[:size]
            received = reader.receive()
            assert received is not None
            found += received
        assert found == sent
        again.close()
        assert reader.receive() is None


def test_answers_come_back_and_the_end_is_seen() -> None:
    frame = Frame(number=3, changed=True, width=2, height=1, simple=True)
    with ends() as (writer, end):
        stream, reader = Stream(writer, Order), Stream(end, Answer)
        stream.send(frame)
        stream.send(Failure(reason="no OpenGL"))
        writer.close()
        assert reader.receive() == [frame, Failure(reason="no OpenGL")]
        assert reader.receive() is None


@pytest.mark.parametrize(
    "data", [b"\xff\xff\xff\xff", b"\x03\x00\x00\x00abc", b"\x01\x00\x00\x00\x80"]
)
def test_nonsense_is_refused(data: bytes) -> None:
    with ends() as (writer, end):
        writer.sendall(data)
        with pytest.raises(ProtocolError):
            Stream(end, Order).receive()
