"""What the twin and its timekeeper say to each other: packets on a Unix socket, this machine only.

The timekeeper asks for time, one packet; the twin answers, one packet, once it is there. So that
packets need no length of their own, the socket is of kind SOCK_SEQPACKET.
"""

import struct
from enum import IntEnum

CLOCK_SOCKET = "clock.sock"
ORDERS_SOCKET = "orders.sock"
VERSION = 2
BACKLOG = 1


class Ask(IntEnum):
    """What the timekeeper asks."""

    UNTIL = 1  # go on to a time
    READABLE = 2  # go on until a line has bytes for the computer, or to a time
    PUSH = 3  # push the torso; not answered


class Said(IntEnum):
    """What the twin answers."""

    WELCOME = 1
    BUSY = 2  # another timekeeper is there
    TIME = 3
    FAILED = 4  # with a sentence


ASK = struct.Struct("<Bxxxq")  # what, until when [µs]
PUSH = struct.Struct("<Bxxx4d32s")  # what, force [N], for how long [s], by which hand
# what, contact switches, joints, now [µs], time of the truth [µs]
SAID = struct.Struct("<BBxxIqq")
LARGEST = 65536
