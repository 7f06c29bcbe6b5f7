"""The paper's quadratic program (equations 5 and 6) over contact forces and the whole tree.

The variables are [F, q̈], in the order of production's. The constraints are built from the
profile and the tree alone, production's from eliminated quantities.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import daqp
import numpy as np

from core.errors import CoreError
from core.lab.oracle.constrained import internal_force, motor_torque, torque_rows
from core.lab.oracle.tree import BASE_SIZE, TreeState
from core.plants.biped.whole_body.contacts import half_extents, points_of
from core.plants.biped.whole_body.problem import INFINITE, QuadraticProgram
from core.robot.profile import Contact, Profile
from devices.interface import Floats

_EQUALITY = 5  # DAQP's name for a row whose bounds are equal
_TOLERANCE = 1e-8  # of feasibility, of rows that DAQP has normalised
_LARGEST_VIOLATION = 1e-6  # of a bound, in the row's unit
_REFINEMENTS = 4
_LARGEST_ROUNDING = 1e-3  # of DAQP's solution; [N], [rad/s²]


class OracleError(CoreError):
    """The paper's program has no solution."""


class Task(NamedTuple):
    """A term || J q̈ + J̇ q̇ - ẍ_d ||²_W of equation 6.

    Attributes:
        jacobian: J (r, n).
        drift: J̇ q̇ (r).
        desired: ẍ_d (r).
        weight: diagonal of W (r).
    """

    jacobian: Floats
    drift: Floats
    desired: Floats
    weight: Floats


