"""What the core tells a voice, and what it makes of what the voice says."""

import pytest

from core.link.catalogue.safety import SOUND_TEXT, VOICE_GONE
from core.link.commands import Command, Mute, Stop, UseSound, Volume
from core.link.sound import SoundReport, VoiceLibrary, VoiceMix
from core.stage.sound import SILENT_S, Sound

LIBRARY = VoiceLibrary(1.0, {"hello": "/show/hello.flac"})
LOST = SoundReport("voice-1", trouble="the sound device is gone", lost=True)


@pytest.mark.parametrize(
    ("command", "mix"),
    [
        (Volume(0.25), VoiceMix(0.25)),
        (Mute(), VoiceMix(muted=True)),
        (Mute(False), VoiceMix()),
        (UseSound("hall"), VoiceMix(device="hall")),
        (Stop(), None),
    ],
)
def test_what_operators_set_is_handed_on(command: Command, mix: VoiceMix | None) -> None:
    assert Sound().order(command) == mix


def test_what_was_set_adds_up() -> None:
    sound = Sound()
    for command in (Volume(0.25), Mute(), UseSound("hall")):
        told = sound.order(command)
    assert told == VoiceMix(0.25, True, "hall")


def test_a_voice_that_comes_again_is_told_everything_and_the_same_one_nothing() -> None:
    sound = Sound()
    assert sound.hear(SoundReport("voice-1"), 0.0) == (VoiceMix(),)
    assert sound.take(LIBRARY) is LIBRARY
    sound.order(Volume(0.5))
    assert sound.hear(SoundReport("voice-1", volume=0.5), 0.2) == ()
    assert sound.hear(SoundReport("voice-2"), 0.4) == (VoiceMix(0.5), LIBRARY)


def test_trouble_is_what_is_lost_or_silent() -> None:
    sound = Sound()
    assert sound.trouble(1e9) is None  # of a run that has no voice
    sound.hear(SoundReport("voice-1", trouble="there is no sound device"), 10.0)
    assert sound.trouble(10.1) is None  # there never was one
    sound.hear(LOST, 10.2)
    assert sound.trouble(10.3) == SOUND_TEXT(text=LOST.trouble)
    assert sound.trouble(10.2 + SILENT_S + 0.01) == VOICE_GONE()
    sound.hear(SoundReport("voice-2"), 12.0)
    assert sound.trouble(12.1) is None
