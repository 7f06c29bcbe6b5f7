"""The panel Poses: a library of poses, sliders, handles on the ghost, and motions of poses."""

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.files.robot import joint_table
from app.console.gestures.portrait import Portraits
from app.console.gestures.thumbnails import Thumbnail, Thumbnails
from app.console.poses import edits
from app.console.poses.buttons import button_row
from app.console.poses.capture import Capture, CaptureRefused
from app.console.poses.editor import PoseEditor
from app.console.poses.gaze_row import GazeRow
from app.console.poses.judge import PoseJudge
from app.console.poses.library import PoseLibrary
from app.console.poses.puppet import Puppet
from app.console.poses.sequence import Sequence
from app.console.poses.sliders import COMPACT, Sliders
from app.console.poses.verdict import verdict_words
from app.console.stage.standing import base_from_place
from app.console.toolkit import theme
from app.picture.robot_tree import Floats, RobotTree
from core.link.catalogue.refusals import REFUSED
from core.link.commands import GoToPose
from core.link.event import Event
from core.link.hello import Hello
from core.link.wording import sentence
from shows.body_limb import without_body
from shows.errors import ShowError
from shows.pose_motion import motion_of_poses

CAPTURE_KEY = "F6"
RIGHT_PX, NARROWEST_PX = 172, 680
GO_S = 1.5  # duration of the way to a pose


