"""Verdicts are what the core tells of the show that it has loaded, and a changed cue has none."""

import msgspec
import pytest

from app.console.cues.verdicts import Verdicts
from core.link.playbill import Entry, Playbill
from shows.document import Cue, LightClip, LightTrack, Show

SHOW = Show(name="Gala: part 2", cues=tuple(Cue(number=n) for n in ("1", "2", "2.5")))
ELBOW = "right elbow 112 % of torque at 3.42 s"
PLAYBILL = Playbill(3.0, SHOW.name, "/x", (Entry("1"), Entry("2", "", ELBOW), Entry("2.5")))


def kinds(verdicts: Verdicts, show: Show = SHOW) -> list[str]:
    return [verdicts.of(cue).kind for cue in show.cues]


def taken() -> Verdicts:
    verdicts = Verdicts()
    verdicts.take(PLAYBILL, SHOW)
    return verdicts


def test_nothing_is_known_before_the_core_speaks() -> None:
    assert kinds(Verdicts()) == ["unknown"] * 3


def test_what_the_core_tells_is_the_verdict() -> None:
    verdicts = taken()
    assert kinds(verdicts) == ["empty", "refused", "empty"]
    assert verdicts.of(SHOW.cues[1]).reason == ELBOW


@pytest.mark.parametrize(("playbill", "tested"), [(None, SHOW), (PLAYBILL, None)])
def test_another_show_than_the_open_one_tells_nothing_of_its_cues(
    playbill: Playbill | None, tested: Show | None
) -> None:
    verdicts = taken()
    verdicts.take(playbill, tested)
    assert kinds(verdicts) == ["unknown"] * 3


def test_a_cue_that_was_edited_since_is_untested_until_undone() -> None:
    verdicts = taken()
    track = LightTrack(clips=(LightClip(event="x"),))
    edited = msgspec.structs.replace(SHOW.cues[1], tracks=(track,))
    assert verdicts.of(edited).kind == "unknown"
    assert "changed since" in verdicts.of(edited).reason
    assert verdicts.of(msgspec.structs.replace(SHOW.cues[1], name="y")).kind == "refused"


def test_a_cue_that_the_core_does_not_have_is_untested() -> None:
    assert taken().of(Cue(number="7")).kind == "unknown"
