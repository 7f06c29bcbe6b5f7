"""The error byte that every reply of a BEAR carries, in words.

Sources: omelia-iliffe/westwood-bear-rs, src/protocol/motor_error.rs; RoMeLaUCLA/CBEAR.
"""

from dataclasses import dataclass

HEALTHY = 0x80  # bit 7 is always set
HARDWARE = 0x20  # also said where the motors have no supply


@dataclass(frozen=True, slots=True)
class Fault:
    """One bit of the error byte.

    Attributes:
        mask: the bit.
        name: what is wrong.
        latched: it stays until it is cleared; otherwise it ends with its cause.
        advice: what to do.
    """

    mask: int
    name: str
    latched: bool
    advice: str


CLEAR = "Switch its torque off, wait 0.1 s and ask again."

FAULTS = (
    Fault(0x01, "communication", False, "Look at plugs and termination if it keeps counting."),
    Fault(0x02, "overheat", False, "Let it cool; it limits its current."),
    Fault(0x04, "absolute position", True, f"{CLEAR} If it stays, calibrate its zero anew."),
    Fault(0x08, "watchdog or E-stop", True, f"Release the E-stop first. {CLEAR}"),
    Fault(0x10, "joint limit", True, f"Move the joint back into its range. {CLEAR}"),
    Fault(HARDWARE, "hardware", True, f"Check the supply voltage, then the power stage. {CLEAR}"),
    Fault(0x40, "initialization", True, "Its stored settings are damaged: configure it anew."),
)
# Not one of the maker's: a reply that is no error byte at all is not to be trusted either.
UNMARKED = Fault(0x80, "no error byte", False, "Check its firmware: bit 7 should be set.")


def faults(error: int) -> tuple[Fault, ...]:
    """Return what an error byte says is wrong; nothing for HEALTHY."""
    found = tuple(fault for fault in FAULTS if error & fault.mask)
    return found if error & HEALTHY else (*found, UNMARKED)
