"""A robot's `body.toml`: its checks, and Kid Cosmo's bumpers as in the paper, Table IV."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from devices.errors import DeviceError
from devices.sim.description import BodyDescription, Shape, load_description
from devices.sim.world import build_world
from tests.devices.sim import rig

BUMPERS = rig.DESCRIPTION.bumpers
PLAIN = "schema = 1\nidle_w = 5.0\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("schema = 1\n", "idle_w"),
        (PLAIN + "colour = 3\n", "colour"),
        (PLAIN + "[noise]\nvelocity = nan\n", "noise.velocity"),
        (PLAIN + "[noise]\nvelocity = -1.0\n", "noise.velocity"),
        (PLAIN + "[noise]\ncontact_on = 5.0\n", "noise.contact_off"),
        (
            PLAIN + 'shapes = [{body = "b", start = [0, 0]}]',
            "shapes",
        ),
        (PLAIN + "shapes = [\n", "TOML"),
        ("schema = 2\nidle_w = 5.0\n", "schema"),
        ("#" * 1_000_001, "1 MB"),
    ],
)
def test_a_faulty_description_is_refused_in_one_sentence(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "body.toml"
    path.write_text(text)
    with pytest.raises(DeviceError, match=words) as refusal:
        load_description(path)
    assert refusal.value.device == "body.toml"
    assert "\n" not in str(refusal.value)


def test_a_missing_description_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no such file"):
        load_description(tmp_path / "body.toml")


def test_a_plain_body_has_exact_sensors_and_nobody_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "body.toml"
    path.write_text(PLAIN)
    assert load_description(path) == BodyDescription(schema=1, idle_w=5.0)
    assert load_description(path).handlers is None


def test_a_mirrored_shape_is_followed_by_its_image() -> None:
    shape = Shape(
        body="left", mirrored_to="right", start=(1.0, 2.0, 3.0), end=(4.0, 5.0, 6.0), radius=0.1
    )
    image = Shape(body="right", start=(1.0, -2.0, 3.0), end=(4.0, -5.0, 6.0), radius=0.1)
    described = BodyDescription(schema=1, idle_w=5.0, shapes=(shape,))
    assert described.every_shape == (shape, image)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("depth_mm", [1.75, 3.5])
def test_the_bumper_yields_as_table_iv_says(side: str, depth_mm: float) -> None:
    settings = rig.settings()
    world = build_world(settings)
    data = mujoco.MjData(world.model)
    bumper = next(i for i, b in enumerate(BUMPERS) if side in b.other_body)
    joint = world.model.joint(f"{side}_hip_pitch")

    def shorten(angle: float) -> float:
        data.qpos[joint.qposadr[0]] = angle
        mujoco.mj_forward(world.model, data)
        return BUMPERS[bumper].gap - float(data.ten_length[bumper])

    outer, inner = np.radians(-100.0), np.radians(-125.0)
    for _ in range(60):
        middle = 0.5 * (outer + inner)
        outer, inner = (outer, middle) if shorten(middle) > depth_mm / 1e3 else (middle, inner)
    arm = float(data.ten_J.reshape(-1)[_moment_arm(world.model, data, bumper, joint.dofadr[0])])
    force = data.qfrc_passive[joint.dofadr[0]] / arm
    assert force / depth_mm == pytest.approx(5.774, rel=1e-3)


def _moment_arm(model: mujoco.MjModel, data: mujoco.MjData, tendon: int, dof: int) -> int:
    row = int(model.ten_J_rowadr[tendon])
    columns: list[int] = model.ten_J_colind[row : row + model.ten_J_rownnz[tendon]].tolist()
    return row + columns.index(dof)


def test_the_thigh_is_free_up_to_a_hundred_degrees_of_flexion() -> None:
    world = build_world(rig.settings())
    data = mujoco.MjData(world.model)
    for degrees, touches in ((-99.0, False), (-90.0, False), (0.0, False), (-102.0, True)):
        data.qpos[world.model.joint("left_hip_pitch").qposadr[0]] = np.radians(degrees)
        mujoco.mj_forward(world.model, data)
        assert bool(np.abs(data.qfrc_passive).max() > 1e-9) is touches
