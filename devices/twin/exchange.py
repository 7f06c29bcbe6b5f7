"""Packets between the twin and its timekeeper, on a Unix socket of this computer.

The timekeeper requests time with one packet; the twin answers with one packet when that time is
reached. The socket is of type SOCK_SEQPACKET, so that packets need no length of their own.
"""

import struct
from enum import IntEnum

CLOCK_SOCKET = "clock.sock"
ORDERS_SOCKET = "orders.sock"
VERSION = 4
BACKLOG = 1


class Ask(IntEnum):
    """Requests of the timekeeper."""

    UNTIL = 1  # advance to a time
    READABLE = 2  # advance until a line has bytes for the computer, or to a time
    PUSH = 3  # push the torso; not answered
    PUT_BACK = 4  # put the robot back where it started; not answered
    PULL = 5  # pull a point of a link as a hand does; not answered


class Said(IntEnum):
    """Answers of the twin."""

    WELCOME = 1
    BUSY = 2  # another timekeeper is connected
    TIME = 3
    FAILED = 4  # with a sentence


ASK = struct.Struct("<Bxxxq")  # request, until when [µs]
PUSH = struct.Struct("<Bxxx4d32s")  # request, force [N], duration [s], hand
# request, point in the link [m], target in the world [m], duration [s], link, hand
PULL = struct.Struct("<Bxxx7d64s32s")
# answer, contact switches, joints, now [µs], time of the true state [µs]
SAID = struct.Struct("<BBxxIqq")
LARGEST = 65536
