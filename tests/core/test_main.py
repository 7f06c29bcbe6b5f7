"""The composition root: what it builds of a launch, and what it refuses."""

import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from core.__main__ import ROLES, simulated_body
from core.link import topics
from core.link.client import Client
from core.link.server import Server
from core.link.session import free_endpoint
from core.plants.build import build_plant
from core.run.core_process import _awaited_show
from core.run.lifeline import Lifeline
from core.tick.performer import Performer
from devices.errors import DeviceError
from devices.interface import Body, JointCommand, Simulated, Support
from tests.core.rig import launch, profile
from tests.tracked import REPOSITORY

ROBOT = "kid_cosmo"


def run(*arguments: str) -> tuple[int, str, str]:
    """Run `python -m core` and return its exit status and what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=50,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("loop",),
        ("conductor", "--json", "{}"),
        ("loop", "--yaml", "{}"),
        ("loop", "--json", "{}", "more"),
    ],
)
def test_another_command_line_is_answered_with_the_usage(arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert not out
    assert err.count("\n") == 1
    assert err.startswith("usage: python -m core ROLE --json CONFIG")
    assert all(role in err for role in ROLES)


@pytest.mark.parametrize(
    ("role", "text", "words"),
    [
        ("loop", "{", "launch configuration is refused"),
        ("loop", '{"endpoint": "tcp/8.8.8.8:7447"}', "launch configuration is refused"),
        ("scribe", "[]", "launch configuration is refused"),
        (
            "loop",
            '{"endpoint": "tcp/127.0.0.1:7447", "robot": "nobody", "pace": "max"}',
            "no robot is called 'nobody'",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(role: str, text: str, words: str) -> None:
    status, out, err = run(role, "--json", text)
    assert status == 2
    assert not out
    assert words in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_the_body_is_the_one_that_was_asked_for() -> None:
    body = simulated_body(launch(seed=3, slope=5.0, friction=0.4, payload_kg=0.5), profile())
    settings = body.settings
    assert isinstance(body, Simulated)
    as_body: Body = body
    assert as_body is body
    assert settings.joint_names == profile().joint_names
    assert (settings.slope_deg, settings.friction, settings.payload_kg) == (5.0, 0.4, 0.5)
    assert settings.tick_s == profile().tick_s
    assert settings.support is Support.FLOOR
    assert settings.nominal_voltage == 22.2
    np.testing.assert_allclose(settings.stall_torque, profile().actuator_column("stall_torque"))
    np.testing.assert_allclose(settings.no_load_speed, profile().no_load_speed())


@pytest.mark.parametrize(
    ("support", "posture"), [("floor", "crouch"), ("gantry", "crouch"), ("seated", "seat")]
)
def test_the_robot_begins_in_the_posture_of_its_support(support: str, posture: str) -> None:
    body = simulated_body(launch(support=support), profile())
    assert body.settings.support == support
    np.testing.assert_allclose(body.read().q, profile().posture(posture), atol=0.01)


@pytest.mark.parametrize("asked", [None, "shows/evening"])
def test_a_core_that_others_operate_asks_for_its_show_and_waits_for_nobody(
    asked: str | None,
) -> None:
    endpoint = free_endpoint()
    config = launch(autopilot=False, show=asked)
    with Server(endpoint, ROBOT) as server, Client(endpoint, ROBOT, "stagehand") as client:
        inbox = client.subscribe(topics.LOAD)
        time.sleep(0.5)  # until the server knows of it
        lifeline = cast(Lifeline, SimpleNamespace(ended=False))
        performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
        assert _awaited_show(config, performer, server, lifeline) is None
        request = inbox.receive(5.0)
    assert request is not None and request.path == (asked or "")


def samples(**changes: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    body = simulated_body(launch(**changes), profile())
    rows = []
    for _ in range(20):
        body.damp()
        sample = body.read()
        rows.append(np.concatenate([sample.q, sample.dq, sample.gyro, sample.accel]))
    return np.array(rows)


def test_the_seed_alone_makes_the_noise() -> None:
    np.testing.assert_array_equal(samples(seed=4), samples(seed=4))
    assert (samples(seed=4) != samples(seed=5)).any()


def test_friction_is_the_simulators_own_unless_it_is_given() -> None:
    assert simulated_body(launch(), profile()).settings.friction != 0.4


def test_a_closed_body_refuses_commands() -> None:
    body = simulated_body(launch(), profile())
    body.close()
    with pytest.raises(DeviceError):
        body.write(JointCommand.zeros(28))
    body.stop()  # never raises
