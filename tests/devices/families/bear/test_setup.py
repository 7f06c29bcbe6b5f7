"""One actuator's way into the rounds."""

from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.setup import CLEAR_S, MISSED, OBJECT_S, PROBE_S, Setup, Step
from devices.families.bear.wire.packet import Instruction, Reply, decode_request, encode_value
from devices.families.bear.wire.registers import TORQUE_ENABLE
from tests.devices.families.bear.bears import plan

VERSIONS = Reply(1, 0x80, b"\x01\x02\x03\x04")


def settled(setup: Setup) -> Reply:
    """Return the answer of an actuator that took every setting."""
    data = b"".join(encode_value(register, value) for register, value in plan(0).settings())
    return Reply(1, 0x80, data)


def test_silence_is_counted_and_asked_again_after_a_while() -> None:
    setup = Setup(plan(0))
    for missed in range(1, 2 * MISSED):
        setup.proceed(None, 1.0)
        assert (setup.step, setup.due_s, setup.missed) == (Step.FIND, 1.0 + PROBE_S, missed)
    setup.proceed(VERSIONS, 2.0)
    assert (setup.step, setup.due_s, setup.missed) == (Step.SET, 2.0 + CLEAR_S, 0)
    assert setup.versions == "01020304"


def test_silence_at_the_check_begins_anew() -> None:
    setup = Setup(plan(0))
    setup.proceed(VERSIONS, 0.0)
    setup.proceed(None, 0.1)
    assert (setup.step, setup.due_s) == (Step.CHECK, 0.1)
    setup.proceed(None, 0.2)
    assert (setup.step, setup.missed) == (Step.FIND, 1)


def test_a_setting_that_was_not_taken_is_named_and_offered_later() -> None:
    setup = Setup(plan(0))
    setup.proceed(VERSIONS, 0.0)
    setup.proceed(None, 0.1)
    data = bytearray(settled(setup).data)
    data[0] = 2
    setup.proceed(Reply(1, 0x80, bytes(data)), 0.2)
    assert (setup.step, setup.due_s) == (Step.FIND, 0.2 + OBJECT_S)
    assert setup.objection == "mode at 2 instead of 3"


def test_one_that_lost_its_settings_meanwhile_gets_them_again_at_once() -> None:
    setup = Setup(plan(0))
    for reply in (VERSIONS, None, settled(setup)):
        setup.proceed(reply, 0.0)
    setup.recheck(5.0)
    assert (setup.step, setup.due_s) == (Step.CHECK, 5.0)
    setup.proceed(Reply(1, 0x80, bytes(len(settled(setup).data))), 5.0)
    assert (setup.step, setup.due_s, setup.objection) == (Step.FIND, 5.0, "")


def test_a_setup_under_way_is_not_cut_short_by_a_recheck() -> None:
    setup = Setup(plan(0))
    setup.recheck(1.0)
    assert setup.step is Step.FIND


def test_the_torque_is_off_before_anything_is_set() -> None:
    request, size = Setup(plan(0)).request()
    first = request[: request[3] + 4]
    decoded = decode_request(first)
    assert decoded.instruction is Instruction.WRITE_STATUS
    assert decoded.parameters == bytes([TORQUE_ENABLE.address, 0, 0, 0, 0])
    assert decode_request(request[len(first) :]).instruction is Instruction.PING
    assert size == 4


@given(st.lists(st.sampled_from(["silent", "versions", "settled", "wrong", "recheck"])))
def test_nothing_but_the_right_settings_ends_a_setup(story: list[str]) -> None:
    setup = Setup(plan(0))
    right = settled(setup)
    answers = {
        "silent": None,
        "versions": VERSIONS,
        "settled": right,
        "wrong": Reply(1, 0x80, bytes(len(right.data))),
    }
    for what in story:
        before = setup.step
        if what == "recheck":
            setup.recheck(0.0)
        elif before != Step.NONE:
            answer = answers[what]
            if answer is not None and len(answer.data) != setup.request()[1]:
                answer = None  # the stream hands over no answer of another length
            setup.proceed(answer, 0.0)
            assert (setup.step == Step.NONE) == (before == Step.CHECK and what == "settled")
