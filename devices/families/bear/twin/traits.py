"""Assumed properties of BEAR actuators in the twin."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class BearTraits:
    """Properties of the actuators that no source gives (packaging/wiring/bench_questions.md).

    Attributes:
        watchdog_unit_us: time per count of the watchdog [µs].
        watchdog_modes: control modes in which the watchdog acts.
        config_while_enabled: configuration may be written while the torque is on.
        damping_raises_fault: the error byte has the watchdog's bit while it damps.
        keeps_logic: it answers while the contactor is open.
        clear_us: time from torque off to the end of a latched fault [µs].
        firmware: its answer to a ping, firmware first (4).
    """

    watchdog_unit_us: int = 1000
    watchdog_modes: tuple[int, ...] = (0,)
    config_while_enabled: bool = False
    damping_raises_fault: bool = True
    keeps_logic: bool = True
    clear_us: int = 10_000
    firmware: bytes = bytes((1, 3, 2, 1))
