"""A profile's number that is wrong by a factor of 1000 is refused."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from core.errors import ProfileError
from core.robot.profile_file import read_profile
from shows.folders import ROBOTS
from tests.core.robot.toml import to_toml

Place: TypeAlias = tuple[str | int, ...]

TABLE: dict[str, Any] = tomllib.loads((ROBOTS / "kid_cosmo" / "profile.toml").read_text("utf-8"))


def numbers(node: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the path of every number but zero, which a factor does not change."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from numbers(value, (*place, key))
    elif isinstance(node, list):
        for row, value in enumerate(node):
            yield from numbers(value, (*place, row))
    elif isinstance(node, int | float) and node:
        yield place


def written(tmp_path: Path, place: Place, factor: float) -> Path:
    """Return the real profile with one number multiplied."""
    table = copy.deepcopy(TABLE)
    node: Any = table
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] *= factor
    path = tmp_path / "profile.toml"
    path.write_text(to_toml(table), encoding="utf-8")
    return path


@pytest.mark.parametrize("place", list(numbers(TABLE)), ids=lambda p: ".".join(map(str, p)))
def test_a_thousand_times_too_large_is_refused_where_it_is(tmp_path: Path, place: Place) -> None:
    with pytest.raises(ProfileError) as caught:
        read_profile(written(tmp_path, place, 1000))
    assert "Expected" in caught.value.reason
    spelt = str(place[0]) + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place[1:])
    assert caught.value.place.partition(" ")[0] == spelt


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_there_is_room_for_tuning(tmp_path: Path, factor: float) -> None:
    table = copy.deepcopy(TABLE)
    for room in ("gait", "balance", "estimator", "constraints", "adaptation", "loads"):
        for place in numbers(table["biped"][room]):
            node: Any = table["biped"][room]
            for key in place[:-1]:
                node = node[key]
            bounded = any(word in str(place[-1]) for word in ("fraction", "share"))
            if not bounded and isinstance(node[place[-1]], float):
                node[place[-1]] *= factor
    path = tmp_path / "profile.toml"
    path.write_text(to_toml(table), encoding="utf-8")
    apex = TABLE["biped"]["gait"]["apex"] * factor
    assert read_profile(path).as_biped.gait.apex == pytest.approx(apex)
