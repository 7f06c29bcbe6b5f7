"""Shows, motions and a robot for the tests of the file desk."""

from pathlib import Path

import numpy as np

from app.console.files.robot import joint_table
from app.console.files.snapshot import Snapshot
from shows.document import Cue, GestureClip, GestureTrack, Show
from shows.joints import JointTable
from shows.motion import Motion
from shows.storage import save_show
from tests.app.console.rig import HELLO


def robot() -> JointTable:
    table = joint_table(HELLO)
    assert table is not None
    return table


def motion(name: str = "mine", yaw: float = 0.1) -> Motion:
    return Motion(name, ("head_yaw",), 50.0, np.full((5, 1), yaw))


def cue(number: str, name: str = "", plays: str | None = None) -> Cue:
    tracks = () if plays is None else (GestureTrack(clips=(GestureClip(motion=plays),)),)
    return Cue(number=number, name=name, tracks=tracks)


SHOW = Show(name="Evening", cues=(cue("1", "first", "mine"), cue("2", "second")))


def snapshot(show: Show = SHOW, path: Path | None = None, *motions: Motion) -> Snapshot:
    return Snapshot(show, path, path, {found.name: found for found in motions}, {})


def saved(path: Path, show: Show = SHOW) -> Path:
    save_show(show, path, (motion(),), {})
    return path
