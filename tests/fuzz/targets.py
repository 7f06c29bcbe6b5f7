"""What atheris feeds, one function for each codec: any bytes, and what must hold whatever they are.

The first bytes choose how the rest is cut into pieces. A checksum keeps a fuzzer out, so each codec
that has one is also fed what is behind it: any content in a sound packet.
"""

import struct
from collections.abc import Callable, Iterable

import numpy as np

from devices.capture.errors import CaptureError
from devices.capture.rotation import MOST_M
from devices.capture.skeleton import Pose
from devices.capture.wire import mvn, natnet, osc, recording, vmc
from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.registers import (
    CONFIG,
    GOAL_POSITION,
    PRESENT_IQ,
    PRESENT_POSITION,
    STATUS,
)
from devices.families.bear.wire.stream import BulkStream, ReplyStream, RequestStream
from devices.families.boards.wire import bus
from devices.families.crsf.wire import channels, command, menu, packed, screen, telemetry
from devices.families.crsf.wire import frame as crsf
from devices.families.mip.wire import commands, replies, sample
from devices.families.mip.wire import data as mip_data
from devices.families.mip.wire import packet as mip
from devices.families.native_handset.messages import HandsetInput
from devices.families.native_handset.wire import Refusal
from devices.families.safe_remote import wire as safe_remote
from devices.real.device_clock import DeviceClock
from devices.wire import cobs
from devices.wire.errors import WireError
from devices.wire.fletcher import fletcher
from devices.wire.frame import MOST_PAYLOAD, Frame, FrameStream
from devices.wire.scanner import Scanner
from shows.bvh import decode_bvh, encode_bvh
from shows.bvh_human import reading_of
from shows.csv_motion import encode_csv, read_csv
from shows.errors import ShowError
from tests.devices.families.boards.wire.examples import EXAMPLES
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
TABLE = (*STATUS, *CONFIG)
SIZES = {1: 8, 2: 4, 9: 60}
SKELETON = b"""HIERARCHY
ROOT Hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT Spine
{
OFFSET 0 10 0
CHANNELS 3 Zrotation Xrotation Yrotation
}
}
MOTION
Frames: 2
Frame Time: 0.01
0 0 0 0 0 0 0 0 0
"""
"""A file whose second frame is the fuzzer's."""
LAYOUT = BulkLayout((1, 2, 9), (PRESENT_POSITION, PRESENT_IQ), (GOAL_POSITION,))


def pieces(data: bytes) -> Iterable[bytes]:
    """Cut data into pieces of the length that its first byte says."""
    step = data[0] + 1 if data else 1
    return [data[i : i + step] for i in range(1, len(data), step)]


def fuzz_bear_packet(data: bytes) -> None:
    """A packet is decoded to what encodes to it, or refused, and so is what it holds."""
    for decode in (bear.decode_request, bear.decode_reply):
        try:
            assert decode(data).encode() == data
        except WireError:
            pass
    head, content = data[:2].ljust(2, b"\1"), data[2:]
    reply = bear.Reply(head[0] % 0xFD, head[1], content[:253])
    assert bear.decode_reply(reply.encode()) == reply
    try:
        reply.values([TABLE[byte % len(TABLE)] for byte in content[::4]])
    except WireError:
        pass
    instruction = list(bear.Instruction)[head[1] % len(bear.Instruction)]
    request = bear.Request(head[0] % 0xFD, instruction, content[:253])
    assert bear.decode_request(request.encode()) == request
    try:
        row = bear.decode_writes(request)
    except WireError:
        return
    assert b"".join(bytes((address,)) + value for address, value in row) == request.parameters


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
    """A frame behind any bytes is found, with any content."""
    whole = Frame(1, 2, len(data), 0, data[:MOST_PAYLOAD])
    assert FrameStream().feed(data.replace(b"\0", b"") + whole.encode()) == [whole]
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
    frame = Frame(1, 0x60, 0, 0, data[:MOST_PAYLOAD])
    assert bus.status_of(bear.decode_reply(bus.answer(frame))) == frame
    for content in (data, b"\x40" + data, b"\x40" + frame.body()):
        for instruction in bear.Instruction:
            try:
                bus.command_of(bear.Request(0x60, instruction, content))
            except WireError:
                pass
        try:
            bus.status_of(bear.Reply(0x60, 0x80, content))
        except WireError:
            pass


class AnyInput(HandsetInput, frozen=True):
    """An input whose content may be anything."""

    def encode(self) -> bytes:
        return self.content

    content: bytes = b""


