"""Designs and their figures: the collocated knee's trend, moved masses, what is refused."""

import json
from pathlib import Path

import msgspec
import pinocchio as pin
import pytest

from core.lab.inertia.designs import Move, designs_of
from core.lab.inertia.plots import draw
from core.lab.inertia.poses import Grid, StudyError, recipe_of
from core.lab.inertia.report import as_json, results_table, sentences
from core.lab.inertia.study import Row, compare, reduction
from core.robot.profile import Variant
from core.robot.profile_file import load_profile

GRID = Grid(2, 3, 5)
DRACO = load_profile("draco3")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    moves = [Move(2.0, "left_thigh", "left_shank"), Move(2.0, "right_thigh", "right_shank")]
    return compare(DRACO, GRID, moves)


def test_motors_at_the_knee_change_the_inertia_more(rows: list[Row]) -> None:
    usual, collocated, moved = rows
    assert [row.design.variant for row in rows] == ["", "collocated", ""]
    assert [row.reached for row in rows] == [GRID.poses] * 3
    assert 0.30 < reduction(usual, collocated) < 0.40
    assert usual.distance_max < collocated.distance_max < 1.4 * usual.distance_max
    assert (usual.by_axis < collocated.by_axis).all()
    # The variant changes masses where they are; moving them as points is the same.
    assert moved.range == pytest.approx(collocated.range)
    assert moved.mass_kg == pytest.approx(usual.mass_kg)


@pytest.mark.long
def test_the_reduction_over_the_authors_step() -> None:
    usual, collocated = compare(DRACO)
    assert usual.reached == 3000 and usual.poses.worst_error <= 1e-8
    assert 0.34 <= reduction(usual, collocated) <= 0.37
    assert usual.range == pytest.approx(1.094e-4, rel=0.005)
    assert collocated.range == pytest.approx(1.680e-4, rel=0.005)


def test_a_point_at_the_origin_lies_on_the_axis_of_the_joint() -> None:
    usual, *_, moved = designs_of(DRACO, [Move(2.0, "left_thigh", "left_shank@origin")])
    number = usual.model.getJointId("left_knee_distal")
    before, after = usual.model.inertias[number], moved.model.inertias[number]
    assert after.mass == pytest.approx(before.mass + 2.0)
    assert after.mass * after.lever == pytest.approx(before.mass * before.lever)
    assert pin.computeTotalMass(moved.model) == pytest.approx(pin.computeTotalMass(usual.model))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move(1.0, "left_toe", "left_shank"), "no link 'left_toe'; choose from torso, head"),
        (Move(1.0, "left_thigh", "shank"), "no link 'shank'"),
        (Move(5.0, "left_thigh", "left_shank"), "'left_thigh' has 5 kg and cannot lose 5 kg"),
        (Move(1.0, "left_thigh@tip", "left_shank"), "'left_thigh@tip' is no place"),
        (Move(4.5, "left_thigh@origin", "left_shank"), "that no rigid body has"),
    ],
)
def test_an_impossible_move_is_refused(move: Move, reason: str) -> None:
    with pytest.raises(StudyError, match=reason):
        compare(DRACO, GRID, [move])


def test_a_variant_of_a_joint_is_refused() -> None:
    odd = msgspec.structs.replace(DRACO, variants={"odd": Variant({"left_knee": 1.0})})
    with pytest.raises(StudyError, match="no link 'left_knee'"):
        designs_of(odd)


def test_poses_out_of_reach_are_counted_and_named() -> None:
    recipe = msgspec.structs.replace(recipe_of(DRACO), forward=(2.0, 2.0), swing_s=1.0)
    odd = msgspec.structs.replace(DRACO, inertia=recipe)
    far = compare(odd, Grid(1, 1, 2))
    assert [row.reached for row in far] == [1, 1] and far[0].range == 0.0
    assert reduction(*far) == 0.0
    found = sentences(far)
    assert found[0] == "DRACO 3 does not reach 1 of 2 poses:"
    assert found[1].startswith("  x +2.000 m, y -0.100 m, 1.000 s: the limbs are too short")


def test_table_and_file_say_the_same(rows: list[Row]) -> None:
    table = results_table(rows, GRID)
    assert table.row_count == 3
    report = json.loads(as_json(rows, [DRACO], GRID))
    assert report["settings"]["grid"] == {"forward": 2, "sideways": 3, "instants": 5}
    assert report["settings"]["robots"]["draco3"]["stance"] == recipe_of(DRACO).stance
    first, second, third = report["rows"]
    assert second["cii_range"] == rows[1].range
    assert second["against_first_row"]["range"] == pytest.approx(
        second["cii_range"] / first["cii_range"] - 1.0
    )
    assert third["moves"][0] == {"kg": 2.0, "from": "left_thigh", "to": "left_shank"}
    share = 100.0 * reduction(rows[0], rows[1])
    assert f"DRACO 3, collocated: range of the CII -{share:.1f} %" in sentences(rows)[0]


def test_every_figure_is_drawn(rows: list[Row], tmp_path: Path) -> None:
    paths = draw(rows[:2], tmp_path / "figures")
    assert [path.name for path in paths] == ["distribution.png", "end_points.png", "swing.png"]
    for path in paths:
        assert path.read_bytes().startswith(b"\x89PNG")
