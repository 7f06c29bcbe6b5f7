"""Where experiments are made: robots of one seed, on estimated or on true state, or a twin."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pinocchio as pin

from core.__main__ import simulated_body, wired_body
from core.errors import CoreError, ProfileError
from core.lab.rehearsal import Rehearsed, rehearse
from core.lab.script import Woken
from core.link.wording import text
from core.plants.biped.model import RobotModel
from core.robot.folders import PROFILE, default_robot
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from core.robot.state import State
from core.run.autopilot import Autopilot
from core.run.launch import LaunchConfig, PlantOrder
from core.run.processes import ROLES, TWIN, Supervisor
from core.stage.flatten import prepare
from core.stage.prepared import PreparedShow, is_pose
from core.stage.stagehand import get_ready
from core.tick.performer import Performer
from devices.errors import DeviceError
from devices.interface import Body, Floats, Support
from shows.storage import load_show

ENDPOINT = "tcp/127.0.0.1:1"  # no process listens there
ENDING_S = 2.0  # that a process which has failed may take to end
SOFT_SOLREF = (0.03, 1.0)
SOFT_SOLIMP = (0.7, 0.9, 0.005, 0.5, 2.0)


def _cause(done: Rehearsed) -> str:
    """Return how a run ended, with the core's last statement about it."""
    told = [text(event) for event in done.listener.events if event.severity != "info"]
    reason = text(done.report.reason)
    return f"{reason}: {told[-1]}" if told else reason


def _fate(supervisor: Supervisor) -> str:
    """Return why a twin is of no use any more; it may still be about to end."""
    deadline_s = time.monotonic() + ENDING_S
    while supervisor.ended() is None and time.monotonic() < deadline_s:
        time.sleep(0.02)
    return supervisor.end().reason


class Laboratory:
    """One robot's experiments.

    Args:
        true_state: feed the truth to the control instead of an estimate.
        robot: name of its profile; empty takes the default robot.
        on_twin: the robot is a twin's, with the real drivers on its lines.
        plant: the robot that is drawn around the model; None for the model itself.

    Attributes:
        profile: the robot's, as it is tuned.
        true_state: as given.
        on_twin: as given.
        plant: as given.
        notes: why runs ended early.
    """

    def __init__(
        self,
        true_state: bool = False,
        robot: str = "",
        on_twin: bool = False,
        plant: PlantOrder | None = None,
    ) -> None:
        self.profile = load_profile(robot or default_robot())
        self.true_state = true_state
        self.on_twin = on_twin
        self.plant = plant
        self.notes: list[str] = []

    @cached_property
    def gestures(self) -> PreparedShow:
        """Every gesture of the library, ready to play, without the poses of hands."""
        ready = get_ready("", self.profile)
        clips = {name: clip for name, clip in ready.clips.items() if not is_pose(name)}
        return replace(ready, clips=clips)

    @cached_property
    def sample_show(self) -> PreparedShow:
        """The robot's sample show, ready to play.

        Raises:
            ProfileError: it has none.
        """
        show = self.profile.sample_show
        if show is None:
            raise ProfileError(PROFILE, "show", f"{self.profile.name} has no sample show")
        table = joint_table(self.profile)
        return prepare(load_show(show, table), table)

    @cached_property
    def model(self) -> RobotModel:
        """A model to compute from records with."""
        return RobotModel(self.profile)

    def body(
        self,
        seed: int,
        bumps_m: float = 0.0,
        soft: bool = False,
        stiction: bool = False,
        **room: Any,
    ) -> Any:
        """Return a new simulated robot.

        Args:
            seed: of noise, and of where bumps lie.
            bumps_m: height of the bumps on the floor [m].
            soft: the floor yields by about 5 mm under the standing robot.
            stiction: dry friction holds joints at rest, instead of creeping.
            room: slope, friction and payload_kg, as in a launch.

        Raises:
            CoreError: robots here are twins, which have no doors for what an experiment does with
                a simulated one.
        """
        if self.on_twin:
            raise CoreError("this experiment needs the simulator itself; leave the twin out")
        config = LaunchConfig(endpoint=ENDPOINT, pace="max", seed=seed, plant=self.plant, **room)
        body = simulated_body(config, self.profile)
        if bumps_m > 0.0:
            settings = replace(body.settings, bump_height_m=bumps_m, bump_seed=seed)
            body = type(body)(settings, seed)
        if stiction:
            body = type(body)(replace(body.settings, stiction=True), seed)
        if soft:
            soles = list(body.world.contact_geoms)
            body.model.geom_solref[soles] = SOFT_SOLREF
            body.model.geom_solimp[soles] = SOFT_SOLIMP
        return body

    def run(
        self,
        seed: int,
        operator: Autopilot,
        *,
        body: Any = None,
        profile: Profile | None = None,
        stepping: bool = True,
        gestures: bool = False,
        show: PreparedShow | None = None,
        keep: bool = True,
        thin: int = 1,
        watch: Callable[[Performer], None] | None = None,
        may_fall: bool = False,
    ) -> Rehearsed:
        """Run an operator to its end.

        Args:
            seed: of noise and idle life.
            operator: operates the robot; a script, most often.
            body: the robot; None for one on a level floor.
            profile: another tuning than the robot's.
            stepping: False balances standing and never steps.
            gestures: the library's gestures are available.
            show: the show that is loaded instead of them.
            keep: keep the record and the statuses.
            thin: of the record, keep one tick in so many.
            watch: called before every tick.
            may_fall: a fall is expected, and needs no note.
        """
        woken = Woken(operator) if self.on_twin else operator
        with self._robot(seed, body) as robot:
            done = rehearse(
                self.profile if profile is None else profile,
                robot,
                woken,
                Support.FLOOR,
                seed,
                self.gestures if gestures else show,
                stepping,
                keep,
                thin,
                self.true_state,
                watch,
            )
        if isinstance(woken, Woken):
            done.rows["t"] -= woken.late_s
        if done.failed and not may_fall:
            self.notes.append(_cause(done))
        return done

    @contextmanager
    def _robot(self, seed: int, body: Any) -> Iterator[Body]:
        """Give a body, or else a new one: simulated, or a twin's with the twin in its process."""
        if body is not None or not self.on_twin:
            yield self.body(seed) if body is None else body
            return
        config = LaunchConfig(endpoint=ENDPOINT, body=TWIN, pace="max", seed=seed, plant=self.plant)
        roles = [role for role in ROLES if role.name == TWIN]
        with Supervisor(config, roles) as supervisor:
            wired, _ = wired_body(supervisor.config, self.profile)
            try:
                yield wired
            except DeviceError as error:
                raise CoreError(f"{error} ({_fate(supervisor)})") from error

    def soles(self, row: npt.NDArray[np.void]) -> Floats:
        """Return the true positions of both soles at one tick of a record (2, 3) [m]."""
        state = State.upright(len(self.profile.joint_names))
        state.q[:] = row["q_true"]
        state.position_base_in_world[:] = row["base_position_true"]
        rpy = np.asarray(row["rpy_true"], dtype=np.float64)
        state.rotation_base_to_world[:] = pin.rpy.rpyToMatrix(rpy)
        self.model.update(state)
        return self.model.soles.copy()
