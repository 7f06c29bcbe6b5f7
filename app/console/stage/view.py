"""The 3-D view's panel: what it shows, how often, from where, and the pull at the robot."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from math import isfinite, remainder, tau

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console import theme
from app.console.context import Context
from app.console.stage import drag, ghost, overlay
from app.console.stage.camera import AUDIENCE, Camera, Preset, placed
from app.console.stage.figure import Figure
from app.console.stage.renderer import is_software, renderer
from app.console.stage.robot_tree import Floats, RobotError, RobotTree, base_pose, load_tree
from app.console.stage.window import StageWindow, stand_back
from core.link.messages import Hello, Scene
from shows.motion import Motion

FRAME_S, SIMPLE_FRAME_S = 1.0 / 60.0, 0.070
EASY_FRAME_S = 0.025
REST_SHARE = 1.5  # after a frame that took longer, the machine has this much of it for others
LATE_FRAME_S, LATE_FRAMES = 0.15, 8  # so slow, so often: the simple picture is better
STUCK_S = 5.0  # a frame that was not drawn by then will not be
HOVER_S = 0.05
GLIDE = 0.3  # share of the way that the camera follows the robot in a frame
ORBIT_PER_PX, ZOOM_STEP, KEY_ORBIT, KEY_PAN = 0.008, 0.88, 0.12, 0.05
PRESETS = {
    Preset.AUDIENCE: ("Audience", "A", "from the middle of the house"),
    Preset.OPERATOR: ("Operator", "O", "from the wing"),
    Preset.FOLLOW: ("Follow", "F", "goes and turns with the robot"),
    Preset.FREE: ("Free", "V", "drag to go round, right-drag to shift, wheel to come nearer"),
}
LEGEND = (
    "◆ centre of mass, × below it   ◎ capture point   ▰ support   ↑ force   "
    "blue ghost: where it should be"
)
NO_PICTURE = (
    "The 3-D view needs OpenGL, which this screen does not offer.\n"
    "Everything else of the console works without it."
)
WAITING = "Waiting for the core to say which robot it is."


class StagePanel(QWidget):
    """Shows the robot as the core sees it; a rehearsed one can be pulled at.

    Attributes:
        preset: whose eyes.
        window_3d: what the picture is drawn in; None where that is not possible.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAccessibleName("3-D view of the robot")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(260, 200)
        self._context = context
        self.preset = Preset.AUDIENCE
        self.window_3d: StageWindow | None = None
        self._free = AUDIENCE
        self._camera = AUDIENCE
        self._place = (0.0, 0.0, 0.0)  # of the robot, as the camera follows it
        self._container: QWidget | None = None
        self._renderer = renderer()
        self._tree: RobotTree | None = None
        self._reach: drag.Reach | None = None
        self._figures: tuple[Figure, Figure] | None = None
        self._shown: list[bool] = []
        self._preview: Motion | None = None
        self._preview_s = 0.0
        self._pool = ThreadPoolExecutor(1)
        self._loading: Future[RobotTree] | None = None
        self._drag: drag.Drag | None = None
        self._mouse = QPointF()
        self._button = Qt.MouseButton.NoButton
        self._hovered_s = self._sent_s = 0.0
        self._dirty, self._busy = True, False
        self._begun_s = self._drawn_s = 0.0
        self._late = 0
        self._forced_simple = False
        self._seen = False  # the first frame of this picture is out

        self._sentence = QLabel(WAITING)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setWordWrap(True)
        self._sentence.setStyleSheet(f"color: {theme.MUTED}")
        self._buttons: dict[Preset, QToolButton] = {}
        self._bar = self._build_bar()
        self._pages = QStackedLayout()
        self._pages.addWidget(self._sentence)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._bar)
        layout.addLayout(self._pages, 1)

        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._draw)
        self._playing = QTimer(self)
        self._playing.timeout.connect(self._ask)
        self._loaded = QTimer(self)
        self._loaded.setInterval(30)
        self._loaded.timeout.connect(self._take_tree)
        self._pulling = QTimer(self)
        self._pulling.setTimerType(Qt.TimerType.PreciseTimer)
        self._pulling.setInterval(round(1000.0 * drag.EVERY_S))
        self._pulling.timeout.connect(self._pull)

        link = context.link
        link.hello_changed.connect(self._meet)
        link.scene_changed.connect(self._ask)
        link.connected_changed.connect(self._connected)
        context.preferences.changed.connect(self._prefer)
        if self._renderer is None:
            self._sentence.setText(NO_PICTURE)
        if link.hello is not None:
            self._meet(link.hello)

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
        return self._drag is not None

    def choose(self, preset: Preset) -> None:
        """See the robot with other eyes."""
        if preset is Preset.FREE:
            self._free = self._camera
        self.preset = preset
        self._buttons[preset].setChecked(True)
        self._ask()

    def preview(self, motion: Motion | None) -> None:
        """Let the ghost play a motion, again and again; None gives it back to the reference."""
        self._preview, self._preview_s = motion, time.monotonic()
        if motion is None:
            self._playing.stop()
        else:
            self._playing.start(round(1000.0 * (SIMPLE_FRAME_S if self.simple else FRAME_S)))
        self._ask()

    def end_push(self) -> None:
        """Let go of the robot."""
        self._drag = None
        self._pulling.stop()
        if self.window_3d is not None:
            self.window_3d.say("cursorText", "")
            self.window_3d.unsetCursor()
        self._ask()

    def close_view(self) -> None:
        """Stop drawing for good, before the program ends."""
        self.end_push()
        for timer in (self._again, self._playing, self._loaded):
            timer.stop()
        self._pool.shutdown()
        self._tear_down()

    # ---- the robot

    def _meet(self, hello: Hello) -> None:
        if self._renderer is None or (self._tree is not None and self._tree.name == hello.robot):
            return
        self._loading = self._pool.submit(load_tree, hello.robot)
        self._loaded.start()

    def _take_tree(self) -> None:
        if self._loading is None or not self._loading.done():
            return
        self._loaded.stop()
        try:
            self._tree = self._loading.result()
        except RobotError as error:
            self._sentence.setText(f"{str(error)[0].upper()}{str(error)[1:]}.")
            self._tear_down()
            return
        self._reach = drag.Reach(self._tree)
        self._build()

    def _build(self) -> None:
        self._tear_down()
        if self._tree is None or self._renderer is None:
            return
        window = StageWindow(self.simple)
        if window.broken:
            self._fail()
            return
        self.window_3d = window
        self._figures = window.figures(self._tree)
        self._shown = [True] * len(self._tree.bodies)
        window.frameSwapped.connect(self._swapped)
        window.exposed.connect(self._ask)
        window.failed.connect(self._fail)
        window.pressed.connect(self._press)
        window.moved.connect(self._move)
        window.released.connect(self._release)
        window.wheeled.connect(self._wheel)
        container = QWidget.createWindowContainer(window, self)
        container.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are the console's
        container.setAccessibleName("picture of the robot")
        self._container = container
        self._pages.addWidget(container)
        self._pages.setCurrentWidget(container)
        self._busy = self._seen = False
        self._refresh()
        self._ask()

    def _tear_down(self) -> None:
        self._figures = None
        self._pages.setCurrentWidget(self._sentence)
        window, self.window_3d = self.window_3d, None
        container, self._container = self._container, None
        if window is not None and container is not None:
            window.frameSwapped.disconnect(self._swapped)
            self._pages.removeWidget(container)
            container.hide()
            container.deleteLater()

    def _fail(self) -> None:
        self._sentence.setText(NO_PICTURE)
        self._renderer = None
        self._tear_down()

    # ---- frames

    def _ask(self) -> None:
        self._dirty = True
        self._draw()

    def _draw(self) -> None:
        """Draw what is newest, if the last frame is out and the machine had time for others."""
        window = self.window_3d
        if not self._dirty or window is None or not self.isVisible() or not window.isExposed():
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
            window.update()  # a change that cannot be seen makes no frame by itself

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
        scene = link.scene or Scene(0.0)
        measured = self._angles(scene.q)
        base = _base(scene, tree)
        robot, shade = self._figures
        changed = robot.pose(measured, base)
        if self._preview is not None:
            wanted = measured | ghost.moment(self._preview, time.monotonic() - self._preview_s)
        else:
            wanted = measured | self._angles(scene.q_reference)
        self._shown = ghost.apart(tree, measured, wanted, self._shown)
        changed |= shade.show(self._shown)
        if any(self._shown):
            changed |= shade.pose(wanted, base)
        poses = tree.forward_kinematics(measured, base)
        contacts = [poses[i, :3, :3] @ place + poses[i, :3, 3] for i, place in tree.contacts]
        changed |= window.paint("ground", *overlay.ground(scene))
        changed |= window.place(overlay.marks(scene, contacts, poses[0, :3, 3]))
        changed |= window.centre_grid(float(base[0, 3]), float(base[1, 3]))
        changed |= self._aim(float(base[0, 3]), float(base[1, 3]), scene.base_rpy[2])
        changed |= window.say("banner", "" if link.connected else "LOST: this is the last picture")
        changed |= window.say("note", self._note())
        return changed

    def _aim(self, x: float, y: float, yaw: float) -> bool:
        window = self.window_3d
        assert window is not None
        here = self._place
        if isfinite(x + y + yaw):
            gap = (x - here[0], y - here[1], remainder(yaw - here[2], tau))
            far = abs(gap[0]) + abs(gap[1]) > 1.0
            if far:
                self._place = (x, y, yaw)
            elif max(map(abs, gap)) > 0.01:
                self._place = (
                    here[0] + GLIDE * gap[0],
                    here[1] + GLIDE * gap[1],
                    here[2] + GLIDE * gap[2],
                )
        self._camera = placed(self.preset, self._free, *self._place)
        return window.look(self._camera)

    def _note(self) -> str:
        if self._preview is not None:
            return f"▶ preview of {self._preview.title or self._preview.name}"
        return LEGEND

    def _angles(self, q: tuple[float, ...]) -> dict[str, float]:
        hello = self._context.link.hello
        if hello is None:
            return {}
        return {
            name: angle
            for name, angle in zip(hello.joint_names, q, strict=False)
            if isfinite(angle)
        }

    # ---- mouse and keys

    def _press(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._mouse, self._button = event.position(), event.button()
        if self._button is Qt.MouseButton.LeftButton and not event.modifiers():
            place = self._under(event.position())
            if place is not None:
                self._drag = drag.Drag(place, self._camera)
                self._pulling.start()
                self._say_force()

    def _move(self, event: QMouseEvent) -> None:
        at = event.position()
        gone, self._mouse = at - self._mouse, at
        if self._drag is not None:
            self._say_force()
        elif self._button is Qt.MouseButton.NoButton:
            self._hover(at)
        elif self._button is Qt.MouseButton.LeftButton and not event.modifiers():
            self._steer(self._camera.orbited(-ORBIT_PER_PX * gone.x(), ORBIT_PER_PX * gone.y()))
        else:
            height = max(1, self.height())
            self._steer(self._camera.panned(-gone.x() / height, gone.y() / height))

    def _release(self, event: QMouseEvent) -> None:
        self._button = Qt.MouseButton.NoButton
        if self._drag is not None:
            self.end_push()

    def _wheel(self, steps: float) -> None:
        self._steer(self._camera.zoomed(ZOOM_STEP**steps))

    def _steer(self, camera: Camera) -> None:
        self._free = self._camera = camera
        if self.preset is not Preset.FREE:
            self.preset = Preset.FREE
            self._buttons[Preset.FREE].setChecked(True)
        self._ask()

    def _hover(self, at: QPointF) -> None:
        now_s = time.monotonic()
        if self.window_3d is not None and now_s - self._hovered_s > HOVER_S:
            self._hovered_s = now_s
            shape = Qt.CursorShape.OpenHandCursor
            if self._under(at) is None:
                shape = Qt.CursorShape.ArrowCursor
            if self.window_3d.cursor().shape() is not shape:
                self.window_3d.setCursor(shape)

    def _under(self, at: QPointF) -> Floats | None:
        """Return the point of a robot that may be pushed under the mouse (3) [m]."""
        link, window, tree = self._context.link, self.window_3d, self._tree
        if link.hello is None or not link.hello.simulated or not link.connected:
            return None
        if link.scene is None or window is None or tree is None or self._reach is None:
            return None
        poses = tree.forward_kinematics(self._angles(link.scene.q), _base(link.scene, tree))
        ray = self._camera.ray(at.x(), at.y(), window.width(), window.height())
        return self._reach.hit(poses, self._camera.eye(), ray)

    def _force(self) -> Floats | None:
        window = self.window_3d
        if self._drag is None or window is None:
            return None
        return self._drag.force(self._mouse.x(), self._mouse.y(), window.width(), window.height())

    def _say_force(self) -> None:
        force, window = self._force(), self.window_3d
        if force is not None and window is not None:
            size = float((force @ force) ** 0.5)
            window.say("cursorText", f"↗ {size:.0f} N")
            window.say("cursorPlace", self._mouse)

    def _pull(self) -> None:
        force = self._force()
        if force is None:
            return
        command = drag.push(force)
        if command is not None and not self._context.link.send(command):
            self.end_push()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Move the camera."""
        camera, panned = self._camera, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ways = {
            Qt.Key.Key_Left: (-1.0, 0.0),
            Qt.Key.Key_Right: (1.0, 0.0),
            Qt.Key.Key_Up: (0.0, 1.0),
            Qt.Key.Key_Down: (0.0, -1.0),
        }
        zooms = {Qt.Key.Key_Plus: ZOOM_STEP, Qt.Key.Key_Equal: ZOOM_STEP}
        zooms[Qt.Key.Key_Minus] = 1.0 / ZOOM_STEP
        key = Qt.Key(event.key())
        presets = {Qt.Key[f"Key_{letter}"]: preset for preset, (_, letter, _) in PRESETS.items()}
        if key in ways:
            x, y = ways[key]
            if panned:
                self._steer(camera.panned(KEY_PAN * x, KEY_PAN * y))
            else:
                self._steer(camera.orbited(KEY_ORBIT * x, KEY_ORBIT * y))
        elif key in zooms:
            self._steer(camera.zoomed(zooms[key]))
        elif key in presets and not event.modifiers():
            self.choose(presets[key])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let go of the robot on Esc, and leave Esc to the stop ladder, too."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self._drag is not None:
                self.end_push()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Draw what came meanwhile."""
        super().showEvent(event)
        self._busy = False
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Let go of the robot."""
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

    def _build_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(4, 4, 4, 4)
        bar.setSpacing(4)
        group = QButtonGroup(self)
        for preset, (title, key, what) in PRESETS.items():
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setChecked(preset is self.preset)
            button.setToolTip(f"See the robot {what} ({key}, when the picture has the focus)")
            button.setAccessibleName(f"camera: {title}")
            button.clicked.connect(lambda _=False, chosen=preset: self.choose(chosen))
            group.addButton(button)
            bar.addWidget(button)
            self._buttons[preset] = button
        bar.addStretch(1)
        return bar


def _base(scene: Scene, tree: RobotTree) -> Floats:
    numbers = (*scene.base_position, *scene.base_rpy)
    if not all(map(isfinite, numbers)) or not scene.q:
        return tree.bodies[0].frame
    return base_pose(scene.base_position, scene.base_rpy)
