"""Questions about torques are bounded, and malformed ones are refused."""

from typing import Any

import msgspec
import pytest

from core.link.session import Codec
from core.link.topics import TORQUE_ANSWER, TORQUE_QUESTION
from core.link.torque import MOST_VALUES, TorqueAnswer, TorqueQuestion

GOOD: dict[str, Any] = {
    "sender": "console-1-ab",
    "number": 1,
    "joint_names": ["elbow", "wrist"],
    "rate_hz": 100.0,
    "positions": [0.1] * 6,
}


def test_a_question_passes_the_link_unchanged() -> None:
    question = Codec(TORQUE_QUESTION).decode(msgspec.msgpack.encode(GOOD))
    assert question == TorqueQuestion("console-1-ab", 1, ("elbow", "wrist"), 100.0, (0.1,) * 6)


@pytest.mark.parametrize(
    "wrong",
    [
        {"joint_names": []},
        {"joint_names": ["elbow", "elbow"]},
        {"joint_names": ["Elbow!", "wrist"]},
        {"joint_names": [f"j{i}" for i in range(65)], "positions": [0.1] * 195},
        {"rate_hz": 0.0},
        {"rate_hz": 1e4},
        {"rate_hz": float("nan")},
        {"positions": [0.1] * 4},
        {"positions": [0.1] * 7},
        {"positions": [0.1] * 5 + [float("nan")]},
        {"positions": [0.1] * 5 + [7.0]},
        {"positions": [0.1] * (MOST_VALUES + 2)},
        {"surprise": 1},
    ],
)
def test_a_malformed_question_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((msgspec.DecodeError, ValueError)):
        Codec(TORQUE_QUESTION).decode(msgspec.msgpack.encode({**GOOD, **wrong}))


def test_the_largest_messages_are_within_their_topics() -> None:
    names = tuple(f"{'j' * 60}_{i}" for i in range(50))
    values = (-6.123456789,) * MOST_VALUES
    question = TorqueQuestion("s" * 48, 2**61, names, 200.0, values)
    answer = TorqueAnswer("s" * 48, 2**61, values, values)
    assert len(msgspec.msgpack.encode(question)) <= TORQUE_QUESTION.max_bytes
    assert len(msgspec.msgpack.encode(answer)) <= TORQUE_ANSWER.max_bytes
