"""The true state of a simulated body as one row of numbers that a `Truth` looks into."""

import numpy as np

from devices.interface import Bools, Floats, Truth

FIXED_NUMBERS = 21  # of the base, the centre of mass and the pushes


def truth_size(joint_count: int, contact_count: int) -> int:
    """Return how many numbers a truth holds."""
    return 3 * joint_count + FIXED_NUMBERS + 3 * contact_count


def truth_of(numbers: Floats, contacts: Bools) -> Truth:
    """Return a truth whose arrays are views of two others.

    Args:
        numbers: all its numbers in the order of `Truth` (`truth_size`).
        contacts: which contact switches touch the ground (k).
    """
    k = len(contacts)
    n = (len(numbers) - FIXED_NUMBERS - 3 * k) // 3
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
        contact_force=rest[18 : 18 + 3 * k].reshape(k, 3),
        external_force=rest[18 + 3 * k :],
    )


def blank_truth(joint_count: int, contact_count: int) -> tuple[Truth, Floats]:
    """Return a truth, and the array that all its numbers are parts of."""
    numbers = np.zeros(truth_size(joint_count, contact_count))
    return truth_of(numbers, np.zeros(contact_count, dtype=np.bool_)), numbers
