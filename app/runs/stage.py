"""The picture of a run: the robot at the playhead, and a second run as its ghost."""

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QImage, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedLayout, QVBoxLayout, QWidget

from app.console.stage.camera_bar import CameraBar
from app.console.stage.duel import Duel
from app.console.stage.legend import Legend
from app.console.stage.picture import Picture
from app.console.stage.picture_process import PictureProcess
from app.console.stage.placing import in_sight, label_of
from app.console.stage.steering import Steering
from app.console.toolkit import theme
from app.picture.camera import Camera, Preset
from app.picture.frames import fitting
from app.picture.outline import outline
from app.picture.protocol import Cast, Pose2, Shot
from app.picture.robot_tree import RobotError, RobotTree, tree_of
from app.runs.playback import Playback
from app.runs.run import Run
from app.runs.source import Library
from core.link.figure import Figure
from core.link.message import Vector3
from core.link.scene import Scene

FRAME_S = 1.0 / 30.0
JUMP_S = 0.5  # by which playing advances at most between two pictures
LOADED_MS = 30
READING = "Reading the robot."
NO_PICTURE = "There is no picture: {reason}."
NO_OPENGL = "this screen offers no OpenGL"


class RunStage(QWidget):
    """Draws the robot at the playhead.

    Args:
        run: the run.
        playback: the moment.
        library: reads the robot's shape.
    """

    def __init__(self, run: Run, playback: Playback, library: Library) -> None:
        super().__init__()
        self.setAccessibleName("3-D view of the run")
        self.setMinimumSize(260, 200)
        self._run, self._playback, self._library = run, playback, library
        self._second: Run | None = None
        self._steering = Steering(self)
        self._picture = Picture()
        self._process = PictureProcess(self)
        self._tree: RobotTree | None = None
        self._figure: Figure | None = None
        self._pool = ThreadPoolExecutor(1)
        self._loading: Future[tuple[Figure, RobotTree]] | None = None
        self._dirty = True
        self._person: tuple[Vector3, ...] = ()
        self._duel, self._judged_s = Duel(), -math.inf
        self._ordered_s = 0.0
        self._place, self._button = QPointF(), Qt.MouseButton.NoButton
        self._sentence = QLabel(READING)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setWordWrap(True)
        self._sentence.setStyleSheet(f"color: {theme.MUTED}")
        self._legend = Legend()
        self._legend.meet(run.hello)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._sentence)
        self._pages.addWidget(self._picture)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(CameraBar(self._steering))
        column.addLayout(self._pages, 1)
        column.addWidget(self._legend)
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._draw)
        self._loaded = QTimer(self, interval=LOADED_MS)
        self._loaded.timeout.connect(self._take_tree)
        playback.moved.connect(self.ask)
        self._steering.changed.connect(self.ask)
        self._picture.resized.connect(self.ask)
        self._picture.pressed.connect(self._press)
        self._picture.moved.connect(self._move)
        self._picture.released.connect(self._release)
        self._picture.wheeled.connect(self._steering.zoom)
        self._process.started.connect(self._cast)
        self._process.drawn.connect(self._show)
        self._process.failed.connect(self._fail)

    @property
    def drawing(self) -> bool:
        """Whether there is a picture."""
        return self._pages.currentIndex() == 1

    def begin(self) -> None:
        """Read the robot, beside the windows' thread."""
        if QGuiApplication.platformName() in ("offscreen", "minimal"):
            self._fail(NO_OPENGL)
            return
        self._loading = self._pool.submit(self._load)
        self._loaded.start()
        self._process.start()

    def compare(self, second: Run | None) -> None:
        """Show a second run as the ghost; None shows the commanded posture."""
        self._second = second
        words = "" if second is None else f"the ghost is the robot of {second.path.name}"
        self._legend.tell(words)
        self.ask()

    def close_view(self) -> None:
        """End all drawing."""
        for timer in (self._again, self._loaded):
            timer.stop()
        self._pool.shutdown()
        self._process.close()

    def ask(self) -> None:
        """Draw the newest moment soon."""
        self._dirty = True
        self._draw()

    # Inside

    def _load(self) -> tuple[Figure, RobotTree]:
        figure = self._library.figure(self._run.hello)
        tree = tree_of(figure)
        outline(tree)
        return figure, tree

    def _take_tree(self) -> None:
        if self._loading is None or not self._loading.done():
            return
        self._loaded.stop()
        try:
            self._figure, self._tree = self._loading.result()
        except (RobotError, OSError, self._library.errors) as error:
            self._fail(str(error))
            return
        self._duel.meet(self._run.hello, self._tree)
        self._steering.fit(outline(self._tree).height(self._tree.forward_kinematics({})))
        self._cast()

    def _cast(self) -> None:
        hello = self._run.hello
        if self._figure is not None:
            cast = Cast(figure=self._figure, joint_names=hello.joint_names, feet=hello.feet)
            self._process.cast(cast)
            self.ask()

    def _draw(self) -> None:
        if not self._dirty or not self._process.ready or not self.isVisible():
            return
        wait_s = self._ordered_s + FRAME_S - time.monotonic()
        if wait_s > 0.001:
            if not self._again.isActive():
                self._again.start(max(1, round(1000.0 * wait_s)))
            return
        scene = self._run.scene(self._playback.time_s)
        if scene is None:
            return
        self._dirty, self._ordered_s = False, time.monotonic()
        self._process.order(self._shot(scene))

    def _shot(self, scene: Scene) -> Shot:
        x, y, _ = scene.base_position
        camera = self._steering.follow(x, y, scene.base_rpy[2])
        size = self._picture.frame_size()
        width, height = fitting(size.width(), size.height())
        second = self._second
        other = None
        if second is not None:
            other = second.scene(self._playback.time_s + second.offset_s)
        names = self._run.hello.joint_names
        self._person = self._human((x, y, scene.base_rpy[2]), camera)
        self._picture.name_person(label_of(self._person, camera, self._picture.size()))
        self._spar(scene, camera)
        return Shot(
            number=0,
            width=width,
            height=height,
            simple=None,
            camera=camera.numbers(),
            scene=scene,
            ghost=None if other is None else dict(zip(names, other.q, strict=False)),
            ghost_base=(0.0, 0.0, 0.0) if other is None else between(scene, other),
            human=self._person,
        )

    def _spar(self, scene: Scene, camera: Camera) -> None:
        """Judge the duel from where it is played; a jump begins with no touch."""
        time_s, before_s = self._playback.time_s, self._judged_s
        self._judged_s = time_s
        if not 0.0 <= time_s - before_s < JUMP_S:
            self._duel.restart()
        elif time_s > before_s:
            moment = self._run.partner(time_s)
            if moment.human and moment.report and moment.follow:
                place, scale = self._run.digest.places.at(time_s), moment.report.calibration.scale
                positions = moment.human.positions
                self._duel.judge(time_s, moment.follow, place, scale, positions, scene)
        size = self._picture.size()
        score = self._duel.score if self._person else ""
        self._picture.show_touches(self._duel.sparks(time_s, camera, size), score)

    def show_both(self) -> None:
        """See robot and person from the side, unless other eyes were chosen."""
        if self._steering.preset is Preset.AUDIENCE:
            self._steering.choose(Preset.PAIR)

    def _human(self, robot: Pose2, camera: Camera) -> tuple[Vector3, ...]:
        """Return the joints of the person in the world (22, 3) [m]; empty if none is shown."""
        time_s = self._playback.time_s
        human = self._run.partner(time_s).human
        if human is None:
            return ()
        return in_sight(self._run.digest.places.at(time_s), human.positions, robot, camera)

    def _show(self, image: QImage | None, simple: bool) -> None:
        if image is not None:
            self._picture.show_frame(image)
            self._pages.setCurrentIndex(1)
        self._draw()

    def _fail(self, reason: str) -> None:
        self._sentence.setText(NO_PICTURE.format(reason=reason))
        self._pages.setCurrentIndex(0)

    # Mouse

    def _press(self, event: QMouseEvent) -> None:
        self._place, self._button = event.position(), event.button()

    def _move(self, event: QMouseEvent) -> None:
        way, self._place = event.position() - self._place, event.position()
        if self._button is Qt.MouseButton.LeftButton:
            self._steering.orbit(way)
        elif self._button is not Qt.MouseButton.NoButton:
            self._steering.pan(way, self._picture.height())

    def _release(self, event: QMouseEvent) -> None:
        self._button = Qt.MouseButton.NoButton

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Draw the present moment."""
        super().showEvent(event)
        self.ask()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Draw nothing that nobody sees."""
        super().hideEvent(event)
        self._again.stop()


def between(scene: Scene, other: Scene) -> Pose2:
    """Return where a second robot is from the first: x, y in its heading frame [m], yaw [rad]."""
    dx = other.base_position[0] - scene.base_position[0]
    dy = other.base_position[1] - scene.base_position[1]
    yaw = scene.base_rpy[2]
    cosine, sine = math.cos(yaw), math.sin(yaw)
    turn = math.remainder(other.base_rpy[2] - yaw, math.tau)
    return cosine * dx + sine * dy, cosine * dy - sine * dx, turn
