"""Dynamics of a robot with internal constraints (paper, equations 3 and 4).

A q̈ + b + g = T' τ_m + J_int' F_int + J_c' F. Equation 4 is corrected: its third term contains
(J_int A⁻¹ J_int')†, where the paper prints (J_int A J_int')†.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from core.lab.oracle.tree import BASE_SIZE, TreeState
from devices.interface import Floats


class Internal(NamedTuple):
    """What follows from the internal constraints at a state.

    Attributes:
        inverse_mass: A⁻¹ (n, n).
        inertia: Λ = (J_int A⁻¹ J_int')⁻¹, of the constraints (c, c).
        inverse: J̄_int = A⁻¹ J_int' Λ, the dynamically consistent inverse (n, c).
        null_space: N_int = 1 - J̄_int J_int (n, n).
    """

    inverse_mass: Floats
    inertia: Floats
    inverse: Floats
    null_space: Floats


def internal(tree: TreeState) -> Internal:
    """Return inverse and null space of the internal constraints."""
    jacobian, n = tree.internal_jacobian, tree.velocity.size
    inverse_mass: Floats = cho_solve(cho_factor(tree.mass_matrix), np.eye(n))
    inverse_mass = 0.5 * (inverse_mass + inverse_mass.T)
    inertia: Floats = np.asarray(np.linalg.inv(jacobian @ inverse_mass @ jacobian.T), np.float64)
    inverse = inverse_mass @ jacobian.T @ inertia
    return Internal(inverse_mass, inertia, inverse, np.eye(n) - inverse @ jacobian)


def eliminated_mass_matrix(tree: TreeState) -> Floats:
    """Return G' A G, the mass matrix in production's coordinates (u, u)."""
    reduced: Floats = tree.expansion.T @ tree.mass_matrix @ tree.expansion
    return reduced


def joint_torque(tree: TreeState, motor_torque: Floats) -> Floats:
    """Return τ_u = G' T' τ_m, the torques in production's joint coordinates (m) [N·m]."""
    return _drive(tree).T @ motor_torque


def motor_torque(tree: TreeState, torque: Floats) -> Floats:
    """Return the torques of the motors of given τ_u (m) [N·m]."""
    return np.asarray(np.linalg.solve(_drive(tree).T, torque), dtype=np.float64)


def motor_velocity(tree: TreeState) -> Floats:
    """Return θ̇ = T q̇ (m) [rad/s]."""
    return tree.transmission @ tree.velocity


def internal_force(tree: TreeState, motors: Floats, forces: Floats) -> Floats:
    """Return F_int = -Λ (J_int A⁻¹ (T' τ_m + J_c' F - b - g) + J̇_int q̇) (c) [N·m].

    Args:
        tree: at a state.
        motors: torques of the motors (m) [N·m].
        forces: of the contacts (k).
    """
    known = internal(tree)
    free = known.inverse_mass @ _applied(tree, motors, forces)
    return -known.inertia @ (tree.internal_jacobian @ free + tree.internal_drift)


def forward_dynamics(tree: TreeState, motors: Floats, forces: Floats) -> tuple[Floats, Floats]:
    """Return the acceleration of the tree (n) and F_int (c), of one linear system.

    Args:
        tree: at a state.
        motors: torques of the motors (m) [N·m].
        forces: of the contacts (k).
    """
    jacobian, n = tree.internal_jacobian, tree.velocity.size
    count = len(jacobian)
    system = np.block([[tree.mass_matrix, -jacobian.T], [jacobian, np.zeros((count, count))]])
    right = np.concatenate((_applied(tree, motors, forces), -tree.internal_drift))
    solution = np.linalg.solve(system, right)
    return solution[:n], solution[n:]


def equation_4(tree: TreeState, acceleration: Floats, motors: Floats, forces: Floats) -> Floats:
    """Return left less right side of the corrected equation 4 (n) [N], [N·m].

    Args:
        tree: at a state.
        acceleration: q̈ (n).
        motors: torques of the motors (m) [N·m].
        forces: of the contacts (k).
    """
    known = internal(tree)
    third = tree.internal_jacobian.T @ (known.inertia @ tree.internal_drift)
    inertial: Floats = tree.mass_matrix @ acceleration
    return inertial + third - known.null_space.T @ _applied(tree, motors, forces)


def torque_rows(tree: TreeState, weight: Floats | None = None) -> tuple[Floats, Floats]:
    """Return τ_u as rows R [F, q̈] + r, by equation 5f: with N_int and an inverse of T N_int.

    The inverse is W (T N)' (T N W (T N)')⁻¹ over the hinges, without the base. With W the block of
    the hinges in A⁻¹ it satisfies the paper's condition, see `condition_5f`.

    Args:
        tree: at a state.
        weight: W over the hinges (n - 6, n - 6); None for that block.

    Returns:
        R (m, k + n) and r (m) [N·m].
    """
    null_space, hinges = internal(tree).null_space, slice(BASE_SIZE, None)
    to_motors = actuation_inverse(tree, weight).T
    to_joints = _drive(tree).T @ to_motors
    constrained = (tree.contact_jacobian @ null_space).T[hinges]
    rows = to_joints @ np.hstack((-constrained, tree.mass_matrix[hinges]))
    return rows, to_joints @ (null_space.T @ tree.bias)[hinges]


def actuation_inverse(tree: TreeState, weight: Floats | None = None) -> Floats:
    """Return the weighted inverse of T N_int over the hinges (n - 6, m); see `torque_rows`."""
    known, hinges = internal(tree), slice(BASE_SIZE, None)
    weight = known.inverse_mass[hinges, hinges] if weight is None else weight
    driven = (tree.transmission @ known.null_space)[:, hinges]
    inverse: Floats = weight @ driven.T @ np.linalg.inv(driven @ weight @ driven.T)
    return inverse


def condition_5f(tree: TreeState, weight: Floats | None = None) -> float:
    """Return the largest error of the condition (T N)‾ (T N) = N of equation 5f, over the hinges.

    Args:
        tree: at a state.
        weight: see `torque_rows`.
    """
    null_space, hinges = internal(tree).null_space, slice(BASE_SIZE, None)
    driven = (tree.transmission @ null_space)[:, hinges]
    error = actuation_inverse(tree, weight) @ driven - null_space[hinges, hinges]
    return float(np.abs(error).max())


def _drive(tree: TreeState) -> Floats:
    """Return T G over the joints: speeds of the motors by those of production's joints (m, m)."""
    drive: Floats = (tree.transmission @ tree.expansion)[:, BASE_SIZE:]
    return drive


def _applied(tree: TreeState, motors: Floats, forces: Floats) -> Floats:
    """Return T' τ_m + J_c' F - b - g (n)."""
    applied: Floats = tree.transmission.T @ motors + tree.contact_jacobian.T @ forces - tree.bias
    return applied