def fuzz_handset(data: bytes) -> None:
    """Nothing without the key is taken, and nothing with it that makes no sense."""
    robot, handset = paired()
    kind, payload = (data[0], data[1:]) if data else (0, b"")
    frame = Frame(kind, 0x70, 0, 0, payload)
    assert robot.receive(frame) is None
    assert robot.challenge(frame, 0) is None
    assert handset.screen(frame) is None
    assert not handset.begin(frame)
    content = data[: HandsetInput.LAYOUT.size].ljust(HandsetInput.LAYOUT.size, b"\0")
    sealed = handset.send(AnyInput(0, (0.0,) * 4, False, 0.0, content), 0)
    assert sealed is not None
    taken = robot.receive(sealed)
    if taken is None:
        assert robot.refused[Refusal.CONTENT] == 1
    else:
        assert taken.encode() == content
    assert robot.receive(sealed) is None


def _scanned(scanner: Scanner, data: bytes, good: bytes) -> list[bytes]:
    """Return the frames in any bytes; every byte counts, and good frames behind them are found."""
    found = [frame for piece in pieces(data) for frame in scanner.feed(piece)]
    for _ in range(6):  # the first may be swallowed by what came before them
        found += scanner.feed(good)
    assert good in found
    return found


def fuzz_mip(data: bytes) -> None:
    """Whatever passes the check is decoded or refused, as what it says it is."""
    kind, content = (data[0], data[1:256]) if data else (0, b"")
    body = bytes((0x75, 0x65, kind, len(content))) + content
    sealed = body + fletcher(body)
    assert mip.scanner().feed(sealed) == [sealed]
    for frame in [sealed, *_scanned(mip.scanner(), data, commands.ping())]:
        mip_data.decode(frame)
        sample.decode(frame)
        commands.requests(frame)
        replies.decode(frame)
        for _, content in mip.fields(frame):
            replies.decode_device_info(content)
            replies.decode_base_rate(content)


def fuzz_mip_clock(data: bytes) -> None:
    """A stamp is never of the future, nor before the one of the packet before."""
    device, device_ns = DeviceClock(), 0
    arrival_s = last_s = 1000.0
    for at in range(0, len(data) - 9, 10):
        step, passed, jumps = data[at : at + 2], data[at + 2], data[at + 3] & 7 == 0
        ns = int.from_bytes(data[at + 4 : at + 10]) << 16 if jumps else int.from_bytes(step) * 1000
        device_ns = (device_ns + ns) % 2**64
        arrival_s += passed * passed * 1e-4
        stamp_s = device.feed(device_ns, arrival_s)
        assert last_s <= stamp_s <= arrival_s
        last_s = stamp_s


def fuzz_crsf(data: bytes) -> None:
    """Whatever passes the check is decoded or refused, as what it says it is."""
    good = packed.encode((992,) * 16)
    kind, content = (data[0], data[1:61]) if data else (0, b"")
    sealed = [crsf.frame(kind, content)]
    if kind == crsf.Type.CHANNELS:
        sealed = crsf.scanner().feed(sealed[0])  # of another length they are none
    commanded = command.encode(0xC8, 0xEA, kind, content[:56])
    for frame in [*sealed, commanded, *_scanned(crsf.scanner(), data, good)]:
        for decode in CRSF_DECODERS:
            decode(frame)
        if crsf.kind_of(frame) == crsf.Type.CHANNELS:
            controls = channels.read(packed.decode(frame), channels.NEUTRAL, channels.Layout())
            assert all(abs(axis) <= 1.0 for axis in controls.sticks)
    told = command.decode(commanded)
    assert told is not None
    command.proposed_speed(told)
    entry = menu.decode_entry(data)
    if entry:
        menu.decode_selection(entry.content)
        menu.decode_command(entry.content)
    text = data.decode("utf-8", "replace")
    screen.frames(text, text[1:], float(len(data)), telemetry.Battery(0.0, 0.0, 0, 0))


def fuzz_safe_remote(data: bytes) -> None:
    """Whatever passes the check is decoded or refused, as what it says it is."""
    kind, content = (data[0], data[1:249]) if data else (0, b"")
    sealed = safe_remote.packet(kind, content)
    good = safe_remote.our_heartbeat(True)
    for frame in [sealed, *_scanned(safe_remote.scanner(), data, good)]:
        for decode in SAFE_REMOTE_DECODERS:
            decode(frame)


