"""The 3-D view's panel: orders its frames, and owns camera and pull."""

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QImage, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLabel, QStackedLayout, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.stage.aim import Aim
from app.console.stage.camera_bar import CameraBar
from app.console.stage.floor import Floor
from app.console.stage.handles import Handle, Handles
from app.console.stage.legend import Legend
from app.console.stage.mouse import Mouse
from app.console.stage.pen import Pen
from app.console.stage.person import Person
from app.console.stage.picture import Picture
from app.console.stage.picture_process import PictureProcess
from app.console.stage.pull import Pull
from app.console.stage.standing import base_of
from app.console.stage.steering import Steering
from app.console.timeline.names import FOOT_WORDS
from app.console.toolkit import theme
from app.picture import ghost
from app.picture.camera import Camera, Preset
from app.picture.floor import is_laid
from app.picture.frames import fitting
from app.picture.outline import outline
from app.picture.protocol import Cast, Pose2, Shot
from app.picture.robot_tree import RobotError, RobotTree, tree_of
from core.link.figure import Figure
from core.link.scene import Scene
from shows.motion import Motion

FRAME_S, SIMPLE_FRAME_S = 1.0 / 30.0, 1.0 / 15.0
PERSON_FRAME_S = 1.0 / 25.0  # of a simple picture with a person, whose motion is quick
STALE_S = 1.0  # a picture whose successor takes longer is said to be old
NO_PICTURE = "The 3-D view is not available: {reason}.\nAll other parts of the console work."
NO_OPENGL = "this screen offers no OpenGL"
WAITING = "Waiting for the core to say which robot it is."
LOST = "LOST: this is the last picture"
DRAW = "the walk: drag along the floor; Esc ends"
AIM = "the robot walks here{last}: drag to where it shall look; Esc ends"
STALE = "PICTURE STANDS STILL: its process does not answer"


