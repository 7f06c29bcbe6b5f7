"""Pulls at the hand of the standing robot: the bars are the issue's, and a control falls."""

import pytest

from core.lab.experiments import pull
from core.lab.experiments.pull import CONTROL, CONTROL_N, DIRECTIONS, EXPERIMENT, FREEDOMS, PULL_N
from core.lab.laboratory import Laboratory


def test_every_direction_and_freedom_has_a_bar_without_a_fall() -> None:
    most = {bar.figure: bar.at_most for bar in EXPERIMENT.bars if bar.figure != "control"}
    assert most == {f"fall_{freedom}_{name}": 0.0 for freedom in FREEDOMS for name in DIRECTIONS}
    assert PULL_N == 15.0 and len(most) == 8
    assert not EXPERIMENT.bars[0].holds(float("nan"))  # what was not measured fails


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_robot_that_is_pulled_harder_falls() -> None:
    assert pull._falls(Laboratory(), 0, "held", CONTROL, CONTROL_N) == 1.0
