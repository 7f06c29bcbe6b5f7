"""Jumps in place: their parts in sequence, and what ends them."""

import numpy as np
import pytest

from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.link.commands import StartJump
from core.plants.biped.plant import biped_of
from core.plants.biped.settings import Hopping
from core.plants.biped.walk.hop import Hop
from core.run.launch import WalkOrder
from core.tick.performer import Performer
from shows.gaits import Jump, JumpRange

SETTINGS = Hopping(push_s=0.2, absorb_s=0.2, rise=0.01, lift=0.006, clearance=0.003)
LIMITS = JumpRange(
    flight_s=0.06,
    period_s=0.8,
    usual_flight_s=0.06,
    usual_period_s=1.0,
    forward=0.0,
    sideways=0.0,
    turn=0.0,
)
DOWN, UP = np.array((True, True)), np.array((False, False))


def test_a_robot_that_cannot_jump_or_moves_does_not() -> None:
    for hop, calm in ((Hop(None, None), True), (Hop(SETTINGS, LIMITS), False)):
        hop.follow(0.0, Jump(), calm, DOWN)
        assert not (hop.active or hop.flies)


def test_a_request_that_ends_ends_before_the_next_push() -> None:
    hop, jump = Hop(SETTINGS, LIMITS), Jump(count=3)
    flights = 0
    for tick in range(3000):
        before = hop.flies
        hop.follow(0.001 * tick, jump if tick < 1500 else None, True, UP if hop.flies else DOWN)
        flights += hop.flies and not before
    assert flights == 2
    assert not hop.jumps


def test_the_height_is_smooth_and_a_flight_has_no_force() -> None:
    hop, jump = Hop(SETTINGS, LIMITS), Jump()
    heights, flies = [], []
    for tick in range(700):
        hop.follow(0.001 * tick, jump, True, UP if hop.flies else DOWN)
        heights.append(hop.height.copy())
        flies.append(hop.flies)
    table, air = np.array(heights), np.array(flies)
    assert air.sum() == pytest.approx(60, abs=1)
    assert np.abs(table[air, 2] + 9.81).max() < 1e-9
    assert np.abs(np.diff(table[:, 0]) - 0.001 * table[1:, 1]).max() < 1e-4
    assert table[~air, 2].min() > -9.81 - 1e-9


def test_a_touch_late_in_a_flight_is_the_landing_and_an_early_one_is_not() -> None:
    hop, jump = Hop(SETTINGS, LIMITS), Jump()
    air = 0
    for tick in range(400):
        touched = DOWN if air < 10 or air > 40 else UP
        hop.follow(0.001 * tick, jump, True, touched)
        air += hop.flies
    assert 40 <= air <= 42


def test_the_default_robot_jumps_in_the_simulator() -> None:
    flies: list[bool] = []

    def look(performer: Performer) -> None:
        flies.append(biped_of(performer.plant).walker.hop.flies)

    script = Script(3.5, commands=[(0.2, StartJump(count=2))])
    done = Laboratory().run(2, script, watch=look)
    rows = done.rows[done.rows["t"] > START_S]
    force = rows["contact_force_true"].reshape(len(rows), -1, 3)[:, :, 2].sum(axis=1)
    assert script.fell_s is None
    assert 0.85 * sum(flies) < (force < 0.5).sum() < 1.15 * sum(flies)
    assert sum(flies) == pytest.approx(2 * 60, abs=12)


def test_a_jump_that_is_taken_back_before_its_push_is_not_made() -> None:
    waits: list[bool] = []
    jumps: list[bool] = []

    def look(performer: Performer) -> None:
        hop = biped_of(performer.plant).walker.hop
        waits.append(hop.jumps and not hop.active)
        jumps.append(performer.plant.jumps)
        if waits[-1]:
            performer.hand.jump.end()

    steps = [WalkOrder(step=True, dur=1.0)]
    script = Script(3.0, steps, [(1.05, StartJump())])  # the robot comes to rest first
    Laboratory().run(2, script, watch=look)
    assert any(waits) and not jumps[-1]
