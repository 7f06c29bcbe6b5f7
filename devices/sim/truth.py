"""What is true of a simulated body, as one row of numbers that a `Truth` looks into."""

import numpy as np
import numpy.typing as npt

from devices.interface import Bools, Floats, Truth

NUMBERS = 33  # of the base, the centre of mass, the contacts' forces and the pushes
CONTACTS = 4


def truth_of(numbers: Floats, contacts: Bools) -> Truth:
    """Return a truth whose arrays are parts of two others.

    Args:
        numbers: all its numbers in the order of `Truth` (3 n + NUMBERS).
        contacts: which points of the soles touch (CONTACTS).
    """
    n = joint_count(numbers)
    rest = numbers[3 * n :]
    return Truth(
        q=numbers[:n],
        dq=numbers[n : 2 * n],
        tau_applied=numbers[2 * n : 3 * n],
        base_position=rest[:3],
        base_velocity=rest[3:6],
        base_rpy=rest[6:9],
        base_spin=rest[9:12],
        com=rest[12:15],
        com_velocity=rest[15:18],
        contacts=contacts,
        contact_force=rest[18:30].reshape(2, 2, 3),
        external_force=rest[30:],
    )


def blank_truth(n: int) -> tuple[Truth, Floats]:
    """Return a truth of n joints, and the array that all its numbers are parts of."""
    numbers = np.zeros(3 * n + NUMBERS)
    return truth_of(numbers, np.zeros(CONTACTS, dtype=np.bool_)), numbers


def joint_count(numbers: npt.NDArray[np.float64]) -> int:
    """Return of how many joints such a row tells."""
    return (len(numbers) - NUMBERS) // 3
