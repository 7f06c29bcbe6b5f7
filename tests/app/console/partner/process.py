"""A partner's process that is nothing but its end of the link."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from core.link.client import Client
from core.link.partner import (
    CalibrationReport,
    PartnerOrder,
    PartnerReport,
    SourceReport,
    Symbol,
    TeachReport,
)
from core.link.topics import PARTNER
from tests.app.console.rig import ROBOT

SYMBOLS = (
    Symbol("wave", 4, "wave", (2.0, 0.0, 0.0), 0.7),
    Symbol("raise_arms", 5, "", (-2.0, 0.0, 0.0), 0.2),
    Symbol("bow", 4, "bow", (0.0, 0.0, 1.0), 0.1),
)
HEARD = SourceReport("vmc", 39539, ("192.168.0.7", 50123), ("", 0), 0.012, 59.6, 0.003)
READY = PartnerReport(
    0.0,
    HEARD,
    CalibrationReport("done", 2.0, 0.78),
    symbols=SYMBOLS,
    here=(1.0, 0.0, 0.5),
    heard="wave",
    heard_s=0.4,
    error_deg={"left_arm": 6.2, "right_arm": 11.0},
    teach=TeachReport(),
)


class PartnerProcess(QObject):
    """Reports twenty times a second, and keeps what it is ordered.

    Attributes:
        report: what it says.
        orders: what it was ordered.
    """

    def __init__(self, endpoint: str) -> None:
        super().__init__()
        self.report = READY
        self.orders: list[PartnerOrder] = []
        self.client = Client(endpoint, ROBOT, "partner")
        self.client.subscribe(PARTNER)
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self._step)
        self._timer.start()

    def set(self, **fields: object) -> None:
        """Change the report."""
        self.report = replace(self.report, **fields)

    def end(self) -> None:
        """Fall silent."""
        self._timer.stop()
        self.client.close()

    def _step(self) -> None:
        self.client.publish(self.report)
        self.orders += self.client.subscribe(PARTNER).poll()
