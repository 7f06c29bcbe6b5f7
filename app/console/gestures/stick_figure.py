"""A gesture's pose as a figure of lines, seen from the front, where nothing better is at hand."""

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.console.toolkit import theme
from shows.motion import Motion

SIDE = 192  # [px]
SHOULDER, ARM, FOREARM = (0.20, 0.36), 0.20, 0.19  # half width and height, lengths [m]
Vector = tuple[float, float, float]


def pose_of(motion: Motion) -> dict[str, float]:
    """Return the pose that stands for a motion, joint by joint [rad]."""
    row = min(round(motion.thumbnail_s * motion.rate_hz), len(motion.positions) - 1)
    return dict(zip(motion.joint_names, motion.positions[row].tolist(), strict=True))


def stick_figure(motion: Motion) -> QImage:
    """Return the pose at the motion's thumbnail time, on a transparent ground."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    pose = pose_of(motion)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(theme.TEXT), 9)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    _line(painter, (0.0, 0.0), (0.0, 0.40))
    _line(painter, (-SHOULDER[0], SHOULDER[1]), SHOULDER)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _line(painter, (0.0, 0.0), (0.07 * sign, -0.12))
        elbow, hand = _arm(pose, side, sign)
        pen.setColor(QColor(theme.ACCENT))
        painter.setPen(pen)
        _line(painter, (SHOULDER[0] * sign, SHOULDER[1]), elbow)
        _line(painter, elbow, hand)
        pen.setColor(QColor(theme.TEXT))
        painter.setPen(pen)
    yaw, pitch = pose.get("head_yaw", 0.0), pose.get("head_pitch", 0.0)
    head = (0.0, 0.53)
    painter.setBrush(QColor(theme.SURFACE))
    painter.drawEllipse(_place(head), 27, 27)
    pen.setWidth(5)
    painter.setPen(pen)
    for eye in (-0.035, 0.035):
        x = eye + 0.07 * math.sin(yaw)
        painter.drawPoint(_place((x, head[1] - 0.07 * math.sin(pitch))))
    painter.end()
    return image


def _arm(
    pose: dict[str, float], side: str, sign: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return elbow and hand of an arm, left and up [m]."""
    lift = pose.get(f"{side}_shoulder_pitch", 0.0)
    spread = -pose.get(f"{side}_shoulder_roll", 0.0) * sign
    bend = pose.get(f"{side}_elbow", 0.0)

    def from_shoulder(vector: Vector) -> Vector:
        x, y, z = vector
        y, z = (
            y * math.cos(spread) - z * math.sin(spread),
            y * math.sin(spread) + z * math.cos(spread),
        )
        return x * math.cos(lift) + z * math.sin(lift), y, z * math.cos(lift) - x * math.sin(lift)

    _, y, z = from_shoulder((0.0, 0.0, -ARM))
    elbow = (SHOULDER[0] * sign + y, SHOULDER[1] + z)
    _, y, z = from_shoulder((FOREARM * math.sin(bend), 0.0, -FOREARM * math.cos(bend)))
    return elbow, (elbow[0] + y, elbow[1] + z)


def _place(point: tuple[float, float]) -> QPointF:
    """Return the pixel of a point, left and up [m]: the robot faces the audience."""
    return QPointF(SIDE / 2 + point[0] * 210, 150 - point[1] * 210)


def _line(painter: QPainter, start: tuple[float, float], end: tuple[float, float]) -> None:
    painter.drawLine(_place(start), _place(end))
