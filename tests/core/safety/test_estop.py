"""The STOP latch, alone and with presses from a second process."""

import itertools

import pytest

from core.safety.estop import StopLatch

STORIES = list(itertools.product("powr", repeat=4))


def test_a_press_latches_at_once_and_until_reset() -> None:
    latch = StopLatch()
    assert not latch.watch(chain_closed=True)
    latch.press()
    assert latch.latched
    for _ in range(5):
        assert latch.watch(chain_closed=True)
    assert latch.reset(chain_closed=True)
    assert not latch.watch(chain_closed=True)


def test_an_open_chain_latches_and_closing_it_releases_nothing() -> None:
    latch = StopLatch()
    latch.watch(chain_closed=False)
    assert latch.chain_opened
    assert not latch.pressed
    assert latch.watch(chain_closed=True)
    assert not latch.reset(chain_closed=False)
    assert latch.latched
    assert latch.reset(chain_closed=True)
    assert not latch.latched


def test_another_process_presses_through_the_shared_byte() -> None:
    shared = bytearray(1)
    latch = StopLatch(memoryview(shared))
    shared[0] += 1
    assert latch.watch(chain_closed=True)
    assert latch.reset(chain_closed=True)
    assert not latch.watch(chain_closed=True)


def test_a_press_in_the_moment_of_a_reset_is_not_lost() -> None:
    shared = bytearray(1)
    latch = StopLatch(shared)
    latch.press()
    latch.watch(chain_closed=True)
    shared[0] += 1  # after the loop looked, before it resets
    assert not latch.reset(chain_closed=True)
    assert latch.latched
    assert latch.watch(chain_closed=True)


def test_an_old_byte_is_no_press() -> None:
    assert not StopLatch(bytearray([77])).watch(chain_closed=True)


def test_the_counter_may_wrap() -> None:
    latch = StopLatch(bytearray([255]))
    latch.press()
    assert latch.watch(chain_closed=True)


@pytest.mark.parametrize("story", STORIES, ids="".join)
def test_only_a_reset_with_a_closed_chain_releases(story: tuple[str, ...]) -> None:
    """p: press, o: chain opens for a tick, w: a quiet tick, r: reset with the chain closed."""
    latch, expected = StopLatch(), False
    for event in story:
        if event == "p":
            latch.press()
            latch.watch(chain_closed=True)
            expected = True
        elif event == "r":
            assert latch.reset(chain_closed=True)
            expected = False
        else:
            latch.watch(chain_closed=event != "o")
            expected = expected or event == "o"
        assert latch.latched == expected
