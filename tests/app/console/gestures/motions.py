"""Small motions, and documents that play them."""

from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from shows.document import Cue, GestureClip, GestureTrack, Show
from shows.motion import Motion, save_motion


def motion(name: str, title: str = "", tags: tuple[str, ...] = (), *joints: str) -> Motion:
    """Return a second of standing still."""
    names = joints or ("left_elbow", "head_yaw")
    return Motion(name, names, 50.0, np.full((51, len(names)), 0.2), title=title, tags=tags)


def picture(_: Motion) -> QImage:
    """Return a picture of one pixel."""
    return QImage(1, 1, QImage.Format.Format_RGBA8888_Premultiplied)


def library(folder: Path) -> Path:
    """Write a library of three gestures and return its folder."""
    folder.mkdir(exist_ok=True)
    for made in (
        motion("wave", "Wave", ("greeting", "walking"), "right_elbow", "head_yaw"),
        motion("bow", "Bow", ("thanks", "standing"), "left_elbow", "right_elbow"),
        motion("nod", "Nod", ("answer", "walking"), "head_pitch"),
    ):
        save_motion(made, folder / f"{made.name}.json")
    return folder


def show_playing(*names: str) -> Show:
    """Return a show whose cues 1, 2, ... play these gestures."""
    cues = []
    for i, name in enumerate(names, start=1):
        track = GestureTrack(clips=(GestureClip(motion=name), GestureClip(motion="other")))
        cues.append(Cue(number=str(i), tracks=(track,)))
    return Show(name="Test", cues=tuple(cues))
