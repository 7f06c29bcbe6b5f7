"""The orders are those that the technician's page lists."""

import re

from devices.twin.fault_script import read_script
from devices.twin.orders import ORDERS, parse
from tests.devices.twin.rig import ROOT

PAGE = (ROOT / "packaging/twin.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| (?:`([^`]*)`)? ?\|", re.MULTILINE)


def test_the_page_lists_every_order_with_its_values() -> None:
    listed = {name: tuple(values.split()) for name, values in ROW.findall(PAGE)}
    assert listed == {name: kind.__struct_fields__ for name, kind in ORDERS.items()}


def test_the_pages_script_is_one() -> None:
    lines = [line for line in PAGE.splitlines() if re.match(r"    \d", line)]
    assert len(read_script("\n".join(lines))) == len(lines) == 5


def test_values_go_by_place_and_by_name() -> None:
    assert parse("stick left_y 0.5") == parse("stick value=0.5 axis=left_y")
