"""The way of a motion between the panels: takes, poses, gestures, curves, timeline and ghost."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from app.console.context.context import Context
from app.console.exchange.export_sheet import Source
from app.console.files.background import Background
from app.console.gestures.library import Entry
from app.console.gestures.panel import GesturesPanel
from app.console.motions.panel import MotionPanel
from app.console.poses.panel import PosesPanel
from app.console.record.panel import RecordPanel
from app.console.stage.view import StagePanel
from app.console.timeline.panel import TimelinePanel
from app.console.window.docks import Docks
from shows.document import WalkClip
from shows.pose_motion import PoseMotion
from shows.take import read_take
from shows.take_motion import walk_of_take
from shows.take_sound import sound_path


class MotionWays(QObject):
    """Connects the panels that make motions.

    Args:
        context: the objects that panels share.
        docks: bring a panel to the front.
        gestures: the gestures.
        record: the takes.
        motion: the curves.
        poses: the poses.
        timeline: gets gestures, walks and sounds.
        stage: its ghost shows motions and poses.
    """

    def __init__(
        self,
        context: Context,
        docks: Docks,
        gestures: GesturesPanel,
        record: RecordPanel,
        motion: MotionPanel,
        poses: PosesPanel,
        timeline: TimelinePanel,
        stage: StagePanel,
    ) -> None:
        super().__init__(docks)
        self._notices, self._docks = context.notices, docks
        self._gestures, self._record, self._motion = gestures, record, motion
        self._poses, self._timeline = poses, timeline
        self._background = Background(self)
        gestures.preview_requested.connect(stage.preview)
        gestures.edit_asked.connect(self._edit_gesture)
        gestures.timeline_asked.connect(timeline.add_gesture)
        record.preview_requested.connect(stage.preview)
        record.motion_asked.connect(self.edit_take)
        record.walk_asked.connect(self._put_walk)
        record.sound_asked.connect(self._put_take_sound)
        motion.preview_requested.connect(stage.preview)
        motion.posed.connect(partial(stage.pose, source="the motion"))
        motion.saving.play_asked.connect(self._play_saved)
        motion.saving.timeline_asked.connect(self._put_gesture)
        poses.posed.connect(partial(stage.pose, source="the pose"))
        poses.handles_changed.connect(stage.show_handles)
        poses.motion_asked.connect(self._edit_poses)
        stage.met.connect(poses.take_tree)
        stage.handle_dragged.connect(poses.lead)
        stage.handle_released.connect(poses.let_go)
        docks.seen_changed.connect(self._take_seen)

    def close(self) -> None:
        """Drop unfinished work."""
        self._background.close()

    def _take_seen(self, name: str, seen: bool) -> None:
        if name == "poses":
            self._poses.set_seen(seen)
        elif name == "record":
            self._record.set_seen(seen)

    def edit_take(self, path: Path) -> None:
        """Edit the motion of a take, or an imported one."""
        self._docks.bring("motion")
        self._motion.open_take(path)

    def _edit_poses(self, made: PoseMotion) -> None:
        self._docks.bring("motion")
        self._motion.open_keys(made.motion, made.curves)

    def _edit_gesture(self, entry: Entry) -> None:
        self._docks.bring("motion")
        self._motion.open_motion(entry.motion)

    def exported(self) -> list[Source]:
        """Return the motions that can be exported: what is edited, then what is chosen."""
        found: list[Source] = []
        motion, entry, take = (
            self._motion.edited,
            self._gestures.view.current(),
            self._record.page.list.current(),
        )
        if motion is not None:
            found.append(Source(f"{motion.title or motion.name} (being edited)", motion))
        if entry is not None:
            found.append(Source(f"{entry.title} (gesture)", entry.motion))
        if take is not None and not take.trouble:
            kind = "take" if take.moved is None else "imported"
            found.append(Source(f"{take.name} ({kind})", take.path))
        return found

    def _play_saved(self, name: str) -> None:
        """Play a gesture of the show, once the core has the version that holds it."""
        entry = self._gestures.library.entry(name)
        if entry is None:
            self._notices.say(f"there is no gesture {name!r}: save it first", "warning")
        else:
            self._gestures.perform(entry)

    def _put_gesture(self, name: str, sound: Path | None) -> None:
        """Put a saved gesture and its sound on the timeline, at its playhead."""
        entry = self._gestures.library.entry(name)
        if entry is None:
            self._notices.say(f"there is no gesture {name!r}: save it first", "warning")
            return
        self._docks.bring("timeline")
        if sound is not None:
            self._timeline.add_sound(sound)
        self._timeline.add_gesture(entry)

    def _put_take_sound(self, path: Path) -> None:
        """Put the sound of a take on the timeline, at its playhead."""
        self._docks.bring("timeline")
        self._timeline.add_sound(sound_path(path))

    def _put_walk(self, path: Path) -> None:
        """Put the walking of a take on the timeline, at its playhead."""
        self._background.run(
            lambda: walk_of_take(read_take(path)),
            partial(self._add_walk, path.stem),
            lambda error: self._notices.say(str(error), "warning"),
        )

    def _add_walk(self, take: str, clips: tuple[WalkClip, ...]) -> None:
        if not clips:
            self._notices.say(f"the robot does not walk in {take}", "warning")
            return
        self._docks.bring("timeline")
        self._timeline.add_walk(clips)
