"""The faults in the error byte of every BEAR reply.

Sources: omelia-iliffe/westwood-bear-rs, src/protocol/motor_error.rs; RoMeLaUCLA/CBEAR.
"""

from dataclasses import dataclass

HEALTHY = 0x80  # bit 7 is always set
HARDWARE = 0x20  # also reported while the motors have no supply


@dataclass(frozen=True, slots=True)
class Fault:
    """One bit of the error byte.

    Attributes:
        mask: the bit.
        name: name of the fault.
        latched: the fault lasts until it is cleared; otherwise until its cause ends.
        advice: the remedy.
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
# Not defined by the maker: a byte that is no error byte must not be trusted.
UNMARKED = Fault(0x80, "no error byte", False, "Check its firmware: bit 7 should be set.")


def faults(error: int) -> tuple[Fault, ...]:
    """Return the faults that an error byte reports; empty for HEALTHY."""
    found = tuple(fault for fault in FAULTS if error & fault.mask)
    return found if error & HEALTHY else (*found, UNMARKED)
