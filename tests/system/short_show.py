"""A show of the sample's kind that is over within half a minute."""

from pathlib import Path

from shows.document import (
    Cue,
    GestureClip,
    GestureTrack,
    HandClip,
    HandsTrack,
    HeadClip,
    HeadTrack,
    LightClip,
    LightTrack,
    Show,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
)
from shows.folders import GESTURES
from shows.storage import save_show

NAME = "short"
TITLE = "Half a minute"
SOUNDS = GESTURES.parent / "meet_cosmo" / "audio"


def show() -> Show:
    """Return five cues: one is waited for, one walks, the last two play through."""
    return Show(
        name=TITLE,
        cues=(
            Cue(
                number="1",
                name="Hello",
                safe_points_s=(0.0,),
                tracks=(
                    GestureTrack(clips=(GestureClip(motion="wave", length_s=3.0),)),
                    VoiceTrack(clips=(VoiceClip(phrase="idea"),)),
                    LightTrack(clips=(LightClip(event="spot up"),)),
                ),
            ),
            Cue(
                number="2",
                name="Who knows",
                safe_points_s=(0.0,),
                tracks=(GestureTrack(clips=(GestureClip(motion="shrug"),)),),
            ),
            Cue(
                number="3",
                name="Walk",
                entry_stance="standing",
                exit_stance="standing",
                safe_points_s=(0.0,),
                tracks=(
                    WalkTrack(clips=(WalkClip(length_s=3.0, vx=0.1),)),
                    HeadTrack(clips=(HeadClip(start_s=0.5, length_s=2.0, yaw=0.3),)),
                ),
            ),
            Cue(
                number="4",
                name="Fist",
                continue_mode="auto_follow",
                safe_points_s=(0.0,),
                tracks=(HandsTrack(clips=(HandClip(length_s=1.5, pose="fist"),)),),
            ),
            Cue(
                number="5",
                name="Yes",
                safe_points_s=(0.0,),
                tracks=(GestureTrack(clips=(GestureClip(motion="nod"),)),),
            ),
        ),
    )


def save(folder: Path) -> Path:
    """Save it in a folder; return where."""
    save_show(show(), folder / NAME, (), {"idea": SOUNDS / "idea.flac"})
    return folder / NAME
