"""The launch configuration: survives argv, refuses what is out of bounds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.run.launch import LaunchConfig, LaunchError, PushOrder, WalkOrder

ENDPOINT = "tcp/127.0.0.1:7447"

configs = st.builds(
    LaunchConfig,
    endpoint=st.sampled_from([ENDPOINT, "unixsock-stream//run/footlight.sock"]),
    pace=st.sampled_from(["real", "max"]),
    seed=st.integers(0, 2**53),
    support=st.sampled_from(["seated", "gantry", "floor"]),
    show=st.none() | st.text(max_size=50),
    walk=st.lists(
        st.builds(WalkOrder, vx=st.floats(-2, 2), yaw=st.floats(-3, 3), step=st.booleans()),
        max_size=3,
    ).map(tuple),
    gestures=st.lists(st.sampled_from(["wave", "thumbs_up"])).map(tuple),
    pushes=st.lists(
        st.builds(PushOrder, t=st.floats(0, 100), dur=st.floats(0.01, 1), fy=st.floats(-99, 99)),
        max_size=3,
    ).map(tuple),
    slope=st.floats(-15, 15),
    friction=st.none() | st.floats(0.01, 3),
    payload_kg=st.floats(0, 5),
    stepping=st.booleans(),
    log=st.none() | st.text(max_size=50),
    source=st.sampled_from(
        ["", "vmc", "mvn:9763", "natnet:1@127.0.0.1", "camera:1", "camera:/a b.mp4"]
    ),
)


@given(configs)
def test_it_survives_argv(config: LaunchConfig) -> None:
    assert LaunchConfig.from_json(config.to_json()) == config


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "tcp/0.0.0.0:7447"},
        {"endpoint": "tcp/127.0.0.1:7447/../x"},
        {"robot": "../kid_cosmo"},
        {"body": "robot"},
        {"body": "real"},
        {"body": "real", "autopilot": False, "pace": "max"},
        {"body": "real", "autopilot": False, "payload_kg": 1.0},
        {"pace": "fast"},
        {"seed": -1},
        {"source": "kinect"},
        {"source": "vmc:39539@somebody"},
        {"source": "camera:film.mp4"},
        {"seed": 0.5},
        {"support": "the crane"},
        {"walk": [{"vx": 3.0}]},
        {"walk": [{"vx": 1e999}]},
        {"walk": [{"speed": 1.0}]},
        {"walk": [{"dur": 0.0}]},
        {"pushes": [{"t": 1.0}]},
        {"pushes": [{"t": -1.0, "dur": 0.1}]},
        {"gestures": ["../wave"]},
        {"slope": 90.0},
        {"friction": 0.0},
        {"payload_kg": -1.0},
        {"payload_kg": 5000.0},
        {"plant": {"number": -1, "spread": 1.0}},
        {"plant": {"number": 0, "spread": 11.0}},
        {"stepping": "on"},
        {"hurry": True},
    ],
)
def test_out_of_bounds_is_refused_in_one_sentence(change: dict[str, object]) -> None:
    text = json.dumps({"endpoint": ENDPOINT, **change})
    with pytest.raises(LaunchError, match="launch configuration is refused") as caught:
        LaunchConfig.from_json(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_noise_is_refused(text: str) -> None:
    with pytest.raises(LaunchError):
        LaunchConfig.from_json(text)


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_not_finite_is_refused(token: str) -> None:
    with pytest.raises(LaunchError):
        LaunchConfig.from_json(f'{{"endpoint":"{ENDPOINT}","slope":{token}}}')
    with pytest.raises(ValueError, match="slope is"):
        LaunchConfig(ENDPOINT, slope=float("nan"))