def fuzz_bvh(data: bytes) -> None:
    """Any text is a skeleton with finite frames, which is written and read again, or refused."""
    for text in (data, b"HIERARCHY\nROOT a\n{\n" + data, SKELETON + data):
        try:
            found = decode_bvh(text, "x.bvh")
        except ShowError as error:
            assert len(str(error).splitlines()) == 1
            continue
        assert np.isfinite(found.frames).all()
        again = decode_bvh(encode_bvh(found), "x.bvh")
        assert len(again.frames) == len(found.frames)
        try:
            reading_of(found, "x.bvh")
        except ShowError as error:
            assert len(str(error).splitlines()) == 1


def fuzz_csv(data: bytes) -> None:
    """Any text is a motion with finite positions, which is written and read again, or refused."""
    for text in (data, b"time_s,a,b_deg\n0,0,0\n" + data):
        try:
            motion = read_csv(text, "x.csv", "x").motion
        except ShowError as error:
            assert len(str(error).splitlines()) == 1
            continue
        if motion.joint_names[0].isidentifier():
            again = read_csv(encode_csv(motion), "x.csv", "x").motion
            assert again.positions.shape == motion.positions.shape


def _sound(poses: Iterable[Pose]) -> None:
    """Hold that postures have finite joints and rotations."""
    for pose in poses:
        assert np.abs(pose.positions).max() <= MOST_M
        squares = pose.orientations @ np.swapaxes(pose.orientations, 1, 2)
        assert np.abs(squares - np.eye(3)).max() < 1e-9


def fuzz_osc(data: bytes) -> None:
    """Any bytes are messages that can be sent again, alone and in a bundle, or refused."""
    for packet in (data, b"/a\0\0,ifsbhdTF" + data, osc.bundle([b"/a\0\0"]) + data):
        try:
            messages = osc.decode(packet)
        except CaptureError:
            continue
        for message in messages:
            message.encode()


def fuzz_vmc(data: bytes) -> None:
    """Whatever a sender says of an avatar's bones becomes sound postures, or is refused."""
    names, reader = list(vmc.NAME_OF.values()), vmc.VmcReader()
    good = [osc.Message(vmc.BONE, (name, *(0.0,) * 6, 1.0)) for name in names]
    for at in range(0, len(data) - 28, 29):
        numbers = struct.unpack(">7f", data[at + 1 : at + 29])
        place = data[at] % 64
        told = (vmc.TIME, vmc.OK)[place % 2] if place > 60 else vmc.ROOT if place > 50 else vmc.BONE
        arguments = numbers[:1] if place > 60 else (names[place % len(names)], *numbers)
        try:
            _sound(reader.feed([osc.Message(told, arguments)], 0.01 * at))
            if data[at] > 128:
                _sound(reader.feed(good, 0.01 * at))
        except CaptureError:
            pass


def fuzz_mvn(data: bytes) -> None:
    """Any datagram, and any items in a sound one, are a sound posture or refused."""
    size = 23 * mvn.ITEM.size
    head = mvn.HEAD.pack(mvn.MAGIC, 0, 0x80, 23, 0, 0, 23, 0, 0, 0, size)
    items = b"".join(mvn.ITEM.pack(i, *(0.0,) * 3, 1.0, *(0.0,) * 3) for i in range(1, 24))
    place = data[0] % 23 * mvn.ITEM.size + 4 if data else 0
    mixed = (items[:place] + data[1:] + items[place + len(data[1:]) :])[:size]
    for datagram in (data, mvn.MAGIC + data, head + mixed):
        try:
            _sound(mvn.MvnReader().feed(datagram))
        except CaptureError:
            pass


def fuzz_natnet(data: bytes) -> None:
    """Any datagram, and any content of a frame, are a sound posture or refused."""
    turns = np.tile(np.eye(3), (22, 1, 1))
    (good,) = natnet.encode(0, 0.0, np.zeros((22, 3)), turns)
    place = 4 + (data[0] * 4 if data else 0)
    mixed = (good[:place] + data[1:] + good[place + len(data[1:]) :])[4:]
    for content in (data, mixed):
        try:
            _sound(natnet.decode(struct.pack("<HH", natnet.FRAME, len(content)) + content))
        except CaptureError:
            pass


def fuzz_recording(data: bytes) -> None:
    """Any bytes are a recording, which is written the same way, or refused."""
    try:
        rows = recording.decode(data)
    except CaptureError:
        return
    assert recording.encode(rows) == data


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
    "mip_clock": fuzz_mip_clock,
    "crsf": fuzz_crsf,
    "safe_remote": fuzz_safe_remote,
    "bvh": fuzz_bvh,
    "csv": fuzz_csv,
    "osc": fuzz_osc,
    "vmc": fuzz_vmc,
    "mvn": fuzz_mvn,
    "natnet": fuzz_natnet,
    "recording": fuzz_recording,
}
