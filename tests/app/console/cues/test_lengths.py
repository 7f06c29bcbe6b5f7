"""A length is known when all that a cue plays is at hand."""

from pathlib import Path

from app.console.context.document import Document
from app.console.cues.lengths import Lengths
from shows.audio import AudioInfo
from shows.document import Cue, GestureClip, GestureTrack, Show, VoiceClip, VoiceTrack
from tests.shows.examples import wave_motion

WAVES = Cue(number="1", tracks=(GestureTrack(clips=(GestureClip(start_s=1.0, motion="wave"),)),))
SPEAKS = Cue(number="2", tracks=(VoiceTrack(clips=(VoiceClip(phrase="hello"),)),))


def test_a_missing_motion_or_phrase_is_not_known() -> None:
    lengths = Lengths(Document())
    assert lengths.of(WAVES) is None
    assert lengths.of(SPEAKS) is None
    assert lengths.of(Cue(number="3")) == 0.0


def test_a_length_is_that_of_its_last_clip_and_follows_the_document() -> None:
    document = Document()
    lengths = Lengths(document)
    assert lengths.of(WAVES) is None
    sounds = {"hello": AudioInfo(Path("hello.wav"), 0.5)}
    document.open(Show(name="x"), None, {"wave": wave_motion(seconds=2.0)}, sounds)
    assert lengths.of(WAVES) == 3.0
    assert lengths.of(SPEAKS) == 0.5
