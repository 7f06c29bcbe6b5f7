"""All gestures: those of the library, read when the robot is known, and the show's own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.notices import Notices
from app.console.files.robot import joint_table
from core.link.hello import Hello
from shows.errors import ShowError
from shows.folders import gesture_folders
from shows.gestures import gesture_files
from shows.joints import JointTable
from shows.motion import Motion, limbs_of, load_motion, mirror_motion

SLICE_MS = 0  # one file for each pass of the event loop


@dataclass(frozen=True, slots=True)
class Entry:
    """A gesture in the list.

    Attributes:
        motion: the motion.
        own: it belongs to the show; else to the library, which is read-only.
    """

    motion: Motion
    own: bool

    @property
    def name(self) -> str:
        """The name in commands and cues."""
        return self.motion.name

    @property
    def title(self) -> str:
        """The name on screen."""
        return self.motion.title or self.motion.name.replace("_", " ").capitalize()


class GestureLibrary(QObject):
    """Owns the library's motions, and lists them with the show's own.

    Attributes:
        joints: the robot's joints; None before the first core.
        library: the library's motions, by name.

    Signals:
        changed: the gestures changed.
    """

    changed = Signal()

    def __init__(
        self,
        link: CoreLink,
        document: Document,
        notices: Notices,
        folders: Sequence[Path] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.joints: JointTable | None = None
        self.library: dict[str, Motion] = {}
        self._document, self._notices = document, notices
        self._folders = folders
        self._paths: Iterator[Path] = iter(())
        self._timer = QTimer(self)
        self._timer.setInterval(SLICE_MS)
        self._timer.timeout.connect(self._read_one)
        self._entries: tuple[Entry, ...] | None = None
        link.hello_changed.connect(self._meet)
        document.changed.connect(self._forget)
        if link.hello is not None:
            self._meet(link.hello)

    @property
    def ready(self) -> bool:
        """Whether every file of the library is read."""
        return self.joints is not None and not self._timer.isActive()

    def entries(self) -> tuple[Entry, ...]:
        """Return all gestures by title; the show's own replace those of the library."""
        if self._entries is None:
            own = self._document.own_motions
            listed = [Entry(motion, True) for motion in own.values()]
            listed += [Entry(m, False) for name, m in self.library.items() if name not in own]
            self._entries = tuple(sorted(listed, key=lambda entry: entry.title.casefold()))
        return self._entries

    def entry(self, name: str) -> Entry | None:
        """Return the gesture of that name, or None."""
        return next((entry for entry in self.entries() if entry.name == name), None)

    def limbs_of(self, motion: Motion) -> tuple[str, ...]:
        """Return the names of the limbs that a motion moves, in the order of the robot."""
        if self.joints is None:
            return ()
        return limbs_of(motion, False, self.joints)

    def mirrored(self, motion: Motion) -> Motion:
        """Return a motion's mirror image, or the motion itself if it has none."""
        if self.joints is None or not self.joints.mirror.keys() >= set(motion.joint_names):
            return motion
        return mirror_motion(motion, self.joints)

    def _meet(self, hello: Hello) -> None:
        joints = joint_table(hello)
        if joints is None:
            self._notices.say(
                "the gesture library was not read, for the core does not tell its joints; "
                "start a core of this version",
                "error",
            )
            return
        self.joints, self.library = joints, {}
        folders = gesture_folders(hello.robot) if self._folders is None else self._folders
        self._paths = iter(gesture_files(folders).values())
        self._timer.start()

    def _read_one(self) -> None:
        """Read the next file."""
        path = next(self._paths, None)
        if path is None or self.joints is None:
            self._timer.stop()
            self._forget()
            return
        try:
            motion = load_motion(path, self.joints, f"gestures/{path.name}")
        except ShowError as error:
            self._notices.say(f"a gesture is left out of the library: {error}", "warning")
            return
        self.library[motion.name] = motion

    def _forget(self) -> None:
        self._entries = None
        self.changed.emit()