class PosesPanel(QWidget):
    """Edits poses; while it is seen, the ghost on the stage shows the pose, with handles.

    Attributes:
        editor: the pose that is edited.
        library: the poses of the show.
        sliders: one for each joint.
        sequence: the poses of a motion.
        gaze: the gaze target.
        buttons: what is done with the pose, by word.
        pages: the sliders, and the poses of a motion.
        capture_pose: takes a pose from the robot and saves it; the window has it too.

    Signals:
        posed: angles by joint for the stage's ghost; None gives it back.
        handles_changed: the handles on the ghost.
        motion_asked: a motion of poses for the panel Motion.
    """

    posed = Signal(object)
    handles_changed = Signal(tuple)
    motion_asked = Signal(object)

    def __init__(
        self,
        context: Context,
        parent: QWidget | None = None,
        thumbnail: Thumbnail | None = None,
    ) -> None:
        """Make the panel.

        Args:
            context: the console's shared parts.
            parent: parent widget.
            thumbnail: makes the picture of a pose; None draws the core's robot.
        """
        super().__init__(parent)
        self.setObjectName("poses_panel")
        self._context = context
        self._tree: RobotTree | None = None
        self._puppet: Puppet | None = None
        self._seen = False  # in front of other panels
        self._ghostly = False  # the ghost shows the pose
        self._leads = False  # a handle is being led, or the gaze
        self._drags = 0  # that have ended: each is undone by itself
        self._went = False  # to a pose; the core may still refuse it
        self._thumbnails = Thumbnails(thumbnail or Portraits(context.link), self)
        self.editor, self._capture = PoseEditor(self), Capture()
        self.library = PoseLibrary(context.document, self.editor, self._thumbnails)
        self._judge = PoseJudge(context.link, self)
        self.sliders, self.sequence, self.gaze = Sliders(self.editor), Sequence(), GazeRow()
        self._duration = QDoubleSpinBox()
        self.pages, self._check, self._words = QTabWidget(), QLabel(), QLabel()
        self._undo, self._redo = QToolButton(), QToolButton()
        self.buttons: dict[str, QPushButton] = {}
        self.capture_pose = QAction("Take a pose from the robot and save it", self)
        self.capture_pose.setShortcut(QKeySequence(CAPTURE_KEY))
        self.capture_pose.setAutoRepeat(False)
        self._lay_out()
        self._connect()
        if context.link.hello is not None:
            self._meet(context.link.hello)
        self.library.fill()
        self._show()

    # ---- layout

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        row.setSpacing(theme.GAP)
        row.addWidget(self.library)
        row.addLayout(self._middle(), 1)
        row.addLayout(self._right())
        self.setMinimumWidth(NARROWEST_PX)
        self.setFocusProxy(self.library)

    def _middle(self) -> QVBoxLayout:
        """Return the sliders, or the poses of a motion, and the verdict."""
        self.pages.setDocumentMode(True)
        self.pages.addTab(self.sliders, "Joints")
        self.pages.addTab(self.sequence, "Poses → motion")
        for button, word, tip in (
            (self._undo, "↶", "Undo the last change of the sliders"),
            (self._redo, "↷", "Do the undone change again"),
        ):
            button.setText(word)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
        corner = QWidget()
        tools = QHBoxLayout(corner)
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(4)
        mirror = QToolButton()
        mirror.setText("⇄ Mirror the pose")
        mirror.setToolTip("Exchange left and right in the whole pose")
        mirror.setAccessibleName("Mirror the whole pose")
        mirror.clicked.connect(lambda: self.editor.mirror())
        self._mirror = mirror
        for tool in (mirror, self._undo, self._redo):
            tool.setStyleSheet(COMPACT)
            tools.addWidget(tool)
        self.pages.setCornerWidget(corner)
        self._check.setAccessibleName("Collisions and torque of the pose")
        self._check.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self.pages, 1)
        column.addWidget(self._check)
        return column

    def _right(self) -> QVBoxLayout:
        """Return name, saving, and what the robot does."""
        library = self.library
        library.name.setFixedWidth(RIGHT_PX)
        self._duration.setRange(0.3, 10.0)
        self._duration.setDecimals(1)
        self._duration.setSingleStep(0.1)
        self._duration.setSuffix(" s")
        self._duration.setValue(GO_S)
        self._duration.setAccessibleName("Duration of the way to the pose")
        self._duration.setToolTip("Time in which the robot goes to the pose")
        self._words.setWordWrap(True)
        self._words.setFixedWidth(RIGHT_PX)
        self._words.setAccessibleName("What happened to the pose")
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(library.name)
        for parts in (
            (
                ("Save", "Save the pose with the show (Enter in the name)", library.save),
                ("Save as", "Save as another pose of this name", library.save_as),
            ),
            (
                (
                    "Take from robot",
                    "Set the sliders to the robot's joints, while it is still; "
                    f"{CAPTURE_KEY} saves the pose too",
                    self._take,
                ),
            ),
            (("Go to pose", "Let the robot move to the pose and keep it", self._go),),
        ):
            row, buttons = button_row(*parts)
            self.buttons |= buttons
            column.addLayout(row)
        row.addWidget(self._duration)
        column.addWidget(self._words, 1)
        return column

    def _connect(self) -> None:
        context, link, editor = self._context, self._context.link, self.editor
        editor.changed.connect(self._show)
        self._undo.clicked.connect(editor.step_back)
        self._redo.clicked.connect(editor.step_forward)
        self._judge.changed.connect(self._show_verdict)
        self.pages.currentChanged.connect(lambda _: self._show())
        self.library.said.connect(self._say)
        self.gaze.typed.connect(self._aim)
        self.sequence.add_asked.connect(self._add_stops)
        self.sequence.make_asked.connect(self._make_motion)
        self.capture_pose.triggered.connect(lambda _: self._take_and_save())
        context.document.changed.connect(self._show)
        context.document.opened.connect(self.sequence.forget)
        context.lock.changed.connect(lambda _: self._show())
        link.hello_changed.connect(self._meet)
        link.scene_changed.connect(self._capture.hear)
        link.connected_changed.connect(self._take_connection)
        link.events_arrived.connect(self._hear)

    # ---- the robot

    def _meet(self, hello: Hello) -> None:
        table = joint_table(hello)
        if table is None or _same(self.editor, hello):
            return
        joints = without_body(table)  # a pose has angles alone
        rest = dict(zip(hello.joint_names, hello.rest, strict=False))
        self._puppet = None
        self.sliders.meet(joints, self.gaze)
        self._thumbnails.forget()
        self.editor.meet(joints, rest)
        self._take_puppet()
        self.library.fill()
        self._show()

    def take_tree(self, tree: RobotTree) -> None:
        """Take the robot's bodies: handles are possible."""
        self._tree = tree
        self._take_puppet()

    def _take_puppet(self) -> None:
        """Make the puppet, once the bodies and the joints of one robot are known."""
        hello, joints = self._context.link.hello, self.editor.joints
        if hello is None or joints is None or self._tree is None:
            return
        moved = {body.joint for body in self._tree.bodies}
        if self._tree.name == hello.robot and moved >= joints.limb_of.keys():
            self._puppet = Puppet(hello, self._tree, joints)
            self._show()

    def _take_connection(self, connected: bool) -> None:
        if not connected:
            self._capture.forget()
        self._show()

    def lead(self, name: str, target: Floats) -> None:
        """Lead a handle to a place in the frame of the robot's base (3) [m]."""
        if self._puppet is None or not self._usable:
            return
        angles = self._puppet.lead(name, target, self.editor.state.angles)
        self._lead(f"drag {name}", angles, f"drag {name} {self._drags}")

    def let_go(self, _: str = "") -> None:
        """Take that a handle was let go."""
        self._drags += 1
        if self._puppet is not None:
            self._puppet.let_go()
        self._show()

    def _aim(self, place: tuple[float, float, float]) -> None:
        """Let the head look at a typed place."""
        if self._puppet is None or not self._usable:
            return
        inverse = np.linalg.inv(base_from_place(self._context.link, self._tree))
        target = inverse[:3, :3] @ np.array(place) + inverse[:3, 3]
        angles = self._puppet.aim(target, self.editor.state.angles)
        self._lead("gaze", angles, f"gaze {self._drags}")

    def _lead(self, text: str, angles: dict[str, float], key: str) -> None:
        self._leads = True
        self.editor.set_angles(text, angles, key)
        self._leads = False
        self._show_handles()  # also where no angle could change

    # ---- what is seen

    @property
    def _usable(self) -> bool:
        """Whether the pose may be edited."""
        return self.editor.joints is not None and not self._context.lock.locked

    @property
    def _edits(self) -> bool:
        """Whether the ghost shows the pose: this panel is seen, and may edit."""
        return self._seen and self._usable

    def _show(self) -> None:
        """Show the pose, here and on the stage."""
        state, usable = self.editor.state, self._usable
        if not self._leads and self._puppet is not None:
            self._puppet.let_go()
        self.sliders.show_state(state, usable)
        self.sequence.set_usable(usable)
        self.gaze.setEnabled(usable and self._puppet is not None)
        self.library.set_usable(usable)
        self.buttons["Take from robot"].setEnabled(usable)
        chosen = bool(state.limbs)
        modified = self.library.modified
        self.buttons["Save"].setEnabled(usable and chosen)
        self.buttons["Save"].setText("● Save" if usable and modified else "Save")
        self.buttons["Save as"].setEnabled(usable and chosen)
        self.buttons["Go to pose"].setEnabled(self._context.link.connected and chosen)
        self._mirror.setEnabled(usable)
        self._undo.setEnabled(usable and self.editor.undo.canUndo())
        self._redo.setEnabled(usable and self.editor.undo.canRedo())
        self._show_handles()
        if self._edits:
            self.posed.emit(self.editor.pose_angles or None)
            self._judge.ask(self._whole())
        else:
            self._judge.rest()
            if self._ghostly:
                self.posed.emit(None)
        self._ghostly = self._edits
        self._show_verdict()

    def _whole(self) -> dict[str, float]:
        """Return the pose, with the measured angles of the limbs that do not belong to it [rad]."""
        link, joints = self._context.link, self.editor.joints
        measured: dict[str, float] = {}
        if link.hello is not None and link.scene is not None and joints is not None:
            pairs = zip(link.hello.joint_names, link.scene.q, strict=False)
            measured = {j: a for j, a in pairs if j in joints.limb_of and math.isfinite(a)}
        return measured | self.editor.pose_angles

    def _show_handles(self) -> None:
        state, puppet = self.editor.state, self._puppet
        if puppet is None:
            return
        aimed = puppet.gaze(state.angles)
        if aimed is not None:
            base = base_from_place(self._context.link, self._tree)
            x, y, z = (base[:3, :3] @ aimed[0] + base[:3, 3]).tolist()
            self.gaze.show_target((x, y, z), aimed[1])
        self.handles_changed.emit(puppet.handles(state.angles, state.limbs) if self._edits else ())

    def _show_verdict(self) -> None:
        judge, edits_ = self._judge, self._edits
        verdict = judge.answer if edits_ else None
        if verdict is not None or not edits_ or judge.silent:
            self.sliders.show_loads(None if verdict is None else verdict.loads)
        tone, words = verdict_words(verdict, judge.silent, edits_)
        text = f"{tone.mark} {words}" if words else ""
        if self._check.text() != text:
            self._check.setText(text)
            self._check.setStyleSheet(f"color: {tone.colour}")

    def set_seen(self, seen: bool) -> None:
        """Take whether the panel is in front; behind others it gives the ghost back."""
        if seen != self._seen:
            self._seen = seen
            self._show()

    # ---- the robot's joints

    def _take(self) -> None:
        """Set the sliders of the pose to the robot's joints."""
        limbs = self.editor.state.limbs
        if self._take_limbs(limbs & self._released or limbs):
            self._say("the sliders have the robot's pose", theme.GOOD)

    @property
    def _released(self) -> frozenset[str]:
        """The limbs that a person moves in RECORD."""
        link = self._context.link
        if link.hello is None or link.status is None or link.status.mode != "RECORD":
            return frozenset()
        freedoms = zip(link.hello.group_names, link.status.freedoms, strict=False)
        return frozenset(limb for limb, freedom in freedoms if freedom != "driven")

    def _take_limbs(self, limbs: frozenset[str], alone: bool = False) -> bool:
        """Set the sliders of some limbs to the robot's joints; return whether it was possible.

        Args:
            limbs: names of the limbs.
            alone: only they belong to the pose from now on.
        """
        link, editor = self._context.link, self.editor
        joints, hello = editor.joints, link.hello
        if joints is None or hello is None:
            self._refuse("no pose was taken: no core has said yet which robot it is")
            return False
        if not self._usable:
            self._refuse("no pose was taken: the show is locked, switch SHOW to EDIT")
            return False
        names = tuple(j for j, limb in joints.limb_of.items() if limb in limbs)
        if not names:
            self._refuse("no pose was taken: no limb belongs to the pose; tick one")
            return False
        try:
            angles = self._capture.take(hello.joint_names, names)
        except CaptureRefused as refusal:
            self._refuse(str(refusal))
            return False
        editor.set_angles(
            "take from robot", angles, source="recorded", limbs=limbs if alone else None
        )
        return True

    def _take_and_save(self) -> None:
        """Take a pose from the robot and save it as another one.

        It has the limbs that a person moves, or all.
        """
        joints = self.editor.joints
        limbs = self._released or frozenset(() if joints is None else joints.joints_of)
        if self._take_limbs(limbs, alone=True):
            name = self.library.name
            name.setText(edits.free_title("", self._context.document.poses))
            self.library.save_as()
            self._context.notices.say(f"{name.text()} is taken from the robot")

    def _go(self) -> None:
        """Let the robot go to the pose."""
        self._went = True
        if self._context.link.send(GoToPose(self.editor.pose_angles, self._duration.value())):
            self._say("the robot goes to the pose", theme.BUSY)
        else:
            self._say("the pose was not sent", theme.WARN)

    def _hear(self, events: list[Event]) -> None:
        """Say why the core refuses the pose."""
        for event in events:
            refused = event.code == REFUSED.code and event.fields.get("command") == "go_to_pose"
            if self._went and refused:
                self._went = False
                self._say(sentence(event).rstrip("."), theme.WARN)

    # ---- poses to a motion

    def _add_stops(self) -> None:
        chosen = self.library.chosen()
        if chosen:
            self.sequence.add(chosen)
        else:
            self.sequence.say("choose poses in the list first", theme.WARN)

    def _make_motion(self) -> None:
        joints = self.editor.joints
        if joints is None:
            return
        stops = self.sequence.stops
        try:
            made = motion_of_poses("pose_motion", stops, joints)
        except ShowError as error:
            self.sequence.say(str(error), theme.WARN)
            return
        self.sequence.show_made(made)
        self.motion_asked.emit(made)

    # ---- words

    def _say(self, words: str, tone: theme.Tone) -> None:
        self._words.setText(f"{tone.mark} {words[:1].upper()}{words[1:]}." if words else "")
        self._words.setStyleSheet(f"color: {tone.colour}; font-size: {theme.SMALL_PX}px")

    def _refuse(self, words: str) -> None:
        """Say it here and in the log: the key is pressed while another panel is seen."""
        self._say(words, theme.WARN)
        self._context.notices.say(words, "warning")


def _same(editor: PoseEditor, hello: Hello) -> bool:
    """Tell whether a hello is of the robot that is posed already."""
    joints = editor.joints
    if joints is None or (joints.robot, joints.names) != (hello.robot, hello.joint_names):
        return False
    limits = (tuple(joints.lower.tolist()), tuple(joints.upper.tolist()))
    limbs = tuple(limb for limb in hello.limbs if limb.kind != "body")
    return limits == (hello.lower, hello.upper) and joints.limbs == limbs
