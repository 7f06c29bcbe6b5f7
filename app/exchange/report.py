"""The report of an import: what was concluded about a file, and how well the robot follows it."""

from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from shows.files import read_capped
from shows.jsonfile import decode

Kind: TypeAlias = Literal["person", "robot", "table", "motion"]
MAX_REPORT_BYTES = 2**20


class LimbError(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How well one limb follows the person.

    Attributes:
        limb: name of the limb.
        title: its name for an operator.
        segments: names of its two directions.
        direction_mean_deg: mean error of each direction [deg].
        direction_p90_deg: 90th percentile of it [deg].
        hand_mean_cm: mean distance of the hand from where it ought to be [cm]; None for a head.
        hand_p90_cm: 90th percentile of it [cm].
    """

    limb: str
    title: str
    segments: tuple[str, str]
    direction_mean_deg: tuple[float, float]
    direction_p90_deg: tuple[float, float]
    hand_mean_cm: float | None = None
    hand_p90_cm: float | None = None

    def cells(self) -> tuple[str, ...]:
        """Return the limb, its two directions and its hand as text: mean, and 90th percentile."""
        pairs = zip(self.segments, self.direction_mean_deg, self.direction_p90_deg, strict=True)
        directions = [f"{name} {mean:.1f}°, {p90:.1f}°" for name, mean, p90 in pairs]
        if self.hand_mean_cm is None or self.hand_p90_cm is None:
            return self.title, *directions, "–"
        return self.title, *directions, f"{self.hand_mean_cm:.1f} cm, {self.hand_p90_cm:.1f} cm"


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an import did.

    Attributes:
        file: name of the file.
        kind: a person's motion, one of the robot's skeleton, a table, or a motion of the program.
        robot: name of the robot's profile.
        motion: path of the motion that was written.
        name: name of the motion.
        title: label that an operator reads.
        duration_s: [s].
        rate_hz: samples by time [Hz].
        joints: joints that it moves.
        unit: unit of lengths in the file; empty where there are none.
        up: upward axis of the file; empty where there is none.
        guessed: which of `unit` and `up` were guessed.
        facts: what else was concluded: a word, and what it is.
        limbs: errors of the limbs; empty unless the file shows a person.
        held_back: share of the time in which limits hold a joint back.
        fault: the first place where the motion goes beyond the robot's limits; empty without one.
        touch: which parts of the robot touch each other first, and when; empty if none do.
    """

    file: str
    kind: Kind
    robot: str
    motion: str
    name: str
    title: str
    duration_s: float
    rate_hz: float
    joints: tuple[str, ...]
    unit: str = ""
    up: str = ""
    guessed: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    limbs: tuple[LimbError, ...] = ()
    held_back: float = 0.0
    fault: str = ""
    touch: str = ""

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what was concluded, a word and its value in each row."""
        found = list(self.facts)
        if self.unit:
            found.append(("unit", f"{self.unit} ({self._how('unit')})"))
        if self.up:
            found.append(("upward axis", f"{self.up} ({self._how('up')})"))
        found.append(
            (
                "motion",
                f"{self.duration_s:.2f} s, {self.rate_hz:g} samples a second, "
                f"{len(self.joints)} joints",
            )
        )
        if self.limbs:
            found.append(("held back by limits", f"{100.0 * self.held_back:.0f} % of the time"))
        found.append(("parts that touch", self.touch or "none"))
        return tuple(found)

    def _how(self, what: str) -> str:
        return "guessed" if what in self.guessed else "given"


def read_report(path: Path) -> Report:
    """Return the report of a file.

    Raises:
        ShowError: the file cannot be read or is no report.
    """
    return decode(read_capped(path, MAX_REPORT_BYTES, path.name), Report, path.name)
