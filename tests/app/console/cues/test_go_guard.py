"""A nervous hand starts one cue."""

from app.console.cues.go_guard import GoGuard


def test_a_second_go_within_the_guard_is_ignored_and_says_why() -> None:
    guard = GoGuard(minimum_s=0.3)
    assert guard.press(10.0) == ""
    assert guard.press(10.12) == "double GO ignored (0.3 s guard)"


def test_what_is_ignored_does_not_prolong_the_guard() -> None:
    guard = GoGuard(minimum_s=0.3)
    guard.press(10.0)
    guard.press(10.29)
    assert guard.press(10.31) == ""


def test_a_key_that_is_held_is_not_armed_again_however_long_it_takes() -> None:
    guard = GoGuard(minimum_s=0.3)
    assert guard.press(10.0, by_key=True) == ""
    assert "still down" in guard.press(99.0, by_key=True)
    assert "still down" in guard.press(99.0)  # nor by the mouse beside it
    guard.release(99.0)
    assert guard.press(99.1, by_key=True) == ""


def test_a_ignored_key_must_be_let_go_as_well() -> None:
    guard = GoGuard(minimum_s=0.3)
    guard.press(10.0)
    assert guard.press(10.1, by_key=True)
    assert guard.press(11.0, by_key=True)
    guard.release(11.0)
    assert not guard.press(11.1, by_key=True)


def test_without_key_up_the_time_alone_counts() -> None:
    guard = GoGuard(minimum_s=0.3, key_up=False)
    assert not guard.press(10.0, by_key=True)
    assert guard.press(10.2, by_key=True)
    assert not guard.press(10.4, by_key=True)


def test_no_minimum_disregards_nothing() -> None:
    guard = GoGuard(minimum_s=0.0)
    assert not guard.press(10.0)
    assert not guard.press(10.0)


def test_a_repeating_key_that_looks_let_go_is_still_held() -> None:
    guard = GoGuard(minimum_s=0.3)
    assert guard.press(10.0, by_key=True) == ""
    for tick in range(1, 60):  # as a screen repeats: let go and pressed at once
        guard.release(10.0 + 0.033 * tick)
        assert guard.press(10.001 + 0.033 * tick, by_key=True)
    guard.release(12.0)
    assert guard.press(12.1, by_key=True) == ""
