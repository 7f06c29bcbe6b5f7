"""A technician's order travels as JSON and refuses what it does not know."""

import pytest

from core.run.launch import LaunchError
from core.service.commission.order import CommissionOrder


def test_an_order_comes_back_as_it_was() -> None:
    order = CommissionOrder(
        action="zero", names=("left_leg",), body="twin", unit="07", angles={"left_knee": -90.0}
    )
    assert CommissionOrder.from_json(order.to_json()) == order


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"action": "torque"}',
        '{"action": "scan", "body": "sim"}',
        '{"action": "scan", "names": ["../x"]}',
        '{"action": "scan", "unit": "../07"}',
        '{"action": "id", "new_id": 256}',
        '{"action": "zero", "posture": "../asleep"}',
        '{"action": "zero", "angles": {"left_knee": 1e9}}',
        '{"action": "scan", "force": true}',
    ],
)
def test_another_order_is_refused(text: str) -> None:
    with pytest.raises(LaunchError, match="the commissioning order is refused"):
        CommissionOrder.from_json(text)
