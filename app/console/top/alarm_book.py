"""Which alarms are shown, and how: acknowledged ones small, grave ones until they were seen."""

from dataclasses import dataclass

from core.link.status import Alarm

SHOWN_S = 3.0  # a fault that comes and goes stays legible, and nothing flashes
GRAVE = frozenset({"HOLD", "SETTLE", "DAMP", "CUT"})
ORDER = ("CUT", "DAMP", "SETTLE", "HOLD", "WARN", "NONE")

Key = tuple[str, str]  # flag and action: a fault that grows worse is a new alarm


@dataclass(frozen=True, slots=True)
class AlarmRow:
    """One alarm as it is shown.

    Attributes:
        alarm: the alarm in the core's newest report, or its last one.
        acknowledged: an operator has seen it.
        over: the core no longer reports it.
    """

    alarm: Alarm
    acknowledged: bool
    over: bool

    @property
    def key(self) -> Key:
        """The key that identifies the alarm."""
        return self.alarm.flag, self.alarm.action


@dataclass(slots=True)
class _Entry:
    alarm: Alarm
    seen_s: float
    active: bool = True
    acknowledged: bool = False
    harmless: bool = True


class AlarmBook:
    """Owns the operator's acknowledgements; time is an argument."""

    def __init__(self) -> None:
        self._entries: dict[Key, _Entry] = {}

    def update(self, alarms: tuple[Alarm, ...], now_s: float, limp: bool = False) -> None:
        """Take in the alarms that are active.

        Args:
            alarms: alarms of the core.
            now_s: the time [s].
            limp: the robot has no torque, so that a fault that ends had no effect.
        """
        for entry in self._entries.values():
            entry.active = False
        for alarm in alarms:
            key = (alarm.flag, alarm.action)
            known = self._entries.setdefault(key, _Entry(alarm, now_s))
            known.alarm, known.seen_s, known.active = alarm, now_s, True
            known.harmless = known.harmless and limp
        self._entries = {k: e for k, e in self._entries.items() if _stays(e, now_s)}

    def acknowledge(self, key: Key) -> None:
        """Remember that an alarm was seen; one that is not shown is nothing to remember."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.acknowledged = True

    def acknowledge_all(self) -> None:
        """Remember that every alarm was seen."""
        for entry in self._entries.values():
            entry.acknowledged = True

    def rows(self) -> tuple[AlarmRow, ...]:
        """Return the visible alarms: active ones first, the worst of them first."""
        rows = [AlarmRow(e.alarm, e.acknowledged, not e.active) for e in self._entries.values()]
        return tuple(sorted(rows, key=lambda row: (row.over, _rank(row.alarm.action))))


def _stays(entry: _Entry, now_s: float) -> bool:
    if entry.active:
        return True
    if entry.alarm.action in GRAVE and not entry.harmless:
        return not entry.acknowledged
    return now_s - entry.seen_s < SHOWN_S


def _rank(action: str) -> int:
    return ORDER.index(action) if action in ORDER else 0
