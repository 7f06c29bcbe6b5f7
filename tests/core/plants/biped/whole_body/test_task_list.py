"""A task is one file and one table of the profile; a wrong table is refused."""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.errors import ProfileError
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body import tasks
from core.plants.biped.whole_body.task_list import read_task_settings, task_names
from core.plants.biped.whole_body.whole_body import WholeBody
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats
from tests.core.rig import profile

TOY = '''
"""Pull the first force along x."""

from core.plants.biped.whole_body.task import Task, TaskContext, TaskSettings, TaskTargets


class Settings(TaskSettings, frozen=True):
    pull: float


class Toy(Task[Settings]):
    def __init__(self, settings: Settings, context: TaskContext) -> None:
        self._pull, self._gradient = settings.pull, context.problem.gradient

    def write(self, targets: TaskTargets) -> None:
        self._gradient[0] -= self._pull


TASK = Toy
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Put one more file beside the tasks, and return the task's name."""
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    monkeypatch.setattr(tasks, "__path__", [*tasks.__path__, str(tmp_path)])
    yield "toy"
    sys.modules.pop(f"{tasks.__name__}.toy", None)


def with_task(name: str, table: dict[str, object]) -> Profile:
    """Return the profile with one more task."""
    biped = profile().as_biped
    changed = msgspec.structs.replace(biped, tasks={**biped.tasks, name: table})
    return msgspec.structs.replace(profile(), biped=changed)


def gradient(robot: Profile) -> Floats:
    """Return the gradient of the QP of a robot that stands upright."""
    model, state = RobotModel(robot), State.upright(len(robot.joint_names))
    state.q[:] = robot.posture("rest")
    model.update(state)
    body, upper = (
        WholeBody(robot, model, state, LegReference()),
        np.zeros(len(robot.behaviour_joints)),
    )
    body.solve(upper, upper, upper)
    return body.problem.gradient.copy()


def test_a_file_and_a_table_add_a_task(toy: str) -> None:
    assert toy in task_names()
    difference = gradient(with_task(toy, {"pull": 2.5})) - gradient(profile())
    assert difference[0] == pytest.approx(-2.5)
    assert not difference[1:].any()


@pytest.mark.parametrize(
    ("name", "table", "words"),
    [
        ("levitate", {}, "no task is called 'levitate'; known are: "),
        ("posture", {"kp": 1.0, "kd": 1.0, "weight": 1.0, "ki": 1.0}, "unknown field"),
        ("posture", {"kp": 1.0}, "missing required field"),
        ("com", {"horizontal_weight": -1.0}, "com.horizontal_weight"),
    ],
)
def test_a_wrong_table_is_refused(name: str, table: dict[str, object], words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        read_task_settings({name: table})
    assert words in str(caught.value)
