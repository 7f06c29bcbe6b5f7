"""Draws a gesture's pose as lines between the robot's bodies, without its meshes."""

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.console.stage.thumbnail import EYE, SIDE, blank, pose_of
from app.console.toolkit import theme
from app.picture.robot_tree import RobotTree
from shows.motion import Motion

MARGIN = 16.0  # [px]
LINE, POINT = 5, 11  # widths [px]


def stick_figure(tree: RobotTree, motion: Motion) -> QImage:
    """Return the pose at a motion's thumbnail time, on a transparent background.

    A line connects the origins of each body and its parent, and a point marks each body without
    children. The accent colour marks the parts that the motion's joints move directly.
    """
    image = blank(QSize(SIDE, SIDE))
    if not tree.bodies:
        return image
    points = _pixels(tree.forward_kinematics(pose_of(motion))[:, :3, 3] @ EYE.axes()[:2].T)
    moved = [body.joint in motion.joint_names for body in tree.bodies]
    ends = set(range(len(tree.bodies))) - {body.parent for body in tree.bodies}
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for index, body in enumerate(tree.bodies):
        if body.parent >= 0:
            painter.setPen(_pen(LINE, moved[body.parent]))
            painter.drawLine(points[body.parent], points[index])
    for index in ends:
        painter.setPen(_pen(POINT, moved[index]))
        painter.drawPoint(points[index])
    painter.end()
    return image


def _pixels(points: np.ndarray) -> list[QPointF]:
    """Return the pixels of points (n, 2), right and up [m], that fill the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (SIDE - 2.0 * MARGIN) / max(float((high - low).max()), 1e-3)
    offsets = (points - (low + high) / 2.0) * scale
    return [QPointF(SIDE / 2 + x, SIDE / 2 - y) for x, y in offsets.tolist()]


def _pen(width: int, moved: bool) -> QPen:
    colour = QColor(theme.ACCENT if moved else theme.TEXT)
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