@dataclass(frozen=True, slots=True)
class Cost:
    """Minimised: 1/2 y'Hy + g'y with y = [F, q̈].

    Attributes:
        hessian: H, positive definite (k + n, k + n).
        gradient: g (k + n).
    """

    hessian: Floats
    gradient: Floats

    @classmethod
    def of_tasks(
        cls,
        tasks: Sequence[Task],
        acceleration_weight: float,
        forces_weight: Floats,
        forces_desired: Floats | None = None,
        forces_tracking: Floats | None = None,
    ) -> Self:
        """Return the cost of equation 6.

        Args:
            tasks: its first sum.
            acceleration_weight: λ_q.
            forces_weight: diagonal of λ_F (k).
            forces_desired: F_d (k).
            forces_tracking: diagonal of W_F (k); needs `forces_desired`.
        """
        k, n = forces_weight.size, tasks[0].jacobian.shape[1]
        hessian, gradient = np.zeros((k + n, k + n)), np.zeros(k + n)
        hessian[:k, :k] = np.diag(forces_weight)
        hessian[k:, k:] = acceleration_weight * np.eye(n)
        for jacobian, drift, desired, weight in tasks:
            hessian[k:, k:] += jacobian.T @ (weight[:, np.newaxis] * jacobian)
            gradient[k:] += jacobian.T @ (weight * (drift - desired))
        if forces_desired is not None and forces_tracking is not None:
            hessian[:k, :k] += np.diag(forces_tracking)
            gradient[:k] -= forces_tracking * forces_desired
        return cls(2.0 * hessian, 2.0 * gradient)

    @classmethod
    def of_production(cls, problem: QuadraticProgram, tree: TreeState) -> Self:
        """Return the cost of a problem of production, over the whole tree.

        With P G = 1, x = [F, P q̈] has production's cost wherever J_int q̈ = 0. The rest, which
        that manifold leaves free, is regularised.
        """
        k, n = problem.gradient.size - tree.expansion.shape[1], tree.velocity.size
        lift = np.zeros((problem.gradient.size, k + n))
        lift[:k, :k] = np.eye(k)
        lift[k:, k:] = np.linalg.pinv(tree.expansion)
        hessian = lift.T @ problem.hessian @ lift
        scale = float(np.diag(problem.hessian)[k:].mean())
        hessian[k:, k:] += scale * tree.internal_jacobian.T @ tree.internal_jacobian
        return cls(hessian, lift.T @ problem.gradient)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of equations 5d to 5f.

    Attributes:
        cones: rows of the feet that may carry, at least zero times F (r, k); see `cone`.
        forces_lower, forces_upper: bounds of F (k).
        torque_lower, torque_upper: bounds of τ_u (m) [N·m].
        acceleration: largest |q̈| of each velocity (n); None without a limit.
    """

    cones: Floats
    forces_lower: Floats
    forces_upper: Floats
    torque_lower: Floats
    torque_upper: Floats
    acceleration: Floats | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """Solution of the paper's program.

    Attributes:
        acceleration: q̈ of the tree (n).
        forces: F (k).
        torque: τ_u (m) [N·m].
        motor_torque: τ_m (m) [N·m].
        internal_force: F_int (c) [N·m].
    """

    acceleration: Floats
    forces: Floats
    torque: Floats
    motor_torque: Floats
    internal_force: Floats


class Difference(NamedTuple):
    """Largest differences between production and the oracle.

    Attributes:
        torque: Δτ_u [N·m].
        forces: ΔF [N], [N·m].
        acceleration: Δq̈ of the tree [m/s²], [rad/s²].
    """

    torque: float
    forces: float
    acceleration: float


def cone(contact: Contact, friction: float) -> Floats:
    """Return the rows U of a foot, with U F ≥ 0 (r, 6).

    A sole's wrench is that of friction pyramids at its corners (Caron, Pham and Nakamura,
    "Stability of surface contacts for humanoid robots"); the pyramids lie inside the cones of
    friction. The points of a line have pyramids of their own.
    """
    mu = friction / math.sqrt(2.0)
    rows: list[list[float]] = []
    if contact.kind == "line":
        for point in range(len(points_of(contact))):
            for axis in (0, 1):
                for sign in (1.0, -1.0):
                    row = [0.0] * 6
                    row[3 * point + axis], row[3 * point + 2] = sign, mu
                    rows.append(row)
        return np.array(rows)
    x, y = half_extents(contact)
    for sign in (1.0, -1.0):
        rows.append([sign, 0.0, mu, 0.0, 0.0, 0.0])
        rows.append([0.0, sign, mu, 0.0, 0.0, 0.0])
        rows.append([0.0, 0.0, y, sign, 0.0, 0.0])
        rows.append([0.0, 0.0, x, 0.0, sign, 0.0])
    for a in (1.0, -1.0):
        for b in (1.0, -1.0):
            for turn in (1.0, -1.0):
                # ± m_z + a (Y f_x ∓ μ m_x) + b (X f_y ∓ μ m_y) + μ (X + Y) f_z ≥ 0
                row = [a * y, b * x, mu * (x + y), -a * turn * mu, -b * turn * mu, turn]
                rows.append(row)
    return np.array(rows)


def limits_of(profile: Profile, joint_velocity: Floats, load_limit: Floats) -> Limits:
    """Return the limits of a profile.

    Args:
        profile: of a biped.
        joint_velocity: of the driven joints (m) [rad/s].
        load_limit: largest vertical force at each point of a foot, zero in the air (2) [N].
    """
    settings, m = profile.as_biped.constraints, joint_velocity.size
    cones: list[Floats] = [np.zeros((0, 12))]
    lower, upper = np.full(12, -INFINITE), np.full(12, INFINITE)
    for side, (contact, limit) in enumerate(zip(profile.contacts, load_limit, strict=True)):
        first = 6 * side
        if limit == 0.0:
            lower[first : first + 6] = upper[first : first + 6] = 0.0
            continue
        part = cone(contact, settings.friction)
        cones.append(np.zeros((len(part), 12)))
        cones[-1][:, first : first + 6] = part
        normals = (2, 5) if contact.kind == "line" else (2,)
        for normal in normals:
            lower[first + normal], upper[first + normal] = min(settings.force_min, limit), limit
    stall = settings.torque_fraction * profile.actuator_column("stall_torque")[:m]
    speed = joint_velocity / profile.no_load_speed()[:m]
    return Limits(
        cones=np.vstack(cones),
        forces_lower=lower,
        forces_upper=upper,
        torque_lower=-stall * np.clip(1.0 + speed, 0.0, 1.0),
        torque_upper=stall * np.clip(1.0 - speed, 0.0, 1.0),
    )


def paper_problem(tree: TreeState, cost: Cost, limits: Limits) -> QuadraticProgram:
    """Return the paper's program; all of its variables have bounds."""
    k, n = limits.forces_lower.size, tree.velocity.size
    torque, torque_offset = torque_rows(tree)
    base = np.hstack((-tree.contact_jacobian.T, tree.mass_matrix))[:BASE_SIZE]
    couplings = np.hstack((np.zeros((len(tree.internal_jacobian), k)), tree.internal_jacobian))
    cones = np.hstack((limits.cones, np.zeros((len(limits.cones), n))))
    largest = np.full(n, INFINITE) if limits.acceleration is None else limits.acceleration
    exact = np.concatenate((-tree.bias[:BASE_SIZE], -tree.internal_drift))
    return QuadraticProgram(
        hessian=cost.hessian,
        gradient=cost.gradient,
        rows=np.vstack((cones, torque, base, couplings)),
        lower=np.concatenate(
            (
                limits.forces_lower,
                -largest,
                np.zeros(len(cones)),
                limits.torque_lower - torque_offset,
                exact,
            )
        ),
        upper=np.concatenate(
            (
                limits.forces_upper,
                largest,
                np.full(len(cones), INFINITE),
                limits.torque_upper - torque_offset,
                exact,
            )
        ),
        equalities=BASE_SIZE + len(couplings),
    )