class StagePanel(QWidget):
    """Shows the robot as the core sees it; a rehearsed one can be pulled at.

    Attributes:
        steering: the camera.
        picture: the widget with the picture.
        person: the person whose motion is captured.

    Signals:
        path_drawn: a path on the floor, in the heading frame of the robot's place (k, 2) [m].
        met: the robot with all its surfaces is known.
        handle_dragged: name of a handle, and where the mouse wants it, in the frame of the robot's
            base (3) [m].
        handle_released: name of a handle that was let go.
    """

    path_drawn = Signal(object)
    met = Signal(object)
    handle_dragged = Signal(str, object)
    handle_released = Signal(str)

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
        self._tree: RobotTree | None = None
        self._preview: Motion | None = None
        self._preview_s = 0.0
        self._posed: dict[str, float] | None = None
        self._away: Pose2 = (0.0, 0.0, 0.0)
        self._path: tuple[tuple[float, float], ...] = ()
        self._stood: Pose2 = (0.0, 0.0, 0.0)  # where the robot was when it last stood
        self._pool = ThreadPoolExecutor(1)
        self._loading: Future[RobotTree] | None = None
        self.picture = Picture()
        self._pull = Pull(context.link, self)
        self._pen = Pen(self)
        self._aim = Aim(context.link, self)
        self.person = Person(context, self)
        self._floor = Floor(context, self._aim, self.picture)
        self._handles = Handles(self)
        self._handles.dragged.connect(self.handle_dragged)
        self._handles.released.connect(self.handle_released)
        self._mouse = Mouse(
            self.steering,
            self._pull,
            self._pen,
            self._aim,
            self._floor,
            self._handles,
            self.picture,
        )
        self._mouse.pressed.connect(self._take_keys)
        self._process = PictureProcess(self)
        self._dirty, self._simple = True, True
        self._ordered_s = 0.0
        self._closed = False
        # A platform without a screen, as in a test, has nothing to draw for.
        self._possible = QGuiApplication.platformName() not in ("offscreen", "minimal")

        self._sentence = QLabel()
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setWordWrap(True)
        self._sentence.setStyleSheet(f"color: {theme.MUTED}")
        self._legend = Legend()
        self._pages = QStackedLayout()
        self._pages.addWidget(self._sentence)
        self._pages.addWidget(self.picture)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(CameraBar(self.steering))
        layout.addLayout(self._pages, 1)
        layout.addWidget(self._legend)
        self._say(WAITING if self._possible else NO_PICTURE.format(reason=NO_OPENGL))

        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._draw)
        self._playing = QTimer(self)
        self._playing.timeout.connect(self._ask)
        self._loaded = QTimer(self)
        self._loaded.setInterval(30)
        self._loaded.timeout.connect(self._take_tree)
        self._watch = QTimer(self)
        self._watch.setInterval(250)
        self._watch.timeout.connect(self._judge)

        self._pen.changed.connect(self._ask)
        self._aim.changed.connect(self._show_aim)
        context.document.changed.connect(self._ask)
        self._pen.drawn.connect(self._take_path)
        self.picture.resized.connect(self._ask)
        self._process.started.connect(self._cast)
        self._process.drawn.connect(self._show)
        self._process.failed.connect(self._fail)
        self.steering.changed.connect(self._steered)
        link = context.link
        link.figure_changed.connect(self._meet)
        link.scene_changed.connect(self._ask)
        link.human_changed.connect(self.person.judge)
        link.human_changed.connect(self._ask)
        link.connected_changed.connect(self._connected)
        link.hello_changed.connect(self._legend.meet)
        link.hello_changed.connect(self._cast)
        if link.hello is not None:
            self._legend.meet(link.hello)
        context.preferences.changed.connect(self._ask)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.aboutToQuit.connect(self.close_view)
        application.applicationStateChanged.connect(self.take_application_state)
        if link.figure is not None:
            self._meet(link.figure)

    @property
    def pushing(self) -> bool:
        """Whether the robot is being pulled at."""
        return self._pull.active

    @property
    def drawing(self) -> bool:
        """Whether there is a picture."""
        return self._pages.currentIndex() == 1

    def preview(self, motion: Motion | None) -> None:
        """Let the ghost play a motion, again and again; None gives it back to the reference."""
        self._preview, self._preview_s = motion, time.monotonic()
        self._legend.tell("" if motion is None else f"preview of {motion.title or motion.name}")
        if motion is None:
            self._playing.stop()
        else:
            self._playing.start(round(1000.0 * self._least_s))
        self._ask()

    def pose(
        self,
        angles: dict[str, float] | None,
        away: Pose2 | None = None,
        path: tuple[tuple[float, float], ...] = (),
        source: str = "the timeline",
    ) -> None:
        """Let the ghost take a posture; None gives it back to the reference.

        Args:
            angles: joint angles by name [rad].
            away: where the ghost is from the robot, x, y in its heading frame [m], and yaw [rad].
            path: a path on the floor in the robot's heading frame (k, 2) [m].
            source: where the posture is from, for the legend.
        """
        self._posed = angles
        self._away, self._path = away or (0.0, 0.0, 0.0), path
        self._legend.tell("" if angles is None else f"preview of {source}")
        self._ask()

    def show_handles(self, handles: tuple[Handle, ...]) -> None:
        """Offer handles on the ghost; none take the mouse back for camera and pull."""
        self._handles.show(handles)
        self._ask()

    def draw_path(self) -> None:
        """Let the operator draw a path on the floor, seen from above."""
        self.steering.choose(Preset.TOP)
        self._pen.take_up()
        self._legend.tell(DRAW)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_aim(self) -> None:
        """Say what a drag on the floor does."""
        foot = self._aim.foot
        last = "" if foot == "either" else f", {FOOT_WORDS[foot]} foot last"
        self._legend.tell(AIM.format(last=last) if self._aim.active else "")
        self._ask()

    def _take_path(self, points: tuple[tuple[float, float], ...]) -> None:
        """Pass a path on, seen from where the robot stands."""
        self._legend.tell("")
        x, y, yaw = self._stood
        cosine, sine = math.cos(yaw), math.sin(yaw)
        moved = ((u - x, v - y) for u, v in points)
        self.path_drawn.emit(
            tuple((cosine * u + sine * v, cosine * v - sine * u) for u, v in moved)
        )

    def end_push(self) -> None:
        """End a push, and what the mouse aims at."""
        self._pull.end()
        self._aim.cancel()

    def take_application_state(self, state: Qt.ApplicationState) -> None:
        """Let go of the robot when another program comes to the front."""
        if state != Qt.ApplicationState.ApplicationActive:
            self.end_push()

    def close_view(self) -> None:
        """End all drawing, before the program ends."""
        if self._closed:
            return
        self._closed = True
        self.end_push()
        for timer in (self._again, self._playing, self._loaded, self._watch):
            timer.stop()
        self._keep_camera()
        self._pool.shutdown()
        self._process.close()

    # ---- the robot

    def _meet(self, figure: Figure) -> None:
        if not self._closed:
            self._loading = self._pool.submit(_load, figure)
            self._loaded.start()

    def _take_tree(self) -> None:
        if self._loading is None or not self._loading.done():
            return
        self._loaded.stop()
        try:
            self._tree = self._loading.result()
        except RobotError as error:
            self._tree = None
            self._say(f"{str(error)[0].upper()}{str(error)[1:]}.")
            return
        self._pull.take(self._tree)
        self.met.emit(self._tree)
        self.steering.fit(outline(self._tree).height(self._tree.forward_kinematics({})))
        self._cast()
        self._start()

    def _start(self) -> None:
        """Start the process when there is something to draw for the first time."""
        if self._tree is not None and self._possible and not self._process.running:
            if self.isVisible():
                self._process.start()

    def _cast(self) -> None:
        """Tell the process which robot it draws, once the core has said both parts."""
        link = self._context.link
        if self._tree is None or link.figure is None or link.hello is None:
            return
        hello = link.hello
        self.person.duel.meet(hello, self._tree)
        self._process.cast(Cast(figure=link.figure, joint_names=hello.joint_names, feet=hello.feet))
        self._ask()

    # ---- frames

    @property
    def _least_s(self) -> float:
        if not self._simple:
            return FRAME_S
        return PERSON_FRAME_S if self.person.shown else SIMPLE_FRAME_S

    def _ask(self) -> None:
        self._dirty = True
        self._show_handles()
        self._draw()

    def _show_handles(self) -> None:
        """Show the handles where the newest scene has the robot."""
        base = None if self._tree is None else base_of(self._context.link, self._tree)
        if base is not None:
            self._handles.stand(base)
        size = self.picture.size()
        self.picture.show_flags(self._floor.flags(self.steering.camera, size))
        self.picture.name_person(self.person.label(self.steering.camera, size))
        self.picture.show_touches(self.person.sparks(self.steering.camera, size), self.person.score)
        self.picture.show_spots(self._handles.spots(self.steering.camera, self.picture.size()))

    def _draw(self) -> None:
        """Order the newest picture, if the last one has come and it is time."""
        if not self._dirty or not self.isVisible() or self._tree is None:
            return
        if not self._process.ready:
            return
        wait_s = self._ordered_s + self._least_s - time.monotonic()
        if wait_s > 0.001:
            if not self._again.isActive():
                self._again.start(max(1, round(1000.0 * wait_s)))
            return
        self._dirty = False
        self._ordered_s = time.monotonic()
        self._process.order(self._shot())

    def _shot(self) -> Shot:
        link = self._context.link
        scene = link.scene or Scene(0.0)
        x, y, _ = scene.base_position
        camera = self.steering.follow(x, y, scene.base_rpy[2])
        size = self.picture.frame_size()
        width, height = fitting(size.width(), size.height())
        ghostly, away = self._posed, self._away
        if not any(scene.velocity) or link.status is None or not link.status.running_cues:
            self._stood = x, y, scene.base_rpy[2]
            self._mouse.start = x, y
        else:
            away = (0.0, 0.0, 0.0)  # the robot goes there itself
        if self._preview is not None:
            ghostly = ghost.moment(self._preview, time.monotonic() - self._preview_s)
        return Shot(
            number=0,
            width=width,
            height=height,
            simple=self._context.preferences.value.simple_view,
            camera=camera.numbers(),
            scene=scene,
            limp=is_laid(link.hello, link.status),
            ghost=ghostly,
            ghost_base=away if ghostly is not None else (0.0, 0.0, 0.0),
            path=self._aim.path or self._pen.points or laid_out(self._path, self._stood),
            human=self.person.joints((x, y, scene.base_rpy[2]), camera),
        )

    def _show(self, image: QImage | None, simple: bool) -> None:
        self._simple = simple
        self._judge()
        if image is not None:
            self.picture.show_frame(image)
            self._pages.setCurrentIndex(1)
        self._draw()

    def _judge(self) -> None:
        """Write over the picture whether it is old, and take an old person out of it."""
        if self.person.outdated:
            self._ask()
        if not self._context.link.connected:
            self.picture.set_banner(LOST)
        else:
            self.picture.set_banner(STALE if self._process.waits_s > STALE_S else "")

    def _fail(self, reason: str) -> None:
        self._possible = False
        self._say(NO_PICTURE.format(reason=reason))

    def _say(self, sentence: str) -> None:
        """Show a sentence in place of the picture."""
        self._sentence.setText(sentence)
        self._pages.setCurrentIndex(0)

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
                self._handles.end()
                if self._aim.active:
                    self._aim.cancel()
                    event.accept()
                    return True
                if self._pen.ready or self._pen.drawing:
                    self._pen.put_down()
                    self._legend.tell("")
                    event.accept()
                    return True
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Draw the newest scene."""
        super().showEvent(event)
        self._start()
        self._watch.start()
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """End a push."""
        super().hideEvent(event)
        self._watch.stop()
        self.end_push()

    # ---- the rest

    def _connected(self, connected: bool) -> None:
        if not connected:
            self.end_push()
        self._judge()
        self._ask()


def laid_out(path: tuple[tuple[float, float], ...], at: Pose2) -> tuple[tuple[float, float], ...]:
    """Return a path in the world that begins at a place with a heading."""
    x, y, yaw = at
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return tuple((x + cosine * u - sine * v, y + sine * u + cosine * v) for u, v in path)


def _load(figure: Figure) -> RobotTree:
    """Read a robot and prepare its outline, beside the thread of the windows."""
    tree = tree_of(figure)
    outline(tree)
    return tree
