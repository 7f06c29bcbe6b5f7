"""The live partner of a run: the person's place in the picture, and its state at a moment."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
import numpy as np

from app.console.stage.placing import OLD_S, Placing
from app.picture.protocol import Pose2
from app.runs.source import Part, Passage, Rows, Told
from core.link.message import decoded
from core.link.partner import FollowStatus, Human, PartnerReport

KEPT_S = 0.5  # an older report is not shown


@dataclass(frozen=True, slots=True)
class Moment:
    """The partner at a moment.

    Attributes:
        follow: how the robot follows the person; None without a status.
        report: of the partner's process; None without one.
        human: posture of the person; None without a new one.
    """

    follow: FollowStatus | None = None
    report: PartnerReport | None = None
    human: Human | None = None


class Followed(msgspec.Struct, gc=False):
    """The parts of a status that tell how the robot follows a person."""

    stamp_s: float
    follow: FollowStatus = FollowStatus()


def moment_at(parts: Iterable[Part], time_s: float) -> Moment:
    """Return the partner at a time, from the parts of the file before it [s]."""
    humans: list[Told] = []
    partners: list[Told] = []
    statuses: list[bytes] = []
    for part in parts:
        humans += part.humans
        partners += part.partners
        statuses += part.statuses
    follow = None
    for data in reversed(statuses):
        status = decoded(data, Followed)
        if status is not None and time_s - KEPT_S <= status.stamp_s <= time_s:
            follow = status.follow
            break
    report, human = _newest(partners, time_s, KEPT_S), _newest(humans, time_s, OLD_S)
    return Moment(follow, decoded(report, PartnerReport), decoded(human, Human))


def _newest(told: list[Told], time_s: float, longest_s: float) -> bytes:
    """Return the newest message at a time that is not too old; empty without one."""
    past = [one for one in told if time_s - longest_s <= one.time_s <= time_s]
    return max(past, key=lambda one: one.time_s).content if past else b""


class Places:
    """The places of the robot before which the person stands, in the order of a run.

    Attributes:
        led: the run has a person.
    """

    def __init__(self) -> None:
        self.led = False
        self._placing = Placing()
        self._calibrated = False
        self._times_s: list[float] = []
        self._places: list[Pose2] = []

    def take(self, passage: Passage, follows: Iterable[tuple[float, int]]) -> None:
        """Take the next part of the file.

        Args:
            passage: the part.
            follows: time [s] and number of the newest order to follow, of each status.
        """
        rows = passage.rows
        self.led = self.led or bool(passage.humans)
        reports = list(passage.partners)
        for time_s, number in follows:
            while reports and reports[0].time_s <= time_s:
                self._hear(reports.pop(0))
            if rows is not None and len(rows):
                self._note(rows, time_s, number)
        for report in reports:
            self._hear(report)

    def at(self, time_s: float) -> Pose2 | None:
        """Return the robot's place before which the person stands at a time; None before any."""
        index = bisect_right(self._times_s, time_s) - 1
        return self._places[index] if index >= 0 else None

    def _hear(self, told: Told) -> None:
        report = decoded(told.content, PartnerReport)
        if report is not None:
            self._calibrated = report.calibration.state == "done"

    def _note(self, rows: Rows, time_s: float, number: int) -> None:
        row = rows[min(int(np.searchsorted(rows["t"], time_s)), len(rows) - 1)]
        x, y, _ = row["base_position_est"].tolist()
        placing = self._placing.noted((x, y, float(row["rpy_est"][2])), self._calibrated, number)
        if placing.place is not None and placing.place != self._placing.place:
            self._times_s.append(time_s)
            self._places.append(placing.place)
        self._placing = placing
