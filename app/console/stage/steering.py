"""Which way the picture is seen, as the operator chooses and steers it."""

from math import isfinite, remainder, tau

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.picture.camera import AUDIENCE, USUAL_HEIGHT_M, Camera, Preset, placed

GLIDE = 0.3  # share of the way that the camera follows the robot in a frame
STILL = 0.01  # a robot that moves less is not followed [m, rad]
ORBIT_PER_PX, ZOOM_STEP, KEY_ORBIT, KEY_PAN = 0.008, 0.88, 0.12, 0.05
WAYS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, 1.0),
    Qt.Key.Key_Down: (0.0, -1.0),
}
ZOOMS = {
    Qt.Key.Key_Plus: ZOOM_STEP,
    Qt.Key.Key_Equal: ZOOM_STEP,
    Qt.Key.Key_Minus: 1.0 / ZOOM_STEP,
}
PRESETS = {
    Qt.Key.Key_A: Preset.AUDIENCE,
    Qt.Key.Key_O: Preset.OPERATOR,
    Qt.Key.Key_F: Preset.FOLLOW,
    Qt.Key.Key_P: Preset.PAIR,
    Qt.Key.Key_T: Preset.TOP,
    Qt.Key.Key_V: Preset.FREE,
}


class Steering(QObject):
    """Owns the camera.

    Attributes:
        preset: the chosen preset.
        camera: the present camera.

    Signals:
        changed: another preset, or another camera.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.preset = Preset.AUDIENCE
        self.camera = AUDIENCE
        self._free = AUDIENCE
        self._height_m = USUAL_HEIGHT_M
        self._place = (0.0, 0.0, 0.0)  # of the robot, as the camera follows it

    @property
    def free(self) -> Camera:
        """Where the free eyes are."""
        return self._free

    def restore(self, preset: Preset, free: Camera | None) -> None:
        """See the robot as it was seen before."""
        self._free = free or self._free
        self.preset = preset
        self.camera = placed(preset, self._free, *self._place, self._height_m)

    def fit(self, height_m: float) -> None:
        """Fit the presets to a robot's height with all joints at zero [m]."""
        self._height_m = height_m if isfinite(height_m) and height_m > 0.0 else USUAL_HEIGHT_M

    def choose(self, preset: Preset) -> None:
        """See the robot with other eyes; free ones begin where the last ones were."""
        if preset is Preset.FREE:
            self._free = self.camera
        self.preset = preset
        self.changed.emit()

    def follow(self, x: float, y: float, yaw: float) -> Camera:
        """Return the camera for a robot at a place [m] and heading [rad], a frame later."""
        here = self._place
        if isfinite(x + y + yaw):
            gap = (x - here[0], y - here[1], remainder(yaw - here[2], tau))
            share = GLIDE if abs(gap[0]) + abs(gap[1]) < 1.0 else 1.0
            if max(map(abs, gap)) > STILL:
                self._place = (
                    here[0] + share * gap[0],
                    here[1] + share * gap[1],
                    here[2] + share * gap[2],
                )
        self.camera = placed(self.preset, self._free, *self._place, self._height_m)
        return self.camera

    def orbit(self, way: QPointF) -> None:
        """Go round the robot, as the mouse went [pixels]."""
        self._steer(self.camera.orbited(-ORBIT_PER_PX * way.x(), ORBIT_PER_PX * way.y()))

    def pan(self, way: QPointF, height: int) -> None:
        """Shift the picture, as the mouse went [pixels]."""
        size = max(1, height)
        self._steer(self.camera.panned(-way.x() / size, way.y() / size))

    def zoom(self, steps: float) -> None:
        """Come nearer by steps of the wheel."""
        self._steer(self.camera.zoomed(ZOOM_STEP**steps))

    def key(self, event: QKeyEvent) -> bool:
        """Obey a key; tell whether it is one of the camera's."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if key in WAYS and modifiers & Qt.KeyboardModifier.ShiftModifier:
            x, y = WAYS[key]
            self._steer(self.camera.panned(KEY_PAN * x, KEY_PAN * y))
        elif key in WAYS:
            x, y = WAYS[key]
            self._steer(self.camera.orbited(KEY_ORBIT * x, KEY_ORBIT * y))
        elif key in ZOOMS:
            self._steer(self.camera.zoomed(ZOOMS[key]))
        elif key in PRESETS and not modifiers:
            self.choose(PRESETS[key])
        else:
            return False
        return True

    def _steer(self, camera: Camera) -> None:
        self._free = self.camera = camera
        self.preset = Preset.FREE
        self.changed.emit()
