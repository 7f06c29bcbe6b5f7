"""The code names no joint, limb or link of a robot: these names come from the robot's folder."""

import ast
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from shows.human import BONES
from tests.tracked import REPOSITORY, tracked_files

ROBOTS = REPOSITORY / "assets" / "robots"
# Names of a robot's parts that are words of the code's own vocabulary too.
ALLOWED = {
    "head": "a kind of limb, and a track of a show",
    "torso": "a kind of limb",
    "base": "the floating base of the equations of motion, and the base frame",
}

# The skeleton of a person has bones of the same names: it is no robot's.
PEOPLE = re.compile(
    r"(shows/(human|bvh\w*)|devices/capture/(wire/)?\w+|core/(partner/\w+|lab/measure/person))\.py"
)

BONE_NAMES = set(BONES)


def _names(folder: Path) -> set[str]:
    """Return the names of a robot's joints, limbs and links."""
    profile = tomllib.loads((folder / "profile.toml").read_text(encoding="utf-8"))
    found = {limb["name"] for limb in profile["limbs"]}
    table = profile["joints"]
    found |= {row[table["columns"].index("name")] for row in table["rows"]}
    for model in folder.glob("*.xml"):
        root = ET.parse(model).getroot()
        parts = [part for tag in ("body", "joint") for part in root.iter(tag)]
        found |= {part.attrib["name"] for part in parts if "name" in part.attrib}
    return found


def _robots() -> list[Path]:
    return sorted(path.parent for path in ROBOTS.glob("*/profile.toml"))


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every string literal but the docstrings, with its line."""
    for child in ast.iter_child_nodes(node):
        if _is_docstring(child):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.lineno, child.value
        yield from _literals(child)


def _named(literal: str, names: set[str]) -> list[str]:
    """Return the names in a literal: as a word, or as the whole of it without an underscore."""
    words = set(re.findall(r"\w+", literal))
    return sorted(name for name in names if literal == name or ("_" in name and name in words))


def test_every_robot_has_names() -> None:
    robots = _robots()
    assert robots and all(len(_names(folder)) >= 2 for folder in robots)


def test_a_name_is_found() -> None:
    source = '"""left_arm"""\nlimb = f"of left_arm {1}"\nlink = "neck"\ntext = "the neck"\n'
    found = [(line, _named(text, {"left_arm", "neck"})) for line, text in _literals_of(source)]
    assert [(line, names) for line, names in found if names] == [(2, ["left_arm"]), (3, ["neck"])]


def _literals_of(source: str) -> Iterator[tuple[int, str]]:
    return _literals(ast.parse(source))


@pytest.mark.parametrize("room", ["app", "core", "devices", "shows"])
def test_no_code_names_a_part_of_a_robot(room: str) -> None:
    names = set().union(*map(_names, _robots())) - ALLOWED.keys()
    found = [
        f"{path}, line {line}: {', '.join(named)}"
        for path in tracked_files()
        if path.parts[0] == room and path.suffix == ".py"
        for line, text in _literals_of((REPOSITORY / path).read_text(encoding="utf-8"))
        if (named := _named(text, names - BONE_NAMES if PEOPLE.fullmatch(str(path)) else names))
    ]
    assert not found, "\n".join(found)
