"""A recipe: the recorded take of a motion, the steps applied to it, and its file."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import msgspec

from shows.files import read_capped, write_atomically
from shows.joints import JointTable
from shows.jsonfile import decode
from shows.motion import Motion
from shows.process.bench import Bench
from shows.process.bounds import SettingError
from shows.process.steps import Find, Step

MAX_RECIPE_BYTES = 16 * 2**20
MAX_STEPS = 200


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a motion is made of a take.

    Attributes:
        take: path of the take, relative to the recipe's folder, with `/` between its parts.
        steps: the steps in order.
        schema: version of the file's format.

    Raises:
        ShowError: the path of the take is absolute, empty or leads out of the folder.
    """

    take: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    steps: Annotated[tuple[Step, ...], msgspec.Meta(max_length=MAX_STEPS)] = ()
    schema: Literal[1] = 1

    def __post_init__(self) -> None:
        """Refuse a path that leads out of the recipe's folder."""
        path = PurePosixPath(self.take)
        unusual = any(char in self.take for char in "\\:\0") or not self.take.isprintable()
        if unusual or path.is_absolute() or not path.parts or ".." in path.parts:
            reason = f"{self.take!r} is not a path inside the recipe's folder"
            raise SettingError("recipe", "take", reason, "give a path such as takes/wave.json")


class _RecipeFile(Recipe, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A recipe whose file must name its schema."""

    schema: Literal[1]


def apply(steps: Sequence[Step], raw: Motion, joints: JointTable, find: Find) -> Motion:
    """Return the motion that steps make of a raw motion.

    Args:
        steps: the steps in order.
        raw: the motion before the first step.
        joints: the robot's joints and limits.
        find: returns the motion of a name, for a layer.

    Raises:
        ShowError: a step does not fit the motion before it; the place names the step.
    """
    return Bench(raw, joints, find).use(steps)


def load_recipe(path: Path, label: str = "") -> Recipe:
    """Return the recipe of a file.

    Args:
        path: the file.
        label: name of the file in errors; by default its own.

    Raises:
        ShowError: with the file, the line and the fault.
    """
    label = label or path.name
    raw = decode(read_capped(path, MAX_RECIPE_BYTES, label), _RecipeFile, label)
    return Recipe(take=raw.take, steps=raw.steps)


def save_recipe(recipe: Recipe, path: Path) -> None:
    """Write a recipe's file atomically.

    Raises:
        ShowError: `load_recipe` would refuse the file, or the disk refused it.
    """
    data = encode_recipe(recipe, path.name)
    write_atomically(path, data)


def encode_recipe(recipe: Recipe, label: str = "recipe") -> bytes:
    """Return a recipe as the text of its file.

    Args:
        recipe: the recipe.
        label: name of the file in errors.

    Raises:
        ShowError: reading would refuse the text.
    """
    head = {"schema": recipe.schema, "take": recipe.take, "steps": recipe.steps}
    data = msgspec.json.format(msgspec.json.encode(head), indent=1) + b"\n"
    decode(data, _RecipeFile, label)
    return data
