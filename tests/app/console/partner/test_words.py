"""What the panel says of a partner."""

import math

import pytest

from app.console.partner.words import (
    Said,
    address,
    heard_state,
    name_of,
    period,
    refusals,
    repertoire_name,
    source_state,
)
from app.console.toolkit import theme
from core.link.partner import SourceReport

PAIRED = ("10.0.0.2", 0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.012, "12 ms"), (0.9996, "1.0 s"), (2.34, "2.3 s"), (math.inf, "–"), (math.nan, "–")],
)
def test_a_length_of_time_in_words(seconds: float, words: str) -> None:
    assert period(seconds) == words


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (SourceReport(), Said(theme.IDLE, "no port is open")),
        (SourceReport("vmc", 5), Said(theme.WARN, "port 5 is open: pair the sender")),
        (SourceReport("vmc", 5, PAIRED), Said(theme.WARN, "nothing heard yet from 10.0.0.2")),
        (
            SourceReport("vmc", 5, ("10.0.0.2", 6), age_s=2.0),
            Said(theme.WARN, "10.0.0.2:6 is silent for 2.0 s"),
        ),
        (SourceReport("vmc", 5, ("::1", 6), age_s=0.01), Said(theme.GOOD, "hears [::1]:6")),
        (SourceReport("vmc", 5, trouble="port 5 is in use"), Said(theme.BAD, "port 5 is in use")),
    ],
)
def test_the_source_in_words(source: SourceReport, said: Said) -> None:
    assert source_state(source) == said


def test_the_most_frequent_refusal_comes_first() -> None:
    counts = {"too large": 2, "another address": 9, "older": 0}
    assert refusals(counts) == "refused: 9 × another address, 2 × too large"
    assert refusals({"older": 0}) == "nothing refused"
    assert address(PAIRED) == "10.0.0.2"


def test_an_old_motion_is_not_told_any_more() -> None:
    assert heard_state("bow", 1.0).text == "heard: bow (1.0 s ago)"
    assert heard_state("bow", 60.0) == heard_state("", 0.0)


@pytest.mark.parametrize(
    ("text", "name"),
    [("High five!", "high_five"), (" 2 Steps ", "steps"), ("!?", ""), ("a" * 80, "a" * 60)],
)
def test_a_typed_text_gives_a_name(text: str, name: str) -> None:
    assert name_of(text) == name


def test_a_folder_with_another_name_is_no_repertoires_name() -> None:
    assert repertoire_name("/shows/gala/repertoires/duel") == "duel"
    assert repertoire_name("/shows/gala/My duel") == repertoire_name("") == ""
