"""What atheris feeds, one function for each codec: any bytes, and what must hold whatever they are.

The first bytes choose how the rest is cut into pieces.
"""

from collections.abc import Callable, Iterable

from devices.wire import cobs, safe_remote
from devices.wire.bear import packet as bear
from devices.wire.bear.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.wire.bear.registers import GOAL_POSITION, PRESENT_IQ, PRESENT_POSITION
from devices.wire.bear.stream import BulkStream, ReplyStream, RequestStream
from devices.wire.boards import bus
from devices.wire.crsf import channels, command, menu, packed, telemetry
from devices.wire.crsf import frame as crsf
from devices.wire.errors import WireError
from devices.wire.frame import Frame, FrameStream
from devices.wire.mip import commands, replies, sample
from devices.wire.mip import data as mip_data
from devices.wire.mip import packet as mip
from devices.wire.scanner import Scanner
from tests.devices.wire.boards.examples import EXAMPLES
from tests.devices.wire.forgery import paired

CRSF_DECODERS: tuple[Callable[[bytes], object], ...] = (
    command.decode,
    menu.decode_chunk,
    menu.decode_device,
    menu.decode_read,
    menu.decode_write,
    telemetry.decode_attitude,
    telemetry.decode_battery,
    telemetry.decode_cells,
    telemetry.decode_flight_mode,
    telemetry.decode_link_statistics,
    telemetry.decode_temperatures,
)
SAFE_REMOTE_DECODERS: tuple[Callable[[bytes], object], ...] = (
    safe_remote.decode_feedback,
    safe_remote.decode_heartbeat,
    safe_remote.decode_joystick,
    safe_remote.decode_our_heartbeat,
    safe_remote.decode_text,
)
SIZES = {1: 8, 2: 4, 9: 60}
LAYOUT = BulkLayout((1, 2, 9), (PRESENT_POSITION, PRESENT_IQ), (GOAL_POSITION,))


def pieces(data: bytes) -> Iterable[bytes]:
    """Cut data into pieces of the length that its first byte says."""
    step = data[0] + 1 if data else 1
    return [data[i : i + step] for i in range(1, len(data), step)]


def fuzz_bear_packet(data: bytes) -> None:
    """A packet is decoded to what encodes to it, or refused."""
    for decode in (bear.decode_request, bear.decode_reply):
        try:
            assert decode(data).encode() == data
        except WireError:
            pass


def fuzz_bear_replies(data: bytes) -> None:
    """Every byte is a reply's or noise, and a good reply behind any is found."""
    stream = ReplyStream()
    stream.begin(SIZES)
    found = [reply for piece in pieces(data) for reply in stream.feed(piece)] + stream.end()
    assert sum(len(r.encode()) for r in found) + stream.counts.noise_bytes == max(0, len(data) - 1)
    stream.begin(SIZES)
    good = bear.Reply(1, 0x80, bytes(8))
    stream.feed(data)
    stream.feed(good.encode())
    assert good in stream.feed(good.encode()) + stream.end()


def fuzz_bear_bulk(data: bytes) -> None:
    """A round after any bytes is complete, and a layout encodes to its bytes."""
    stream = BulkStream(BulkReplies(LAYOUT))
    stream.begin()
    for piece in pieces(data):
        stream.feed(piece)
    stream.end()
    stream.begin()
    assert stream.feed(bytes(BulkReplies(LAYOUT).seal()))
    try:
        request = BulkRequest(BulkLayout.of(data))
    except WireError:
        return
    if request.load(data):
        assert bytes(request.packet) == data


def fuzz_bear_requests(data: bytes) -> None:
    """Every byte is a request's or noise."""
    stream = RequestStream()
    found = [packet for piece in pieces(data) for packet in stream.feed(piece)] + stream.end()
    assert sum(map(len, found)) + stream.noise_bytes == max(0, len(data) - 1)


def fuzz_cobs(data: bytes) -> None:
    """Stuffing comes back, and any bytes are stuffed or refused."""
    assert cobs.decode(cobs.encode(data)) == data
    try:
        cobs.decode(data)
    except WireError:
        pass


def fuzz_frame(data: bytes) -> None:
    """A frame behind any bytes is found."""
    stream = FrameStream()
    for piece in pieces(data):
        stream.feed(piece)
    stream.feed(b"\0")
    last = stream.sources[1].sequence if 1 in stream.sources else 0
    good = Frame(1, 1, (last + 1) & 0xFFFF, 0, b"good")
    assert stream.feed(good.encode())[-1:] == [good]


def fuzz_boards(data: bytes) -> None:
    """A message is decoded to what encodes to it, or refused, alone and on a bus."""
    for example in EXAMPLES.values():
        try:
            message = type(example).of(data)
        except WireError:
            continue
        assert message.encode() == data
    for instruction in bear.Instruction:
        try:
            bus.command_of(bear.Request(0x60, instruction, data))
        except WireError:
            pass


def fuzz_handset(data: bytes) -> None:
    """Nothing without the key is taken."""
    robot, handset = paired()
    kind, payload = (data[0], data[1:]) if data else (0, b"")
    frame = Frame(kind, 0x70, 0, 0, payload)
    assert robot.receive(frame) is None
    assert robot.challenge(frame, 0) is None
    assert handset.screen(frame) is None
    assert not handset.begin(frame)


def _scanned(scanner: Scanner, data: bytes, good: bytes) -> list[bytes]:
    """Return the frames in any bytes; every byte counts, and good frames behind them are found."""
    found = [frame for piece in pieces(data) for frame in scanner.feed(piece)]
    for _ in range(6):  # the first may be swallowed by what came before them
        found += scanner.feed(good)
    assert good in found
    return found


def fuzz_mip(data: bytes) -> None:
    """Whatever passes the check is decoded or refused, as what it says it is."""
    for frame in _scanned(mip.scanner(), data, commands.ping()):
        mip_data.decode(frame)
        sample.decode(frame)
        commands.requests(frame)
        replies.decode(frame)
        for _, content in mip.fields(frame):
            replies.decode_device_info(content)
            replies.decode_base_rate(content)


def fuzz_crsf(data: bytes) -> None:
    """Whatever passes the check is decoded or refused, as what it says it is."""
    good = packed.encode((992,) * 16)
    for frame in _scanned(crsf.scanner(), data, good):
        for decode in CRSF_DECODERS:
            decode(frame)
        if crsf.kind_of(frame) == crsf.Type.CHANNELS:
            controls = channels.read(packed.decode(frame), channels.NEUTRAL, channels.Layout())
            assert all(abs(axis) <= 1.0 for axis in controls.sticks)


def fuzz_safe_remote(data: bytes) -> None:
    """Whatever passes the check is decoded or refused, as what it says it is."""
    for frame in _scanned(safe_remote.scanner(), data, safe_remote.our_heartbeat(True)):
        for decode in SAFE_REMOTE_DECODERS:
            decode(frame)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "bear_packet": fuzz_bear_packet,
    "bear_replies": fuzz_bear_replies,
    "bear_bulk": fuzz_bear_bulk,
    "bear_requests": fuzz_bear_requests,
    "cobs": fuzz_cobs,
    "frame": fuzz_frame,
    "boards": fuzz_boards,
    "handset": fuzz_handset,
    "mip": fuzz_mip,
    "crsf": fuzz_crsf,
    "safe_remote": fuzz_safe_remote,
}
