"""The bulk requests to the actuators of one line, built once and reused every tick."""

from dataclasses import dataclass
from enum import Enum

from devices.families.bear.readings import INPUT, POWERSTAGE, WINDING
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest, Values, Words
from devices.families.bear.wire.registers import (
    GOAL_IQ,
    GOAL_POSITION,
    GOAL_VELOCITY,
    INPUT_VOLTAGE,
    POWERSTAGE_TEMPERATURE,
    PRESENT_IQ,
    PRESENT_POSITION,
    PRESENT_VELOCITY,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
    TorqueEnable,
)
from devices.families.bear.wire.stream import BulkStream, LineCounts

MOTION = (PRESENT_POSITION, PRESENT_VELOCITY, PRESENT_IQ)
GOALS = (GOAL_POSITION, GOAL_VELOCITY, GOAL_IQ)
EXTRA = len(MOTION)  # column of the register read besides the motion, another one each round
# Every second round reads whether the actuators still have their torque.
TURNS = (
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
    TORQUE_ENABLE,
    INPUT_VOLTAGE,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
    TORQUE_ENABLE,
    POWERSTAGE_TEMPERATURE,
)
# Destination column of each register in the readings; the torque's word is not stored.
UNKEPT = -1
COLUMNS = (UNKEPT, WINDING, UNKEPT, INPUT, UNKEPT, WINDING, UNKEPT, POWERSTAGE)
MOST = 14  # largest number of actuators in the longest of these requests


class Order(Enum):
    """Registers that a round writes in every actuator."""

    TORQUE = (TORQUE_ENABLE,)
    GOALS = GOALS
    ENABLE = (*GOALS, TORQUE_ENABLE)


@dataclass(slots=True)
class Rounds:
    """Requests and replies of the actuators with these ids (n).

    Attributes:
        replies: replies of the newest round.
        stream: stream that finds the replies.
        turn: index in TURNS of the register that the newest round reads besides the motion.
        motion: motion in the replies, a view (n, 3).
        extra: that register in the replies, a view (n).
        words: the same bytes as integers (n).
    """

    replies: BulkReplies
    stream: BulkStream
    turn: int
    motion: Values
    extra: Values
    words: Words
    _asking: dict[Order, tuple[BulkRequest, ...]]
    _mute: dict[Order, BulkRequest]

    @classmethod
    def of(cls, ids: tuple[int, ...], counts: LineCounts) -> "Rounds":
        """Return the rounds for some ids, counted in a line's statistics."""
        replies = BulkReplies(BulkLayout(ids, (*MOTION, TURNS[0])))
        each = {
            extra: {
                order: BulkRequest(BulkLayout(ids, (*MOTION, extra), order.value))
                for order in Order
            }
            for extra in set(TURNS)
        }
        asking = {order: tuple(each[extra][order] for extra in TURNS) for order in Order}
        mute = {order: BulkRequest(BulkLayout(ids, (), order.value)) for order in Order}
        values, words = replies.values, replies.words[:, EXTRA]
        stream = BulkStream(replies, counts)
        return cls(replies, stream, 0, values[:, :EXTRA], values[:, EXTRA], words, asking, mute)

    def ask(self, order: Order) -> BulkRequest:
        """Return the next request with replies; the caller fills it in."""
        self.turn = (self.turn + 1) % len(TURNS)
        return self._asking[order][self.turn]

    def tell(self, order: Order) -> BulkRequest:
        """Return a request that writes the same and has no replies; the caller fills it in."""
        return self._mute[order]


def torque_packet(ids: tuple[int, ...], word: TorqueEnable) -> bytes:
    """Return a request without replies that sets the torque of some actuators."""
    if not ids:
        return b""
    request = BulkRequest(BulkLayout(ids, (), (TORQUE_ENABLE,)))
    request.words[:, 0] = word
    return bytes(request.seal())
