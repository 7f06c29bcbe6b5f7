"""Packets of a board on a bus of BEAR actuators: the same frame inside a BEAR packet.

The actuators would take zeros and stuffing for packets, and an adapter that recognises BEAR
packets forwards their replies at once. So a board has an id like an actuator's, which is its
frames' source, and one register with a whole frame, CRC included, because the packet's own
checksum of 8 bits is weak. No bulk request addresses the board.
"""

from devices.families.bear.wire.faults import HEALTHY
from devices.families.bear.wire.packet import BLOCK, Instruction, Reply, Request
from devices.families.boards.wire.layout import TO_BOARD
from devices.wire.errors import WireError
from devices.wire.frame import Frame

FIRST_ID, LAST_ID = 0x60, 0x7F


def ask(board_id: int) -> bytes:
    """Return the request for a board's newest status.

    Raises:
        WireError: no board may have this id.
    """
    _check(board_id)
    return Request(board_id, Instruction.READ_STATUS, bytes((BLOCK,))).encode()


def command(board_id: int, frame: Frame) -> bytes:
    """Return the packet that carries a command to a board; it has no reply.

    Raises:
        WireError: no board may have this id, or the frame is for another board or cannot be
            encoded.
    """
    _check(board_id)
    if frame.source != TO_BOARD | board_id:
        raise WireError(f"a frame of source {frame.source:#04x} is not for board {board_id:#04x}")
    parameters = bytes((BLOCK,)) + frame.body()
    return Request(board_id, Instruction.WRITE_STATUS, parameters).encode()


def answer(frame: Frame) -> bytes:
    """Return a board's reply to a request.

    Raises:
        WireError: no board may have this id, or the frame cannot be encoded.
    """
    _check(frame.source)
    return Reply(frame.source, HEALTHY, frame.body()).encode()


def status_of(reply: Reply) -> Frame:
    """Return the frame in a board's reply.

    Raises:
        WireError: the frame is damaged, or from another source.
    """
    frame = Frame.of(reply.data)
    if frame.source != reply.id:
        raise WireError(f"board {reply.id:#04x} answers in the name of {frame.source:#04x}")
    return frame


def command_of(request: Request) -> Frame | None:
    """Return the frame in a command to a board, None if the request asks for the status.

    Raises:
        WireError: the request does neither.
    """
    asks = request.instruction is Instruction.READ_STATUS
    writes = request.instruction is Instruction.WRITE_STATUS
    if not (asks or writes) or request.parameters[:1] != bytes((BLOCK,)):
        raise WireError(f"board {request.id:#04x} does not know this request")
    if writes:
        return Frame.of(request.parameters[1:])
    if len(request.parameters) != 1:
        raise WireError(f"board {request.id:#04x} has one register only")
    return None


def _check(board_id: int) -> None:
    if not FIRST_ID <= board_id <= LAST_ID:
        raise WireError(f"board id {board_id:#04x} is not {FIRST_ID:#04x} to {LAST_ID:#04x}")
