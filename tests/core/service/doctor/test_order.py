"""The doctor's order travels as JSON and refuses what it does not know."""

import pytest

from core.run.launch import LaunchError
from core.service.doctor.order import DoctorOrder


def test_an_order_comes_back_as_it_was() -> None:
    order = DoctorOrder(
        body="twin", faults="a.txt", ports="lines", calibration="a.toml", sound="USB"
    )
    assert DoctorOrder.from_json(order.to_json()) == order


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"body": "puppet"}', '{"robot": "../x"}', '{"ports": ""}', '{"force": true}'],
)
def test_another_order_is_refused(text: str) -> None:
    with pytest.raises(LaunchError, match="the doctor's order is refused"):
        DoctorOrder.from_json(text)
