"""The sliders of a pose, grouped by limb; each group can be folded."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.poses.editor import PoseEditor, State
from app.console.poses.joint_row import JointRow
from app.console.toolkit import theme
from shows.joints import JointTable
from shows.limbs import Limb, mirrored_limbs

TWO_COLUMNS_PX = 720
LEAST_PX = 64  # height
COMPACT = "padding: 0 6px; min-height: 20px"  # of a button in a head
OPEN, FOLDED = "▾", "▸"


class LimbGroup(QWidget):
    """The sliders of one limb.

    Attributes:
        limb: the limb.
        rows: its joints, by name.
        member: the limb belongs to the pose.
        buttons: mirror, copy and rest, by word.
    """

    def __init__(self, limb: Limb, joints: JointTable, other: str, editor: PoseEditor) -> None:
        """Make the sliders.

        Args:
            limb: the limb.
            joints: the robot's joints.
            other: title of the limb on the other side; empty without one.
            editor: the pose.
        """
        super().__init__()
        self.limb = limb
        self.rows: dict[str, JointRow] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._fold, self.member = QToolButton(), QCheckBox("in the pose")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(2, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(1)
        column.addLayout(self._head(other, editor))
        column.addLayout(self._grid)
        for row, name in enumerate(joints.joints_of[limb.name]):
            i = joints.index[name]
            word = joints.roles[i].replace("_", " ")
            joint = JointRow(name, word, float(joints.lower[i]), float(joints.upper[i]), self)
            joint.put(self._grid, row)
            joint.turned.connect(partial(_turn, editor, name))
            joint.rest_asked.connect(partial(_rest, editor, name))
            self.rows[name] = joint
        self._fold.toggled.connect(self._show_rows)
        self.member.clicked.connect(lambda on: editor.choose_limb(limb.name, on))

    def _head(self, other: str, editor: PoseEditor) -> QHBoxLayout:
        title = self.limb.title
        head = QHBoxLayout()
        head.setSpacing(4)
        self._fold.setCheckable(True)
        self._fold.setChecked(True)
        self._fold.setText(f"{OPEN} {title}")
        self._fold.setStyleSheet(COMPACT)
        self._fold.setAccessibleName(f"Joints of {title}")
        self._fold.setToolTip(f"Show or hide the joints of {title}")
        self.member.setAccessibleName(f"{title} belongs to the pose")
        self.member.setToolTip(f"Only limbs that belong to the pose move to it: {title}")
        head.addWidget(self._fold)
        head.addWidget(self.member)
        head.addStretch(1)
        limb = self.limb.name
        deeds: list[tuple[str, str, Callable[[], None]]] = []
        if other:
            swap = f"Exchange {title} and {other}"
            deeds.append(("⇄", swap, lambda: editor.mirror((limb,))))
            copy = f"Give {other} the mirror image of {title}"
            deeds.append(("⇒", copy, lambda: editor.copy_limb(limb)))
        else:
            turn = f"Turn {title} to the other side"
            deeds.append(("⇄", turn, lambda: editor.mirror((limb,))))
        deeds.append(("⌂", f"Put {title} at rest", lambda: editor.rest_limb(limb)))
        for mark, tip, act in deeds:
            button = QToolButton()
            button.setText(mark)
            button.setStyleSheet(COMPACT)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(act)
            head.addWidget(button)
            self.buttons[tip] = button
        return head

    def show_state(self, state: State, usable: bool) -> None:
        """Show the angles."""
        member = self.limb.name in state.limbs
        self.member.setChecked(member)
        self.member.setEnabled(usable)
        for button in self.buttons.values():
            button.setEnabled(usable)
        for name, row in self.rows.items():
            row.show_angle(state.angles[name])
            row.set_usable(usable and member)

    def _show_rows(self, shown: bool) -> None:
        self._fold.setText(f"{OPEN if shown else FOLDED} {self.limb.title}")
        for row in self.rows.values():
            row.set_visible(shown)


class Sliders(QScrollArea):
    """All groups, in one or two columns: limbs of the right side are in the second.

    Attributes:
        groups: the groups, by limb.
    """

    def __init__(self, editor: PoseEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.groups: dict[str, LimbGroup] = {}
        self._editor = editor
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(LEAST_PX)
        self._both: QBoxLayout | None = None

    def meet(self, joints: JointTable, below_gaze: QWidget) -> None:
        """Show the limbs of a robot.

        Args:
            joints: the robot's joints.
            below_gaze: goes below the limb that turns the gaze.
        """
        below_gaze.setParent(None)
        page = QWidget()
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, page)
        self._both.setContentsMargins(0, 0, theme.GAP, 0)
        self._both.setSpacing(2 * theme.GAP)
        columns = QVBoxLayout(), QVBoxLayout()
        others = mirrored_limbs(joints.limbs)
        titles = {limb.name: limb.title for limb in joints.limbs}
        gazing = None if joints.gaze is None else joints.limb_of.get(joints.gaze.yaw)
        self.groups = {}
        for limb in joints.moved_limbs:
            group = LimbGroup(limb, joints, titles.get(others.get(limb.name, ""), ""), self._editor)
            column = columns[limb.side == "right"]
            column.addWidget(group)
            self.groups[limb.name] = group
            if limb.name == gazing:
                columns[1].insertWidget(0, below_gaze)
        below_gaze.setVisible(gazing is not None)
        for column in columns:
            column.setSpacing(2)
            column.addStretch(1)
            self._both.addLayout(column, 1)
        page.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setWidget(page)
        self._turn()

    def show_state(self, state: State, usable: bool) -> None:
        """Show the angles."""
        for group in self.groups.values():
            group.show_state(state, usable)

    def show_loads(self, loads: Mapping[str, float] | None) -> None:
        """Show the load of every joint; None: not known."""
        for group in self.groups.values():
            for name, row in group.rows.items():
                row.show_load(None if loads is None else loads.get(name, 0.0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Take one column or two."""
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        if self._both is not None:
            wide = self.viewport().width() >= TWO_COLUMNS_PX
            direction = QBoxLayout.Direction
            self._both.setDirection(direction.LeftToRight if wide else direction.TopToBottom)


def _turn(editor: PoseEditor, joint: str, angle: float) -> None:
    editor.set_angles(f"turn {joint.replace('_', ' ')}", {joint: angle}, joint)


def _rest(editor: PoseEditor, joint: str) -> None:
    editor.set_angles("rest", {joint: editor.rest[joint]})
