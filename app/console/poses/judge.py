"""Asks the stagehand about the pose that is edited."""

from collections.abc import Mapping

from PySide6.QtCore import QObject

from app.console.context.asking import Asking
from app.console.context.core_link import CoreLink
from core.link import topics
from core.link.pose import PoseVerdict

EVERY_MS = 50  # between two questions


class PoseJudge(Asking[Mapping[str, float], PoseVerdict]):
    """Asks about poses: angles by joint [rad]."""

    def __init__(self, link: CoreLink, parent: QObject) -> None:
        super().__init__(link, topics.POSE_VERDICT, link.ask_pose, EVERY_MS, parent)
