"""The row over the curves: joints, plots, editing of keys, marker, and undo."""

from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QToolButton, QWidget

from app.console.motions.curves import SOUND, CurveView
from app.console.toolkit.folding_bar import FoldingBar
from shows.joints import JointTable
from shows.motion import Motion

PLOTS = {"Velocity": "Velocity", "Torque": "Torque", SOUND: "♪"}
TIGHT = "padding: 4px 5px;"


class CurveBar(FoldingBar):
    """Controls of the curves.

    Attributes:
        joints: which curves are shown; the data of each row are names of joints.
        edit_keys: edits the motion by keys.
        mark: sets or removes a marker.
        fit: shows the whole motion.
        undo, redo: of the motion's changes.
        about: the take and the length of the motion.
        plots: the switch of each plot that can be hidden.
    """

    def __init__(self, curves: CurveView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves = curves
        self.row.setContentsMargins(0, 0, 0, 0)
        self.joints, self.edit_keys = QComboBox(), QPushButton("Edit keys")
        self.mark, self.fit = QToolButton(), QToolButton()
        self.undo, self.redo = QToolButton(), QToolButton()
        self.about = QLabel()
        self.plots: dict[str, QToolButton] = {}
        self._lay_out()
        curves.shown_changed.connect(self._show_plots)

    def offer(self, raw: Motion, table: JointTable) -> None:
        """Offer all joints, those of each limb, and each joint of a motion."""
        self.joints.clear()
        limbs = {table.limb_of[joint]: joint for joint in raw.joint_names}
        titles = {limb.name: limb.title for limb in table.limbs}
        if len(limbs) > 1:
            self.joints.addItem("All joints", raw.joint_names)
        for limb in limbs:
            chosen = tuple(j for j in raw.joint_names if table.limb_of[j] == limb)
            self.joints.addItem(titles.get(limb, limb), chosen)
        for joint in raw.joint_names:
            self.joints.addItem(joint.replace("_", " "), (joint,))
        self.joints.setCurrentIndex(0)

    def _lay_out(self) -> None:
        self.joints.setAccessibleName("Joints of the curves")
        self.joints.setToolTip("Joints of the curves")
        self.joints.setMinimumContentsLength(8)
        adjust = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.joints.setSizeAdjustPolicy(adjust)
        self.edit_keys.setAccessibleName("Edit the keys of the curves")
        self.edit_keys.setToolTip(
            "Edit the keys of the curves; without keys, they are fitted within 0.5° first"
        )
        self.row.addWidget(self.joints)
        self.row.addWidget(self.edit_keys)
        for name, text in PLOTS.items():
            button = QToolButton()
            button.setText(text)
            button.setStyleSheet(TIGHT)
            button.setCheckable(True)
            button.setAccessibleName(f"Show the {name.lower()}")
            button.setToolTip(f"Show the {name.lower()} under the position")
            button.clicked.connect(lambda _=False: self._ask_plots())
            self.row.addWidget(button)
            self.plots[name] = button
        for button, word, tip in (
            (self.mark, "⚑", "Set a marker at the playhead, or remove the one there"),
            (self.fit, "Fit", "Show the whole motion, and all values"),
            (self.undo, "↶", "Undo the last change of the motion"),
            (self.redo, "↷", "Do the undone change again"),
        ):
            button.setText(word)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setStyleSheet(TIGHT)
            self.row.addWidget(button)
        self.about.setMinimumWidth(1)  # it is cut where there is no room
        self.row.addWidget(self.about, 1)
        self.fold((self.about,))

    def _ask_plots(self) -> None:
        self._curves.show_plots(name for name, button in self.plots.items() if button.isChecked())

    def _show_plots(self) -> None:
        for name, button in self.plots.items():
            button.setChecked(self._curves.shows(name))
