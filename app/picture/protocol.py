"""The messages between the console and the picture process, on a stream socket."""

import socket
import struct
from typing import TypeAlias

import msgspec

from core.link.figure import Figure
from core.link.hello import Foot
from core.link.message import Vector3
from core.link.scene import Scene

Pose2: TypeAlias = tuple[float, float, float]
MAX_BYTES = 1 << 24  # of a message
_LENGTH = struct.Struct("<I")


class Message(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True, kw_only=True, gc=False
):
    """Base of all messages."""


class Cast(Message, frozen=True):
    """The robot of the following shots; there is no answer.

    Attributes:
        figure: bodies, joints and shapes.
        joint_names: names of the joints in the order of a scene's positions.
        feet: the robot's contacts.
    """

    figure: Figure
    joint_names: tuple[str, ...]
    feet: tuple[Foot, ...]


class Shot(Message, frozen=True):
    """Order for one frame; the answer is a `Frame`.

    Attributes:
        number: number of the shot.
        width: width of the picture [pixels].
        height: height of the picture [pixels].
        simple: draw less, for a machine without a graphics card; None lets the process choose.
        camera: target (3) [m], distance [m], yaw and pitch [rad], see `Camera.numbers`.
        scene: pose and marks.
        limp: the robot has no torque and nothing but the floor supports it.
        ghost: joint angles of the ghost by name [rad]; None takes the scene's reference.
        ghost_base: where the ghost's base is from the robot's, x and y in its heading frame [m],
            and yaw [rad].
        path: a path on the floor in the world (k, 2) [m].
        human: joints of the person in the world (22, 3) [m]; empty without a person.
        slot: slot of the shared memory that receives the frame.
    """

    number: int
    width: int
    height: int
    simple: bool | None
    camera: tuple[float, float, float, float, float, float]
    scene: Scene
    limp: bool = False
    ghost: dict[str, float] | None = None
    ghost_base: Pose2 = (0.0, 0.0, 0.0)
    path: tuple[tuple[float, float], ...] = ()
    human: tuple[Vector3, ...] = ()
    slot: int = 0


class Frame(Message, frozen=True):
    """A drawn frame.

    Attributes:
        number: number of its shot.
        changed: the slot has a new frame; False if it would be equal to the last one.
        width: width of the frame, at most that of the shot [pixels].
        height: height of the frame [pixels].
        simple: it is the simple picture.
    """

    number: int
    changed: bool
    width: int
    height: int
    simple: bool


class Failure(Message, frozen=True):
    """The process cannot draw, and ends.

    Attributes:
        reason: one sentence.
    """

    reason: str


Order: TypeAlias = Cast | Shot
Answer: TypeAlias = Frame | Failure


class ProtocolError(Exception):
    """The other end sent bytes that are no message."""


class Stream:
    """Messages on one end of a stream socket.

    Args:
        end: the socket; not blocking, or blocking for `wait`.
        kind: union of the messages that this end receives.
    """

    def __init__(self, end: socket.socket, kind: object) -> None:
        self._end = end
        self._received = bytearray()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decoder: msgspec.msgpack.Decoder[Order | Answer] = msgspec.msgpack.Decoder(kind)

    def send(self, message: Order | Answer) -> None:
        """Send a message.

        Raises:
            OSError: the other end is gone, or does not read.
        """
        data = self._encode(message)
        self._end.sendall(_LENGTH.pack(len(data)) + data)

    def receive(self) -> list[Order | Answer] | None:
        """Return the complete messages that have arrived; None at the end of the stream.

        Raises:
            ProtocolError: the bytes are no message.
        """
        ended = False
        while True:
            try:
                data = self._end.recv(1 << 16)
            except BlockingIOError:
                break
            except ConnectionError:
                data = b""
            if not data:
                ended = True
                break
            self._received += data
        found = self._complete()
        return found if found or not ended else None

    def _complete(self) -> list[Order | Answer]:
        found: list[Order | Answer] = []
        while len(self._received) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._received)
            if length > MAX_BYTES:
                raise ProtocolError(f"a message of {length} bytes is too long")
            end = _LENGTH.size + length
            if len(self._received) < end:
                break
            data = bytes(self._received[_LENGTH.size : end])
            del self._received[:end]
            try:
                found.append(self._decoder.decode(data))
            except (msgspec.DecodeError, ValueError) as error:
                raise ProtocolError(str(error)) from error
        return found
