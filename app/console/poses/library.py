"""The poses of the show: list, search, and their naming, saving and deleting."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.console.context.document import Document
from app.console.gestures.edits import MAX_TITLE, EditRefused
from app.console.gestures.thumbnails import Thumbnails
from app.console.poses import edits
from app.console.poses.buttons import button_row
from app.console.poses.editor import PoseEditor
from app.console.poses.pose_list import PoseList
from app.console.toolkit import theme
from shows.errors import ShowError
from shows.pose import Pose, check_pose

MANY = 8  # poses from which on there is a search line
LIST_PX = 164


class PoseLibrary(QWidget):
    """Opens the poses of the show in an editor, and saves the edited one.

    Attributes:
        list: the poses.
        search: words that the listed poses have.
        name: title of the edited pose; the panel places it.
        buttons: new, rename, delete, by word.
        usable: the poses may be edited.

    Signals:
        said: what happened, and its tone.
    """

    said = Signal(str, object)

    def __init__(
        self,
        document: Document,
        editor: PoseEditor,
        thumbnails: Thumbnails,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._editor = document, editor
        self.usable = False
        self.list, self.search, self.name = PoseList(thumbnails), QLineEdit(), QLineEdit()
        self.buttons: dict[str, QPushButton] = {}
        self._lay_out()
        self.list.opened.connect(self._open)
        self.list.renamed.connect(self._rename)
        self.search.textChanged.connect(lambda _: self.fill())
        self.name.returnPressed.connect(self.save)
        document.changed.connect(self.fill)
        document.opened.connect(self._begin_show)

    def _lay_out(self) -> None:
        self.search.setPlaceholderText("Search poses")
        self.search.setAccessibleName("Search poses")
        self.search.setClearButtonEnabled(True)
        self.name.setPlaceholderText("Name of the pose")
        self.name.setAccessibleName("Name of the pose")
        self.name.setMaxLength(MAX_TITLE)
        self.list.setFixedWidth(LIST_PX)
        self.search.setFixedWidth(LIST_PX)
        row, self.buttons = button_row(
            ("New", "Begin a new pose, at rest", self._editor.begin),
            ("Rename", "Rename the pose (F2)", self.list.edit_name),
            ("Delete", "Delete the chosen poses; Ctrl+Z brings them back", self._delete),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addLayout(row)
        self.setFocusProxy(self.list)
        rename = QAction("Rename the pose", self.list)
        rename.setShortcut(QKeySequence("F2"))
        rename.triggered.connect(self.list.edit_name)
        delete = QAction("Delete the chosen poses", self.list)
        delete.setShortcut(QKeySequence.StandardKey.Delete)
        delete.triggered.connect(self._delete)
        for action in (rename, delete):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.list.addAction(action)

    @property
    def saved(self) -> Pose | None:
        """The edited pose as the show has it; None for a new one."""
        return self._document.poses.get(self._editor.name)

    @property
    def modified(self) -> bool:
        """The edited pose is not as the show has it."""
        saved = self.saved
        return saved is None or dict(saved.angles) != self._editor.pose_angles

    def set_usable(self, usable: bool) -> None:
        """Take whether the poses may be edited."""
        self.usable = usable
        self.name.setEnabled(usable)
        self.buttons["New"].setEnabled(usable)
        for word in ("Rename", "Delete"):
            self.buttons[word].setEnabled(usable and bool(self._document.poses))

    def chosen(self) -> list[Pose]:
        """Return the poses that are chosen in the list."""
        poses = self._document.poses
        return [poses[name] for name in self.list.chosen() if name in poses]

    def fill(self) -> None:
        """List the poses of the show."""
        poses = self._document.poses
        self.search.setVisible(len(poses) > MANY or bool(self.search.text()))
        self.list.fill(poses, self.search.text())
        if self.list.current() != self._editor.name:
            self.list.choose(self._editor.name)
        self.set_usable(self.usable)

    def _begin_show(self) -> None:
        """Take that another show is open."""
        self.name.clear()
        if self._editor.joints is not None:
            self._editor.begin()
            self._editor.undo.clear()

    def _open(self, name: str) -> None:
        pose = self._document.poses.get(name)
        joints = self._editor.joints
        if pose is None or joints is None:
            return
        try:
            check_pose(pose, joints)
        except ShowError as error:
            self.said.emit(f"{pose.label} was not opened: {error}", theme.WARN)
            return
        self.name.setText(pose.label)
        self.said.emit("", theme.IDLE)
        self._editor.open(pose)

    def save(self) -> None:
        """Save the pose under its name, which may be a new one."""
        saved = self.saved
        if saved is None:
            self.save_as()
            return
        title = self.name.text().strip() or saved.label
        poses = dict(self._document.poses)
        name = saved.name
        try:
            if title != saved.label:
                name, poses = edits.renamed(poses, name, title)
                self._editor.renamed(saved.name, name)
        except EditRefused as refusal:
            self.said.emit(str(refusal), theme.WARN)
            return
        kept = poses[name]
        poses[name] = Pose(
            name, self._editor.pose_angles, kept.title, self._editor.state.source, kept.tags
        )
        self._keep(f"save pose {name}", name, poses)

    def save_as(self) -> None:
        """Save the pose as another one."""
        poses = self._document.poses
        title = edits.free_title(self.name.text(), poses)
        try:
            name = edits.named(title, poses)
        except EditRefused as refusal:
            self.said.emit(str(refusal), theme.WARN)
            return
        pose = Pose(name, self._editor.pose_angles, title, self._editor.state.source)
        self._keep(f"save pose {name}", name, {**poses, name: pose})

    def _keep(self, text: str, name: str, poses: dict[str, Pose]) -> None:
        """Put poses into the document, if it may be edited."""
        document = self._document
        if not self.usable:
            self.said.emit("nothing was saved: the show is locked, switch SHOW to EDIT", theme.WARN)
            return
        try:
            if self._editor.joints is not None:
                check_pose(poses[name], self._editor.joints)
        except ShowError as error:
            self.said.emit(str(error), theme.WARN)
            return
        self._editor.saved_as(name)
        document.edit(text, document.show, poses=poses)
        self.name.setText(poses[name].label)
        self.said.emit(f"{poses[name].label} is saved with the show", theme.GOOD)

    def _rename(self, name: str, title: str) -> None:
        document = self._document
        if not self.usable or name not in document.poses:
            return
        if not title or title == document.poses[name].label:
            return
        try:
            fresh, poses = edits.renamed(document.poses, name, title)
        except EditRefused as refusal:
            self.said.emit(str(refusal), theme.WARN)
            return
        if self._editor.name == name:
            self.name.setText(title)
        self._editor.renamed(name, fresh)
        document.edit(f"rename pose {name}", document.show, poses=poses)

    def _delete(self) -> None:
        names = self.list.chosen()
        document = self._document
        if not names or not self.usable:
            return
        what = f"pose {names[0]}" if len(names) == 1 else f"{len(names)} poses"
        after = edits.without(document.poses, names)
        document.edit(f"delete {what}", document.show, poses=after)
        self.said.emit(f"{what} deleted: Ctrl+Z brings back", theme.IDLE)
