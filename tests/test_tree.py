"""The tree is the one that CONTRIBUTING.md describes."""

import re
from pathlib import PurePosixPath

import pytest

from tests.tracked import REPOSITORY, tracked_files

ROOMS = ("app", "core", "devices", "shows")
TOP_LEVEL = {
    *ROOMS,
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "assets",
    "packaging",
    "pyproject.toml",
    "tests",
}
LOCAL_LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def test_the_top_level_is_exactly_the_fixed_set() -> None:
    assert {path.parts[0] for path in tracked_files()} == TOP_LEVEL


def test_every_folder_of_code_is_a_package() -> None:
    code = [path for path in tracked_files() if path.parts[0] in ROOMS and path.suffix == ".py"]
    folders = {parent for path in code for parent in path.parents if parent.parts}
    assert folders >= {PurePosixPath(room) for room in ROOMS}
    lacking = sorted(str(f) for f in folders if not (REPOSITORY / f / "__init__.py").is_file())
    assert not lacking, f"these folders hold code and no __init__.py: {lacking}"


def _mirrored_tests() -> list[PurePosixPath]:
    return [
        path
        for path in tracked_files()
        if len(path.parts) > 2
        and path.parts[0] == "tests"
        and path.parts[1] in ROOMS
        and path.name.startswith("test_")
        and path.suffix == ".py"
    ]


@pytest.mark.parametrize("test_file", _mirrored_tests(), ids=str)
def test_a_test_lies_where_its_module_does(test_file: PurePosixPath) -> None:
    folder = REPOSITORY.joinpath(*test_file.parts[1:-1])
    name = test_file.stem.removeprefix("test_").strip("_")
    modules = {path.stem.strip("_") for path in folder.glob("*.py")} - {"init"}
    packages = {path.name for path in folder.glob("*/") if path.is_dir()}
    # test_player.py and test_player_pause.py both test player.py.
    owners = modules | packages | {folder.name}
    assert any(name == owner or name.startswith(f"{owner}_") for owner in owners), (
        f"{test_file} tests no module of {folder.relative_to(REPOSITORY)}"
    )


@pytest.mark.parametrize(
    "document", [p for p in tracked_files() if p.suffix == ".md"], ids=lambda path: str(path)
)
def test_links_between_documents_lead_somewhere(document: PurePosixPath) -> None:
    text = (REPOSITORY / document).read_text(encoding="utf-8")
    targets = LOCAL_LINK.findall(text)
    lost = [t for t in targets if not (REPOSITORY / document.parent / t).exists()]
    assert not lost, f"{document} links to {lost}, which do not exist"
