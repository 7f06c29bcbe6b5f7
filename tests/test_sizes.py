"""Functions have few parameters; the composition roots and the messages are short files."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from tests.tracked import REPOSITORY, tracked_files

ROOMS = ("app", "core", "devices", "shows")
MOST_PARAMETERS = 12
MOST_LINES = 400


def _functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the name of every function with the number of its parameters."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            found = node.args
            several = [part for part in (found.vararg, found.kwarg) if part is not None]
            count = len(found.posonlyargs + found.args + found.kwonlyargs + several)
            yield getattr(node, "name", "lambda"), count


def test_parameters_are_counted() -> None:
    source = "def f(self, a, /, b, *c, d=1, **e): ...\ng = lambda x: x\n"
    assert list(_functions(source)) == [("f", 6), ("lambda", 1)]


def test_no_function_has_more_than_12_parameters() -> None:
    found = [
        f"{path}: {name} has {count}"
        for path in tracked_files()
        if path.parts[0] in ROOMS and path.suffix == ".py"
        for name, count in _functions((REPOSITORY / path).read_text(encoding="utf-8"))
        if count > MOST_PARAMETERS
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "most"),
    # Only core/__main__ may import drivers, twin and simulator; its docstring says so.
    [("app/__main__.py", MOST_LINES), ("core/__main__.py", 600)],
)
def test_a_composition_root_is_short(path: str, most: int) -> None:
    assert _lines(PurePosixPath(path)) < most


def test_the_files_of_the_messages_are_short() -> None:
    found = [path for path in tracked_files() if path.is_relative_to("core/link")]
    assert found and max(map(_lines, found)) < MOST_LINES


def _lines(path: PurePosixPath) -> int:
    return len((REPOSITORY / path).read_text(encoding="utf-8").splitlines())
