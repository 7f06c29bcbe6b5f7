"""Words for the state of the live partner, as pure functions of the messages."""

import math
import re
from dataclasses import dataclass
from pathlib import PurePath

from app.console.toolkit import theme
from core.link.partner import (
    CalibrationReport,
    FollowStatus,
    Presence,
    Protocol,
    SourceReport,
    Symbol,
)
from core.link.wording import sentence

ABSENT = "the partner's process does not answer"
PROTOCOLS: dict[Protocol, tuple[str, int]] = {  # title, usual port
    "vmc": ("VMC", 39539),
    "mvn": ("MVN", 9763),
    "natnet": ("NatNet", 1511),
    "camera": ("Camera", 0),
}
PRESENCES: dict[Presence, tuple[theme.Tone, str]] = {
    "away": (theme.IDLE, "AWAY"),
    "followed": (theme.GOOD, "FOLLOWED"),
    "held": (theme.WARN, "HELD"),
}
MEANINGS: dict[Presence, str] = {
    "away": "nobody moves the robot",
    "followed": "the robot follows the person",
    "held": "the input is late: the robot holds its posture",
}
LATE_S = 0.1  # an older frame is late: the core holds the posture
LONGEST = 60  # letters of a name, with room for the number of a take
HEARD_S = 5.0  # as long a motion that was heard is told
_NAME = re.compile(r"[^a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Said:
    """A state in words.

    Attributes:
        tone: its look.
        text: its words.
    """

    tone: theme.Tone
    text: str

    def __str__(self) -> str:
        """Return mark and words."""
        return f"{self.tone.mark} {self.text}"


def period(seconds: float) -> str:
    """Return a length of time in words."""
    if not math.isfinite(seconds):
        return "–"
    return f"{1e3 * seconds:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def address(sender: tuple[str, int]) -> str:
    """Return a sender as host and port; of a port that is not known yet, the host."""
    host, port = sender
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{port}" if port else shown


def source_state(source: SourceReport) -> Said:
    """Return whether a person is heard, or why not."""
    if source.trouble:
        return Said(theme.BAD, source.trouble)
    if not source.protocol:
        return Said(theme.IDLE, "no port is open")
    if not source.paired[0]:
        if source.protocol == "camera":
            return Said(theme.WARN, f"{address(source.stranger)} is not heard: pair it")
        return Said(theme.WARN, f"port {source.port} is open: pair the sender")
    if source.age_s == math.inf:
        return Said(theme.WARN, f"nothing heard yet from {address(source.paired)}")
    if source.age_s > LATE_S:
        return Said(theme.WARN, f"{address(source.paired)} is silent for {period(source.age_s)}")
    return Said(theme.GOOD, f"hears {address(source.paired)}")


def source_figures(source: SourceReport) -> str:
    """Return rate, age and jitter of the frames; empty before the first."""
    if source.age_s == math.inf:
        return ""
    age, jitter = period(source.age_s), period(source.jitter_s)
    return f"{source.rate_hz:.0f}/s, age {age}, jitter {jitter}"


def refusals(refused: dict[str, int]) -> str:
    """Return the number of refused datagrams or pictures by reason, the most frequent first."""
    found = sorted(((count, why) for why, count in refused.items() if count), reverse=True)
    if not found:
        return "nothing refused"
    return "refused: " + ", ".join(f"{count} × {why.replace('_', ' ')}" for count, why in found)


def calibration_state(report: CalibrationReport) -> Said:
    """Return the state of the calibration, or the sentence why it failed."""
    if report.state == "done":
        return Said(theme.GOOD, f"calibrated: scale {report.scale:.2f}")
    if report.state == "holding":
        return Said(theme.BUSY, f"hold the T-pose ({report.held_s:.1f} s)")
    if report.state == "failed":
        why = "it failed" if report.reason is None else sentence(report.reason)
        return Said(theme.BAD, why)
    return Said(theme.IDLE, "not calibrated: the person stands in a T-pose")


def follow_state(status: FollowStatus) -> Said:
    """Return the big word of the following."""
    tone, word = PRESENCES[status.presence]
    return Said(tone, word)


def follow_figures(status: FollowStatus) -> str:
    """Return mode, age and, if the body follows, latency; below them the answer, or the meaning."""
    mode = "" if status.order is None else f"{status.order.mode}   "
    age_s = math.inf if status.age_s is None else status.age_s
    late = f"   latency {period(status.latency_s)}" if status.latency_s else ""  # of the body
    found = [f"{mode}age {period(age_s)}{late}"]
    if status.outside_m > 0.0005:
        found.append(f"{1e2 * status.outside_m:.1f} cm outside the support")
    elif status.answer and status.presence == "followed":
        found.append(f"answers: {title(status.answer)}")
    else:
        found.append(MEANINGS[status.presence])
    return "\n".join(found)


def errors(error_deg: dict[str, float], titles: dict[str, str]) -> str:
    """Return how far the robot's limbs are from the person's, the worst limb first.

    Args:
        error_deg: by name of the limb [deg].
        titles: title of each limb by its name.
    """
    worst = sorted(error_deg.items(), key=lambda item: -item[1])
    return "   ".join(f"{titles.get(name, title(name))} {error:.0f}°" for name, error in worst)


def heard_state(heard: str, heard_s: float) -> Said:
    """Return which motion was recognised."""
    if not heard or heard_s > HEARD_S:
        return Said(theme.IDLE, "no motion recognised")
    return Said(theme.GOOD, f"heard: {title(heard)} ({period(heard_s)} ago)")


def best(symbols: tuple[Symbol, ...]) -> str:
    """Return the name of the motion that explains most of the present one; empty without one."""
    found = max(symbols, key=lambda symbol: symbol.score, default=None)
    return "" if found is None or found.score <= 0.0 else found.name


def title(name: str) -> str:
    """Return a name as it is displayed."""
    return name.replace("_", " ")


def name_of(text: str) -> str:
    """Return the name of a typed text: a letter, then a-z, 0-9 and _; empty without a letter."""
    return _NAME.sub("_", text.strip().lower()).lstrip("_0123456789")[:LONGEST].rstrip("_")


def repertoire_name(path: str) -> str:
    """Return the name of the repertoire of a folder; empty if the folder has no such name."""
    found = PurePath(path).name
    return found if name_of(found) == found else ""
