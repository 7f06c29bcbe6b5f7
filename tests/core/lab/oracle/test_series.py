"""The dense equations of the series against a motion that is known without them."""

import math

import numpy as np
import pytest

from core.lab.oracle.series import Series, dense

RATE, STEP_S = 6.0, 0.1


def series(rates: tuple[float, ...]) -> Series:
    """Return two phases of as many terms as there are rates, half of them in each."""
    half = len(rates) // 2
    shares = [(k / half, (k + 1) / half) for k in range(half)]
    return Series(
        durations=np.full(len(rates), STEP_S),
        rates=np.array(rates),
        phases=np.repeat((0, 1), half),
        shares=np.array(shares * 2),
        pressures=np.zeros((3, 2)),
    )


@pytest.mark.parametrize("rates", [(RATE,) * 4, (RATE, RATE, 0.0, 0.0)])
def test_a_pendulum_over_a_fixed_zmp_satisfies_the_equations(rates: tuple[float, ...]) -> None:
    own, x, v = series(rates), 0.01, -0.03
    solution: list[float] = []
    for rate in rates:
        if rate:
            c, s = math.cosh(rate * STEP_S), math.sinh(rate * STEP_S)
            solution += [x, v / rate]
            x, v = x * c + v / rate * s, x * rate * s + v * c
        else:
            solution += [x, v]
            x = x + v * STEP_S
    rows, sides = dense(own, np.array((0.01, -0.03, 0.0)), np.array((x, v)))
    assert rows.shape == (2 * len(rates) + 2, 2 * len(rates) + 2)
    found = np.array((*solution, 0.0, 0.0))
    np.testing.assert_allclose(rows @ found, sides, atol=1e-14)
    other = found + np.eye(found.size)[-2]  # another ZMP at the end of the first phase
    assert np.abs(rows @ other - sides).max() > 0.1


def test_the_zmp_moves_with_its_phase_and_that_before_it_is_known() -> None:
    own = series((RATE,) * 4)
    rows, sides = dense(own, np.array((0.0, 0.0, 0.5)), np.zeros(2))
    # x = p = p₀ at rest over a ZMP that stays: A and B are zero.
    still = np.concatenate((np.zeros(8), (0.5, 0.5)))
    left = rows @ still - sides
    np.testing.assert_allclose(left[2:8], 0.0, atol=1e-14)
    assert left[0] == pytest.approx(0.5)  # the CoM begins at 0, not over the ZMP
