"""What is asked of a robot many times over."""

import numpy as np
import pytest

from core.lab.experiments import endurance
from core.lab.experiments.endurance import (
    CHANGES_S,
    EXPERIMENTS,
    RANGE,
    random_orders,
    walk,
    wander,
)
from core.lab.laboratory import Laboratory


def test_commands_stay_in_the_range_and_differ_with_the_seed() -> None:
    orders = random_orders(3)
    assert sum(order.dur for order in orders) == CHANGES_S
    for order in orders:
        for value, (low, high) in zip((order.vx, order.vy, order.yaw), RANGE, strict=True):
            assert low <= value <= high
    assert random_orders(3) == orders
    assert random_orders(4) != orders


def test_every_direction_is_asked_for_and_so_are_mixtures() -> None:
    orders = [order for seed in range(10) for order in random_orders(seed)]
    for axis in ("vx", "vy", "yaw"):
        values = [getattr(order, axis) for order in orders]
        assert min(values) < 0.0 < max(values)
        assert 0.0 in values
    assert any(order.vx and order.vy and order.yaw for order in orders)


def test_shows_are_played_20_times_and_walks_10() -> None:
    most = {one.name: one.most_seeds for one in EXPERIMENTS}
    assert most == {
        "endurance/show": 20,
        "endurance/friction": 20,
        "endurance/payload": 20,
        "endurance/wave": 10,
        "endurance/thumbs-up": 10,
        "endurance/walk": 20,
        "endurance/changes": 10,
    }


def test_a_fall_is_counted_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Laboratory()
    body = lab.body(0)
    body.push(np.array([0.0, 300.0, 0.0]), 8.0)
    monkeypatch.setattr(lab, "body", lambda seed: body)
    figures = wander(lab, 0, length_s=3.0).figures
    assert figures["ended"] == 0.0
    assert figures["falls"] == 1.0
    assert figures["tilt"] > 40.0
    assert "fell" in lab.notes[0]


def test_the_room_is_what_the_part_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endurance, "_measured", lambda lab, seed, operator, show, room: room)
    lab = Laboratory()
    rooms: list[object] = [one.run(lab, 0) for one in EXPERIMENTS[:3]]
    assert rooms == [{}, {"friction": 0.5}, {"payload_kg": 0.5}]


@pytest.mark.long
def test_a_short_walk_ends_as_it_should() -> None:
    figures = walk(Laboratory(), 0, "wave", length_s=2.0).figures
    assert figures["falls"] == 0.0
    assert figures["ended"] == 1.0
    assert 0.1 < figures["distance"] < 1.0
    assert 0.0 < figures["tilt"] < 10.0
    assert 0.1 < figures["load"] < 1.1  # friction adds to a motor's torque while it brakes
    assert figures["duration"] > 7.0
