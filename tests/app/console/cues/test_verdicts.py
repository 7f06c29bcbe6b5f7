"""Verdicts come from the core's events alone, and a changed cue has none."""

import msgspec
import pytest

from app.console.cues.verdicts import Verdicts
from core.link.messages import Event
from shows.document import Cue, LightClip, LightTrack, Show

SHOW = Show(name="Gala: part 2", cues=tuple(Cue(number=n) for n in ("1", "2", "2.5")))
READY = Event(3.0, "core", "ready to play Gala: part 2: 3 cues, 31 gestures")


def failed(number: str, reason: str) -> Event:
    return Event(None, "stagehand", f"cue {number} failed its preflight: {reason}", "warning")


def kinds(verdicts: Verdicts, show: Show = SHOW) -> list[str]:
    return [verdicts.of(cue).kind for cue in show.cues]


def test_nothing_is_known_before_the_core_speaks() -> None:
    assert kinds(Verdicts()) == ["unknown"] * 3


def test_failures_count_from_the_moment_the_show_is_ready() -> None:
    verdicts = Verdicts()
    assert not verdicts.hear([failed("2", "right elbow 112 % of torque at 3.42 s")], SHOW)
    assert kinds(verdicts) == ["unknown"] * 3
    assert verdicts.hear([READY], SHOW)
    assert kinds(verdicts) == ["passed", "refused", "passed"]
    assert verdicts.of(SHOW.cues[1]).reason == "right elbow 112 % of torque at 3.42 s"


def test_a_later_load_takes_old_failures_away() -> None:
    verdicts = Verdicts()
    verdicts.hear([failed("2", "too fast"), READY], SHOW)
    verdicts.hear([READY], SHOW)
    assert kinds(verdicts) == ["passed"] * 3


def test_a_load_that_the_player_refused_changes_nothing() -> None:
    verdicts = Verdicts()
    verdicts.hear([failed("2", "too fast"), READY], SHOW)
    kept = Event(4.0, "core", "Other was not loaded: cue 1 is running; cancel it.", "warning")
    verdicts.hear([failed("1", "of the other show"), kept, READY], SHOW)
    assert kinds(verdicts) == ["passed"] * 3


def test_another_show_than_the_open_one_tells_nothing_of_its_cues() -> None:
    verdicts = Verdicts()
    verdicts.hear([Event(3.0, "core", "ready to play Other: 3 cues, 31 gestures")], SHOW)
    assert kinds(verdicts) == ["unknown"] * 3


def test_a_cue_that_was_edited_since_is_untested_until_undone() -> None:
    verdicts = Verdicts()
    verdicts.hear([failed("2", "too fast"), READY], SHOW)
    track = LightTrack(clips=(LightClip(event="x"),))
    edited = msgspec.structs.replace(SHOW.cues[1], tracks=(track,))
    assert verdicts.of(edited).kind == "unknown"
    assert "changed since" in verdicts.of(edited).reason
    assert verdicts.of(msgspec.structs.replace(SHOW.cues[1], name="y")).kind == "refused"


def test_what_was_asked_is_what_was_tested_not_what_is_open_by_then() -> None:
    verdicts = Verdicts()
    verdicts.ask(SHOW)
    track = LightTrack(clips=(LightClip(event="x"),))
    cues = (msgspec.structs.replace(SHOW.cues[0], tracks=(track,)), *SHOW.cues[1:])
    edited = msgspec.structs.replace(SHOW, cues=cues)
    verdicts.hear([READY], edited)
    assert kinds(verdicts, edited) == ["unknown", "passed", "passed"]


@pytest.mark.parametrize(
    ("actor", "text"),
    [
        ("core", "GO refused: cue 2 failed its preflight: too fast."),
        ("player", "cue 2 failed its preflight: too fast"),
        ("player", "cue 2 plays though it failed: too fast"),
    ],
)
def test_a_refusal_at_go_is_a_verdict(actor: str, text: str) -> None:
    verdicts = Verdicts()
    assert verdicts.hear([Event(1.0, actor, text, "warning")], SHOW)
    assert verdicts.of(SHOW.cues[1]).reason == "too fast"


@pytest.mark.parametrize(
    "text",
    [
        "GO refused: the show has no cue 9.",
        "cue 2 starts",
        "cue failed its preflight",
        "ready to play no show, 31 gestures",
    ],
)
def test_other_events_are_no_verdicts(text: str) -> None:
    verdicts = Verdicts()
    assert not verdicts.hear([Event(1.0, "core", text), Event(1.0, "console", READY.text)], SHOW)
    assert kinds(verdicts) == ["unknown"] * 3


def test_a_new_core_knows_nothing() -> None:
    verdicts = Verdicts()
    verdicts.hear([failed("2", "too fast"), READY], SHOW)
    verdicts.forget()
    assert kinds(verdicts) == ["unknown"] * 3
