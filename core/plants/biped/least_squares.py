"""Damped least squares in a kernel."""

import numpy as np

from core.compiled import compiled
from devices.interface import Floats


@compiled
def damped_least_squares(jacobian: Floats, errors: Floats, damping: float, steps: Floats) -> None:
    """Write J' (J J' + damping² 1)^-1 errors into `steps` (n, k); J is square (n, n).

    By Cholesky factors, which the damping makes exist.
    """
    n, k = errors.shape
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = damping * damping if i == j else 0.0
            for m in range(n):
                total += jacobian[i, m] * jacobian[j, m]
            for m in range(j):
                total -= low[i, m] * low[j, m]
            low[i, j] = np.sqrt(total) if i == j else total / low[j, j]
    y = np.zeros(n)
    for column in range(k):
        for i in range(n):
            total = errors[i, column]
            for m in range(i):
                total -= low[i, m] * y[m]
            y[i] = total / low[i, i]
        for i in range(n - 1, -1, -1):
            total = y[i]
            for m in range(i + 1, n):
                total -= low[m, i] * y[m]
            y[i] = total / low[i, i]
        for i in range(n):
            total = 0.0
            for m in range(n):
                total += jacobian[m, i] * y[m]
            steps[i, column] = total
