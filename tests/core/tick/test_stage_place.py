"""The place on the stage is lost with the feet, told by an operator, and known after a put-back."""

import pytest

from core.tick.stage_place import LIFTED_S, StagePlace
from shows.marks import Place

HERE, MARK = Place(1.0, 2.0, 0.5), Place(0.3, -0.4, 1.1)


def test_a_robot_whose_feet_leave_the_floor_is_lost_however_it_is_driven() -> None:
    place = StagePlace()
    place.watch(5.0, False)
    assert place.known, "before it has stood up, it hangs"
    place.begin(HERE)
    place.watch(5.0, True)
    place.watch(5.0 + LIFTED_S, False)
    assert place.known
    place.watch(5.1 + LIFTED_S, False)
    assert not place.known


def test_what_an_operator_tells_is_the_place_until_the_robot_is_put_back() -> None:
    place = StagePlace()
    place.begin(HERE)
    assert place.in_world(Place(0.0, 0.0, 0.0)) == pytest.approx(HERE)
    place.lose()
    place.tell(HERE, MARK)
    assert place.known and place.in_world(MARK) == pytest.approx(HERE)
    place.lose()
    place.put_back()
    assert place.known and place.origin == HERE
