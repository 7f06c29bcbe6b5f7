"""A fallen simulated robot is put back on its feet by one command; a real one is not."""

import numpy as np

from core.__main__ import simulated_body
from core.link import commands as m
from core.link.catalogue import refusals as why
from core.link.commands import Command
from core.link.statement import Sentence, Value
from core.plants.build import build_plant
from core.record.tape import Tape
from core.report.telemetry import Telemetry
from core.run.put_back import PATIENCE_S
from core.safety.modes import Mode
from core.tick.loop import Loop
from core.tick.performer import Performer
from devices.interface import Body, Floats, Support
from devices.sim.body import SimulatedBody
from tests.core.rig import StatueBody, launch, profile
from tests.core.stage.cues import cue, show
from tests.core.tick.test_loop import Port

FALL_S, RISE_S = 4.0, 6.0


class Stage:
    """A loop over a body, with an operator."""

    def __init__(self, body: Body) -> None:
        self.body, self.port = body, Port()
        self.performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
        dtype = Telemetry.dtype(self.performer, isinstance(body, SimulatedBody))
        self.loop = Loop(body, self.performer, self.port, Tape(dtype, lambda block: None))
        self.loop.load(show(cue("1"), cue("2")))

    def ask(self, *commands: Command, wait_s: float = 0.05) -> Mode:
        """Send commands and return the mode after some time."""
        self.port.ask(*commands)
        for _ in range(round(wait_s / profile().tick_s)):
            self.loop.tick()
        return self.performer.mode

    def until(self, mode: Mode, most_s: float = RISE_S) -> bool:
        """Tell whether a mode comes within some time."""
        return any(self.ask() is mode for _ in range(round(most_s / 0.05)))

    def stand(self) -> None:
        self.ask(wait_s=0.2)
        self.ask(m.StandUp())
        assert self.until(Mode.READY)

    def refused(self, command: str, reason: Sentence, **fields: Value) -> bool:
        return self.port.said(why.REFUSED, command=command, reason=reason(**fields))


def fallen() -> tuple[Stage, SimulatedBody]:
    """Return a rehearsal whose operator has stopped the standing robot, so that it fell."""
    body = simulated_body(launch(), profile())
    stage = Stage(body)
    stage.stand()
    stage.ask(m.GoTo("2"))
    body.push(np.array((60.0, 0.0, 0.0)), 0.3)
    assert stage.ask(m.Stop(), wait_s=FALL_S) is Mode.FAULT
    assert tilt(body) > 1.0
    return stage, body


def tilt(body: SimulatedBody) -> float:
    rpy: Floats = body.truth().base_rpy
    return float(np.abs(rpy[:2]).max())


def test_one_command_sets_a_fallen_robot_on_its_feet_and_the_show_stays() -> None:
    stage, body = fallen()
    # Neither step of the way back is for a robot that lies.
    stage.ask(m.Reset())
    assert stage.refused("reset", why.LIES)
    stage.ask(m.PutBack())
    assert stage.until(Mode.READY)
    assert tilt(body) < 0.1 and np.abs(body.truth().base_position[:2]).max() < 0.1
    state = stage.performer.plant.state
    assert np.abs(state.position_base_in_world - body.truth().base_position).max() < 0.03
    assert stage.performer.player.standby == "2"
    assert stage.ask(m.Go(), wait_s=0.5) is Mode.PERFORM
    assert stage.performer.player.running == ("2",)


def test_a_stop_ends_the_way_back() -> None:
    stage, body = fallen()
    stage.ask(m.PutBack(), wait_s=0.3)
    assert tilt(body) < 0.1
    assert stage.ask(m.Stop(), wait_s=3.0) is Mode.FAULT
    stage.ask(m.PutBack(), wait_s=0.3)
    assert stage.until(Mode.READY)  # and it may be asked for again


def test_an_open_chain_is_named_and_nothing_rises() -> None:
    stage, body = fallen()
    body.open_estop()
    assert stage.ask(m.PutBack(), wait_s=PATIENCE_S + 0.2) is Mode.ESTOP
    assert stage.refused("put_back", why.CHAIN_OPEN)
    body.close_estop()
    assert stage.ask(wait_s=2.0) is Mode.ESTOP


def test_a_driven_robot_and_a_real_one_are_not_put_back() -> None:
    body = simulated_body(launch(), profile())
    stage = Stage(body)
    stage.stand()
    place = body.truth().base_position.copy()
    assert stage.ask(m.PutBack()) is Mode.READY
    assert stage.refused("put_back", why.LIMP_FIRST, mode="READY")
    assert np.abs(body.truth().base_position - place).max() < 0.01
    real = Stage(StatueBody())
    real.ask(m.Stop())
    assert real.ask(m.PutBack(), wait_s=3.0) is Mode.FAULT
    assert real.refused("put_back", why.ONLY_SIMULATED)