def paper_solution(tree: TreeState, cost: Cost, limits: Limits) -> Solution:
    """Solve the paper's program.

    Raises:
        OracleError: DAQP finds no solution.
    """
    problem = paper_problem(tree, cost, limits)
    sense = np.zeros(problem.upper.size, dtype=np.int32)
    sense[problem.upper.size - problem.equalities :] = _EQUALITY
    y, _, flag, info = daqp.solve(
        problem.hessian,
        problem.gradient,
        problem.rows,
        problem.upper,
        problem.lower,
        sense,
        primal_tol=_TOLERANCE,
    )
    values = np.concatenate((y, problem.rows @ y))
    over = float(np.maximum(values - problem.upper, problem.lower - values).max())
    if flag <= 0 or not over <= _LARGEST_VIOLATION:
        reason = f"exit flag {flag} of DAQP, largest violation {over:.1e}"
        raise OracleError(f"the paper's program has no solution ({reason})")
    y = _refined(problem, y, np.asarray(info["lam"]))
    k = limits.forces_lower.size
    forces, acceleration = y[:k], y[k:]
    rows, offset = torque_rows(tree)
    torque = rows @ y + offset
    motors = motor_torque(tree, torque)
    return Solution(acceleration, forces, torque, motors, internal_force(tree, motors, forces))


def _refined(problem: QuadraticProgram, y: Floats, multipliers: Floats) -> Floats:
    """Return the solution for the rows that DAQP holds at a bound, with less rounding.

    The weights of forces and accelerations are so unlike that DAQP's forces are rounded to 1e-5 N.

    Args:
        problem: whose variables all have bounds.
        y: DAQP's solution.
        multipliers: DAQP's, positive where an upper bound holds.
    """
    exact = np.arange(multipliers.size) >= multipliers.size - problem.equalities
    held = exact | (multipliers != 0.0)
    rows = np.vstack((np.eye(y.size), problem.rows))[held]
    bounds = np.where(multipliers < 0.0, problem.lower, problem.upper)[held]
    scale = 1.0 / np.sqrt(np.diag(problem.hessian))
    scale = np.concatenate((scale, 1.0 / np.linalg.norm(rows * scale, axis=1)))
    system = np.block([[problem.hessian, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    try:
        inverse = np.linalg.inv(scale[:, np.newaxis] * system * scale)
    except np.linalg.LinAlgError:  # rows that depend on each other
        return y
    right, solution = np.concatenate((-problem.gradient, bounds)), np.zeros(scale.size)
    for _ in range(_REFINEMENTS):
        solution += scale * (inverse @ (scale * (right - system @ solution)))
    better: Floats = solution[: y.size]
    return better if np.abs(better - y).max() < _LARGEST_ROUNDING else y


def compare(
    problem: QuadraticProgram, x: Floats, torque: Floats, tree: TreeState, limits: Limits
) -> Difference:
    """Return how far a solution of production is from the oracle's, with production's cost.

    Args:
        problem: of production.
        x: its solution, [F, ü].
        torque: the joint torques that production reads from it (m) [N·m].
        tree: at the state of the problem.
        limits: at the state of the problem.

    Raises:
        OracleError: the oracle finds no solution.
    """
    best = paper_solution(tree, Cost.of_production(problem, tree), limits)
    k = best.forces.size
    return Difference(
        torque=float(np.abs(torque - best.torque).max()),
        forces=float(np.abs(x[:k] - best.forces).max()),
        acceleration=float(np.abs(tree.expansion @ x[k:] - best.acceleration).max()),
    )
