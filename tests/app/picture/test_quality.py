"""A slow machine draws less step by step; a fast one gets its resolution back."""

from app.picture.quality import EARLY_FRAMES, LATE_FRAMES, LEVELS, Level, Quality

SLOW_S, FAST_S = 0.3, 0.01


def note(quality: Quality, took_s: float, frames: int) -> None:
    for _ in range(frames):
        quality.note(took_s)


def test_a_card_begins_with_everything_and_loses_shadows_first() -> None:
    quality = Quality(software=False)
    assert quality.level(None) == Level(False, 1.0)
    levels = []
    for _ in range(len(LEVELS)):
        note(quality, SLOW_S, LATE_FRAMES)
        levels.append(quality.level(None))
    assert levels == [*LEVELS[1:], LEVELS[-1]]


def test_one_slow_frame_changes_nothing() -> None:
    quality = Quality(software=True)
    for _ in range(10):
        note(quality, SLOW_S, LATE_FRAMES - 1)
        note(quality, FAST_S, 1)
    assert quality.level(None) == Level(True, 1.0)


def test_resolution_comes_back_but_not_the_full_picture() -> None:
    quality = Quality(software=False)
    note(quality, SLOW_S, 3 * LATE_FRAMES)
    assert quality.level(None).resolution == 0.5
    note(quality, FAST_S, 10 * EARLY_FRAMES)
    assert quality.level(None) == Level(True, 1.0)


def test_the_operators_choice_of_the_full_picture_has_full_resolution() -> None:
    quality = Quality(software=True)
    note(quality, SLOW_S, 3 * LATE_FRAMES)
    assert quality.level(False) == Level(False, 1.0)
    assert quality.level(True) == Level(True, 0.5)
