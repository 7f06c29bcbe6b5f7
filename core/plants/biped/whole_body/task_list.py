"""Finds the tasks that a profile lists, checks their settings and builds them."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec

from core.errors import ProfileError
from core.plants.biped.whole_body import tasks
from core.plants.biped.whole_body.task import (
    FootTask,
    Task,
    TaskContext,
    TaskSettings,
    TaskTargets,
)

_FILE = "profile.toml"


def task_names() -> tuple[str, ...]:
    """Return the names of all tasks, which are those of their files."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(tasks.__path__)))


def read_task_settings(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, TaskSettings]:
    """Return the settings of each task, in the order of the profile.

    Raises:
        ProfileError: a task is unknown, or a table has a missing, unknown or wrong value.
    """
    settings: dict[str, TaskSettings] = {}
    known = task_names()
    for name, table in tables.items():
        if name not in known:
            reason = f"no task is called {name!r}; known are: {', '.join(known)}"
            raise ProfileError(_FILE, "biped.tasks", reason)
        try:
            settings[name] = msgspec.convert(table, _module(name).Settings)
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at ")
            where = f"biped.tasks.{name}{path.strip('`$')}"
            raise ProfileError(_FILE, where, f"{reason}; correct it") from error
    return settings


def make_tasks(
    tables: Mapping[str, Mapping[str, Any]], context: TaskContext
) -> tuple[Task[Any], ...]:
    """Return the tasks that add the cost of a tick, in the order of the profile.

    Raises:
        ProfileError: see `read_task_settings`.
    """
    made: list[Task[Any]] = []
    for name, settings in read_task_settings(tables).items():
        task: Task[Any] = _module(name).TASK(settings, context)
        if isinstance(task, FootTask) and made and isinstance(made[-1], _FootByFoot):
            made[-1].tasks.append(task)
        else:
            made.append(_FootByFoot(task) if isinstance(task, FootTask) else task)
    return tuple(made)


class _FootByFoot(Task[TaskSettings]):
    """Consecutive foot tasks."""

    def __init__(self, first: FootTask[Any]) -> None:
        self.tasks = [first]

    def write(self, targets: TaskTargets) -> None:
        """Add the costs of all of them for the left foot, then for the right foot."""
        for side in range(2):
            for task in self.tasks:
                task.write_foot(targets, side)


def _module(name: str) -> Any:
    return import_module(f"{tasks.__name__}.{name}")
