"""Linear equations in a kernel."""

import numpy as np

from core.compiled import compiled
from devices.interface import Floats


@compiled
def solve_in_place(matrix: Floats, sides: Floats) -> float:
    """Replace right sides by the solutions of a square system; return the least pivot.

    By Gaussian elimination with partial pivoting.

    Args:
        matrix: (n, n); its values are lost.
        sides: right sides as columns, output (n, k).
    """
    n, k = sides.shape
    least = np.inf
    for column in range(n):
        pivot = column
        for row in range(column + 1, n):
            if abs(matrix[row, column]) > abs(matrix[pivot, column]):
                pivot = row
        value = matrix[pivot, column]
        least = min(least, abs(value))
        if value == 0.0:
            return 0.0
        if pivot != column:
            for j in range(column, n):
                matrix[column, j], matrix[pivot, j] = matrix[pivot, j], matrix[column, j]
            for j in range(k):
                sides[column, j], sides[pivot, j] = sides[pivot, j], sides[column, j]
        for row in range(column + 1, n):
            factor = matrix[row, column] / value
            if factor != 0.0:
                for j in range(column + 1, n):
                    matrix[row, j] -= factor * matrix[column, j]
                for j in range(k):
                    sides[row, j] -= factor * sides[column, j]
    for column in range(n - 1, -1, -1):
        for j in range(k):
            total = sides[column, j]
            for i in range(column + 1, n):
                total -= matrix[column, i] * sides[i, j]
            sides[column, j] = total / matrix[column, column]
    return least
