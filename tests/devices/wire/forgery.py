"""Frames of somebody who hears everything, can send anything, and lacks the key."""

import random
from collections.abc import Iterator

from devices.families.boards.wire.layout import Kind
from devices.families.native_handset.messages import HandsetInput, HandsetScreen
from devices.families.native_handset.wire import HandsetEnd, RobotEnd
from devices.wire.frame import Frame

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
CONTROLS = HandsetInput(1, (0.0, 1.0, 0.0, -1.0), True, 3.9)


def paired(seed: int = 0) -> tuple[RobotEnd, HandsetEnd]:
    """Return both ends of a session in which one input was taken."""
    draw = random.Random(seed)
    robot = RobotEnd(KEY, 1, draw.randbytes)
    handset = HandsetEnd(KEY, 0x70, draw.getrandbits(32))
    challenge = robot.challenge(handset.hello(0), 0)
    assert challenge is not None and handset.begin(challenge)
    assert robot.receive(sent(handset)) == CONTROLS
    return robot, handset


def sent(handset: HandsetEnd, t_us: int = 0) -> Frame:
    """Return an input as the handset sends it."""
    frame = handset.send(CONTROLS, t_us)
    assert frame is not None
    return frame


def forgeries(robot: RobotEnd, handset: HandsetEnd, count: int, seed: int = 0) -> Iterator[Frame]:
    """Yield frames that must not be taken, while the session goes on now and then."""
    draw = random.Random(seed)
    old_robot, old_handset = paired(seed + 1)
    before = [sent(old_handset) for _ in range(50)]  # of another session
    strange = HandsetEnd(OTHER_KEY, 0x70, 5)
    heard = [sent(handset) for _ in range(50)]
    for frame in heard:
        assert robot.receive(frame) is not None
    hello = handset.hello(0)
    downward = robot.screen(HandsetScreen(0, 1.0, 1.0, "READY", ""), 0)
    assert downward is not None
    for i in range(count):
        if i % 5000 == 4999:
            fresh = sent(handset)
            assert robot.receive(fresh) is not None
            heard[draw.randrange(50)] = fresh
        true = draw.choice(heard)
        payload = bytearray(true.payload)
        sort = i % 8
        if sort == 0:
            yield true  # again
        elif sort == 1:
            yield draw.choice(before)
        elif sort == 2:
            payload[draw.randrange(len(payload))] ^= 1 << draw.randrange(8)
            yield Frame(true.kind, true.source, true.sequence, true.t_us, bytes(payload))
        elif sort == 3:  # the next counter, whatever the tag
            payload[9:13] = (0xFFFFFF00 + i % 256).to_bytes(4, "little")
            yield Frame(true.kind, true.source, true.sequence, true.t_us, bytes(payload))
        elif sort == 4:
            yield Frame(Kind.HANDSET_INPUT, 0x70, 0, 0, bytes(payload[: draw.randrange(35)]))
        elif sort == 5:
            yield Frame(Kind.HANDSET_INPUT, 0x70, 0, 0, draw.randbytes(35))
        elif sort == 6:
            yield Frame(true.kind, true.source ^ 1, true.sequence, true.t_us + 1, true.payload)
        else:
            yield draw.choice((hello, downward, strange.hello(0)))
    assert old_robot.refused.total() == 0
