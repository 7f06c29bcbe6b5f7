"""Naming, renaming and deleting the show's poses: the result, or why it is refused."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from app.console.gestures.edits import MAX_TITLE, EditRefused, name_of
from shows.pose import Pose

UNTITLED = "Pose"


def free_title(title: str, poses: Mapping[str, Pose]) -> str:
    """Return a title that no pose has: "Hero" becomes "Hero 2"."""
    stem = re.sub(r" \d{1,4}$", "", title.strip()[: MAX_TITLE - 6]) or UNTITLED
    found, number = title.strip()[:MAX_TITLE] or f"{UNTITLED} 1", 1
    while name_of(found) in poses:
        number += 1
        found = f"{stem} {number}"
    return found


def named(title: str, taken: Container[str]) -> str:
    """Return the name that a title gives.

    Raises:
        EditRefused: it gives none, or one that another pose has.
    """
    name = name_of(title)
    if not name:
        raise EditRefused(f"{title!r} has no letter from a to z; choose another name")
    if name in taken:
        raise EditRefused(f"there is a pose {title!r} already; choose another name")
    return name


def renamed(poses: Mapping[str, Pose], name: str, title: str) -> tuple[str, dict[str, Pose]]:
    """Return the new name of a pose, and the poses with it.

    Raises:
        EditRefused: see `named`.
    """
    title = title.strip()[:MAX_TITLE]
    fresh = named(title, poses.keys() - {name})
    after = {other: pose for other, pose in poses.items() if other != name}
    after[fresh] = replace(poses[name], name=fresh, title=title)
    return fresh, after


def without(poses: Mapping[str, Pose], names: Sequence[str]) -> dict[str, Pose]:
    """Return the poses without some."""
    return {name: pose for name, pose in poses.items() if name not in names}
