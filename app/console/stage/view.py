"""The 3-D view's panel: its content, rate, camera, and the pull at the robot."""

import time
from concurrent.futures import Future, ThreadPoolExecutor

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.stage import ghost, overlay, posture
from app.console.stage.camera import Camera, Preset
from app.console.stage.camera_bar import CameraBar
from app.console.stage.figure import FigureNodes, coloured
from app.console.stage.floor import laid, outline
from app.console.stage.legend import Legend
from app.console.stage.mouse import Mouse
from app.console.stage.pull import Pull
from app.console.stage.renderer import is_software, renderer
from app.console.stage.robot_tree import RobotError, RobotTree, tree_of
from app.console.stage.steering import Steering
from app.console.stage.window import StageWindow, stand_back
from app.console.toolkit import theme
from core.link.figure import Figure
from core.link.scene import Scene
from shows.motion import Motion

FRAME_S, SIMPLE_FRAME_S = 1.0 / 60.0, 0.070
EASY_FRAME_S = 0.025
REST_SHARE = 1.5  # after a frame that took longer, the machine has this much of it for others
LATE_FRAME_S, LATE_FRAMES = 0.15, 8  # so slow, so often: the simple picture is better
STUCK_S = 5.0  # a frame that was not drawn by then will not be
NO_PICTURE = (
    "The 3-D view needs OpenGL, which this screen does not offer.\n"
    "Everything else of the console works without it."
)
WAITING = "Waiting for the core to say which robot it is."


class StagePanel(QWidget):
    """Shows the robot as the core sees it; a rehearsed one can be pulled at.

    Attributes:
        steering: the camera.
        window_3d: the window with the picture; None where that is not possible.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAccessibleName("3-D view of the robot")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(260, 200)
        self._context = context
        self.steering = Steering(self)
        seen = context.preferences.value
        free = None if seen.free_camera is None else Camera.kept(seen.free_camera)
        self.steering.restore(Preset(seen.camera), free)
        self.window_3d: StageWindow | None = None
        self._container: QWidget | None = None
        self._covered = self._closed = False
        self._renderer = renderer()
        self._tree: RobotTree | None = None
        self._figures: tuple[FigureNodes, FigureNodes] | None = None
        self._shown: list[bool] = []
        self._preview: Motion | None = None
        self._preview_s = 0.0
        self._pool = ThreadPoolExecutor(1)
        self._loading: Future[RobotTree] | None = None
        self._pull = Pull(context.link, self)
        self._mouse = Mouse(self.steering, self._pull, self)
        self._mouse.pressed.connect(self._take_keys)
        self._dirty, self._busy = True, False
        self._begun_s = self._drawn_s = 0.0
        self._late = 0
        self._forced_simple = False
        self._seen = False  # the first frame of this picture is out

        self._why = WAITING if self._renderer else NO_PICTURE  # there is no picture
        self._sentence = QLabel(self._why)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setWordWrap(True)
        self._sentence.setStyleSheet(f"color: {theme.MUTED}")
        self._legend = Legend()
        self._pages = QStackedLayout()
        self._pages.addWidget(self._sentence)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(CameraBar(self.steering))
        layout.addLayout(self._pages, 1)
        layout.addWidget(self._legend)

        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._draw)
        self._playing = QTimer(self)
        self._playing.timeout.connect(self._ask)
        self._loaded = QTimer(self)
        self._loaded.setInterval(30)
        self._loaded.timeout.connect(self._take_tree)

        self.steering.changed.connect(self._steered)
        link = context.link
        link.figure_changed.connect(self._meet)
        link.scene_changed.connect(self._ask)
        link.connected_changed.connect(self._connected)
        link.hello_changed.connect(self._legend.meet)
        if link.hello is not None:
            self._legend.meet(link.hello)
        context.preferences.changed.connect(self._prefer)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.aboutToQuit.connect(self.close_view)
        application.applicationStateChanged.connect(self.take_application_state)
        if link.figure is not None:
            self._meet(link.figure)

    @property
    def simple(self) -> bool:
        """Whether the picture is the one for a machine without a graphics card."""
        wanted = self._context.preferences.value.simple_view
        if wanted is not None:
            return wanted
        return self._forced_simple or is_software(self._renderer or "")

    @property
    def pushing(self) -> bool:
        """Whether the robot is being pulled at."""
        return self._pull.active

    def preview(self, motion: Motion | None) -> None:
        """Let the ghost play a motion, again and again; None gives it back to the reference."""
        self._preview, self._preview_s = motion, time.monotonic()
        self._legend.tell("" if motion is None else motion.title or motion.name)
        if motion is None:
            self._playing.stop()
        else:
            self._playing.start(round(1000.0 * (SIMPLE_FRAME_S if self.simple else FRAME_S)))
        self._ask()

    def end_push(self) -> None:
        """End a push."""
        self._pull.end()

    def take_application_state(self, state: Qt.ApplicationState) -> None:
        """Let go of the robot when another program comes to the front."""
        if state != Qt.ApplicationState.ApplicationActive:
            self.end_push()

    def set_covered(self, covered: bool) -> None:
        """Hide the picture while something lies over the panel.

        The picture has a window of the screen's own, which would show through.
        """
        self._covered = covered
        if covered:
            self.end_push()
        self._uncover()

    def close_view(self) -> None:
        """End all drawing, before the program ends."""
        self.end_push()
        for timer in (self._again, self._playing, self._loaded):
            timer.stop()
        self._closed = True
        self._keep_camera()
        self._pool.shutdown()
        self._tear_down()

    # ---- the robot

    def _meet(self, figure: Figure) -> None:
        if self._closed:
            return
        self._loading = self._pool.submit(_load, figure, self.simple)
        self._loaded.start()

    def _take_tree(self) -> None:
        if self._loading is None or not self._loading.done():
            return
        self._loaded.stop()
        try:
            self._tree = self._loading.result()
        except RobotError as error:
            self._why = f"{str(error)[0].upper()}{str(error)[1:]}."
            self._tear_down()
            return
        self._pull.take(self._tree)
        self.steering.fit(outline(self._tree).height(self._tree.forward_kinematics({})))
        self._build()

    def _build(self) -> None:
        self._tear_down()
        if self._tree is None or self._renderer is None or self._closed:
            return
        window = StageWindow(self.simple)
        if window.broken:
            self._fail()
            return
        self.window_3d = window
        self._figures = window.figures(self._tree)
        self._shown = [True] * len(self._tree.bodies)
        window.view.frameSwapped.connect(self._swapped)
        window.exposed.connect(self._exposed)
        window.failed.connect(self._fail)
        self._mouse.enter(window)
        container = QWidget.createWindowContainer(window.view, self)
        container.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are the console's
        container.setAccessibleName("picture of the robot")
        self._container = container
        self._pages.addWidget(container)
        self._uncover()
        self._busy = self._seen = False
        self._refresh()
        self._ask()

    def _tear_down(self) -> None:
        self._figures = None
        window, self.window_3d = self.window_3d, None
        self._mouse.enter(None)
        container, self._container = self._container, None
        self._uncover()
        if window is not None and container is not None:
            window.view.frameSwapped.disconnect(self._swapped)
            found = self._pages.widget(1)
            if found is not None:
                self._pages.removeWidget(found)
                found.hide()
                found.deleteLater()

    def _uncover(self) -> None:
        self._sentence.setText("" if self._covered else self._why)
        # By its place: the toolkit may forget the container's Python side while it is hidden.
        self._pages.setCurrentIndex(0 if self._covered or self._container is None else 1)

    def _fail(self) -> None:
        self._why = NO_PICTURE
        self._renderer = None
        self._tear_down()

    # ---- frames

    def _ask(self) -> None:
        self._dirty = True
        self._draw()

    def _exposed(self) -> None:
        self._busy = False  # a frame that was to be drawn meanwhile was not
        self._ask()

    def _steered(self) -> None:
        preset = self.steering.preset
        if preset != self._context.preferences.value.camera:  # not with every pixel of a drag
            self._keep_camera()
        self._ask()

    def _keep_camera(self) -> None:
        """Remember how the robot is seen, for the next run."""
        store, steering = self._context.preferences, self.steering
        free = (
            steering.free.numbers() if steering.preset is Preset.FREE else store.value.free_camera
        )
        seen = replace(store.value, camera=steering.preset.value, free_camera=free)
        store.change(seen)

    def _draw(self) -> None:
        """Draw the newest picture, if the last frame is out and the machine has time."""
        window = self.window_3d
        if not self._dirty or window is None or not self.isVisible() or not window.view.isExposed():
            return
        now_s = time.monotonic()
        if self._busy and now_s - self._begun_s < STUCK_S:
            return
        wait_s = self._drawn_s - now_s
        if wait_s > 0.001:
            if not self._again.isActive():
                self._again.start(max(1, round(1000.0 * wait_s)))
            return
        self._dirty = False
        self._busy = self._refresh()
        self._begun_s = now_s
        if self._busy:
            window.view.update()  # a change that cannot be seen makes no frame by itself

    def _swapped(self) -> None:
        if not self._busy:
            return
        self._busy = False
        if not self._seen:
            self._seen = True
            stand_back()
        now_s = time.monotonic()
        took_s = now_s - self._begun_s
        least_s = SIMPLE_FRAME_S if self.simple else FRAME_S
        rest_s = REST_SHARE * took_s if took_s > EASY_FRAME_S else 0.0
        self._drawn_s = max(self._begun_s + least_s, now_s + min(rest_s, 0.5))
        self._late = self._late + 1 if took_s > LATE_FRAME_S else 0
        if self._late >= LATE_FRAMES and not self.simple:
            self._forced_simple = True
            QTimer.singleShot(0, self, self._prefer)
            return
        self._draw()

    def _refresh(self) -> bool:
        """Bring the scene graph up to date; tell whether anything changed."""
        window, tree = self.window_3d, self._tree
        if window is None or tree is None or self._figures is None:
            return False
        link = self._context.link
        scene = laid(link.scene or Scene(0.0), link.hello, link.status, tree)
        measured = posture.angles(link.hello, scene.q)
        base = posture.base(scene, tree)
        robot, shade = self._figures
        changed = robot.pose(measured, base)
        if self._preview is not None:
            wanted = measured | ghost.moment(self._preview, time.monotonic() - self._preview_s)
        else:
            wanted = measured | posture.angles(link.hello, scene.q_reference)
        self._shown = ghost.apart(tree, measured, wanted, self._shown)
        changed |= shade.show(self._shown)
        if any(self._shown):
            changed |= shade.pose(wanted, base)
        poses = tree.forward_kinematics(measured, base)
        contacts = [poses[i, :3, :3] @ place + poses[i, :3, 3] for i, place in tree.contacts]
        changed |= window.paint(
            "ground", *overlay.ground(scene, link.hello.feet if link.hello else ())
        )
        changed |= window.place(overlay.marks(scene, contacts, poses[0, :3, 3]))
        changed |= window.centre_grid(float(base[0, 3]), float(base[1, 3]))
        changed |= window.look(
            self.steering.follow(float(base[0, 3]), float(base[1, 3]), scene.base_rpy[2])
        )
        changed |= window.say("banner", "" if link.connected else "LOST: this is the last picture")
        return changed

    # ---- keys

    def _take_keys(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Move the camera."""
        if not self.steering.key(event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """End a push on Esc, and pass Esc on to the stop ladder."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.end_push()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Draw the newest scene."""
        super().showEvent(event)
        self._busy = False
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """End a push."""
        super().hideEvent(event)
        self.end_push()

    # ---- the rest

    def _connected(self, connected: bool) -> None:
        if not connected:
            self.end_push()
        self._ask()

    def _prefer(self) -> None:
        if self.window_3d is not None and self.window_3d.simple != self.simple:
            self._late = 0
            self._build()


def _load(figure: Figure, simple: bool) -> RobotTree:
    """Read a robot and prepare its surfaces, beside the thread of the windows."""
    tree = tree_of(figure)
    coloured(tree, simple)
    outline(tree)
    return tree
