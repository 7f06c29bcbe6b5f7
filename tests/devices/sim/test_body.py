"""A simulated robot obeys physics, its interface and its seed."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from devices.errors import DeviceError
from devices.interface import Body, Floats, JointCommand, Simulated, StopChannel
from devices.sim.body import SimulatedBody
from tests.devices.sim import rig

ALONE = None  # no handlers
DT = 0.001


def _airborne(**changes: Any) -> SimulatedBody:
    """Return a robot a metre above the floor, without people."""
    robot = rig.body(handlers=ALONE, **changes)
    robot.place(position=robot.world.initial_qpos[:3] + [0.0, 0.0, 1.0])
    return robot


def test_it_is_a_simulated_body() -> None:
    robot: Body = rig.body()
    assert isinstance(robot, Simulated)


def _record(seed: int, ticks: int) -> list[bytes]:
    robot = rig.body(seed=seed, bump_height_m=0.01)
    command = rig.hold(rig.posture(rig.CROUCH))
    seen = []
    for tick in range(ticks):
        if tick == 50:
            robot.push(np.array([40.0, 10.0, 0.0]), 0.1)
        command.tau[8] = np.sin(tick / 20.0)
        robot.write(command)
        sample, truth = robot.read(), robot.truth()
        arrays = (sample.q, sample.dq, sample.tau, sample.gyro, sample.accel, sample.contacts)
        true_arrays = (truth.q, truth.com, truth.contact_force, truth.tau_applied)
        seen.append(b"".join(array.tobytes() for array in (*arrays, *true_arrays)))
    return seen


def test_equal_seeds_give_equal_bits() -> None:
    first = _record(7, 1500)
    assert first == _record(7, 1500)
    assert first[0] != _record(8, 1)[0]


def test_a_sample_is_exactly_one_tick_old() -> None:
    robot = rig.body(noise=rig.QUIET, handlers=ALONE)
    command = rig.hold(rig.posture({}))
    for tick in range(30):
        q_before, dq_before = _joints(robot)
        base_before, velocity_before = robot.data.qpos[:3].copy(), robot.data.qvel[:3].copy()
        robot.write(command)
        sample, truth = robot.read(), robot.truth()
        assert sample.stamp_s == pytest.approx(tick * DT)
        assert robot.clock.now_s() == pytest.approx((tick + 1) * DT)
        assert sample.q == pytest.approx(q_before, abs=1e-8)
        assert np.array_equal(sample.dq, dq_before)
        assert np.array_equal(truth.q, q_before)
        assert np.array_equal(truth.base_position, base_before)
        assert np.array_equal(truth.base_velocity, velocity_before)
        assert (sample.joint_age_s == DT).all()
        assert sample.imu_age_s == DT
        assert (sample.contact_age_s == DT).all()
    assert np.abs(_joints(robot)[0] - q_before).max() > 1e-6


def _joints(robot: SimulatedBody) -> tuple[Floats, Floats]:
    world, data = robot.world, robot.data
    return data.qpos[world.q_address].copy(), data.qvel[world.v_address].copy()


def test_it_can_be_read_before_it_moved() -> None:
    sample = rig.body().read()
    assert sample.stamp_s == 0.0
    assert sample.q == pytest.approx(rig.posture(rig.CROUCH), abs=1e-4)
    assert sample.battery_v > 20.0
    assert sample.estop_closed


def test_a_command_that_is_not_finite_stops_nothing_but_itself() -> None:
    robot = rig.body()
    command = rig.hold(rig.posture(rig.CROUCH))
    command.tau[3] = np.nan
    with pytest.raises(DeviceError, match="left_shoulder_roll"):
        robot.write(command)
    assert robot.clock.now_s() == 0.0
    robot.stop()
    assert robot.clock.now_s() == DT
    assert np.isfinite(robot.data.qpos).all()


def test_a_diverged_simulation_is_an_error_and_not_a_new_start() -> None:
    robot = rig.body()
    robot.push(np.array([1e12, 0.0, 0.0]), 1.0)
    with pytest.raises(DeviceError, match="diverged"):
        for _ in range(5):
            robot.write(rig.hold(rig.posture(rig.CROUCH)))
    robot.stop()
    with pytest.raises(DeviceError, match="closed"):
        robot.write(rig.hold(rig.posture(rig.CROUCH)))


def test_a_robot_that_is_put_back_is_as_at_the_start_but_for_its_clock() -> None:
    robot, new = rig.body(), rig.body()
    command = rig.hold(rig.posture(rig.CROUCH))
    robot.push(np.array([300.0, 0.0, 0.0]), 10.0)
    for _ in range(1300):
        robot.write(command)
    assert robot.handlers_grip == 0.0
    stamp_s = robot.read().stamp_s
    robot.put_back()
    assert robot.handlers_grip == 1.0
    assert robot.data.qpos.tolist() == new.data.qpos.tolist()
    assert not robot.data.qvel.any()
    assert robot.read().stamp_s == stamp_s
    for _ in range(300):  # the push is over, and the people hold it
        robot.damp()
        new.damp()
    assert np.abs(robot.data.qpos - new.data.qpos).max() < 1e-6
    assert robot.clock.now_s() == pytest.approx(1.6)


def test_a_closed_body_only_stops() -> None:
    robot = rig.body()
    robot.close()
    robot.stop()
    assert robot.clock.now_s() == 0.0
    with pytest.raises(DeviceError, match="closed"):
        robot.damp()


def test_in_free_fall_it_obeys_gravity_and_feels_none() -> None:
    robot = _airborne(noise=rig.QUIET)
    start = robot.truth().com[2]
    for tick in range(300):
        robot.stop()
        if tick == 0:
            start = robot.truth().com[2]
    truth = robot.truth()
    assert truth.com_velocity[2] == pytest.approx(-9.81 * 0.299, rel=1e-3)
    assert truth.com[2] - start == pytest.approx(-0.5 * 9.81 * 0.299**2, rel=0.01)
    assert np.linalg.norm(robot.read().accel) < 2.0  # it hangs loose, so the torso turns a little
    assert not truth.contact_force.any()
    assert not truth.contacts.any()


def test_a_fallen_robot_rests_on_the_floor_and_never_gained_energy() -> None:
    robot = rig.body(handlers=ALONE)
    robot.place(quaternion=np.array([1.0, 0.0, 0.2, 0.0]))
    energies = []
    for tick in range(4000):
        robot.stop()
        if tick % 20 == 0:
            mujoco.mj_energyPos(robot.model, robot.data)
            mujoco.mj_energyVel(robot.model, robot.data)
            energies.append(float(robot.data.energy.sum()))
    assert np.diff(energies).max() < 0.5
    assert energies[-1] < energies[0] - 40.0
    truth = robot.truth()
    assert np.linalg.norm(truth.base_velocity) < 0.05
    assert 0.04 < truth.base_position[2] < 0.45
    lowest = min(float(c.dist) for c in robot.data.contact)
    assert lowest > -0.01


def test_the_floor_carries_a_held_robots_weight() -> None:
    robot = rig.body(noise=rig.QUIET)
    straight = rig.hold(rig.posture(rig.CROUCH), 400.0)
    for _ in range(800):
        robot.write(straight)
    truth, sample = robot.truth(), robot.read()
    assert truth.contacts.all()
    assert sample.contacts.all()
    assert (truth.contact_force[..., 2] > 15.0).all()
    share = truth.contact_force[..., 2].sum() / (25.0 * 9.81)
    assert 0.5 < share < 1.1
    assert sample.accel == pytest.approx([0.0, 0.0, 9.81], abs=0.6)


def test_a_push_changes_momentum_by_force_times_time() -> None:
    force = np.array([60.0, -30.0, 20.0])
    robots = _airborne(), _airborne()
    robots[0].push(force, 0.02)
    seen = []
    for tick in range(50):
        for robot in robots:
            robot.stop()
        seen.append(robots[0].truth().external_force.copy())
        assert seen[-1] == pytest.approx(force if tick < 20 else np.zeros(3))
    mass = robots[0].model.body("torso").subtreemass[0]
    gained = robots[0].truth().com_velocity - robots[1].truth().com_velocity
    assert mass * gained == pytest.approx(force * 0.02, rel=2e-3, abs=2e-3)


def test_a_push_replaces_the_last_by_the_same_hand_and_adds_to_others() -> None:
    robot = rig.body()

    def felt() -> float:
        robot.damp()
        robot.read()
        return float(robot.truth().external_force[0])

    def push(newtons: float, hand: str = "", duration_s: float = 0.01) -> None:
        robot.push(np.array([newtons, 0.0, 0.0]), duration_s, hand)

    for newtons in (5.0, 6.0, 7.0):
        push(newtons, "one", 1.0)
        assert felt() == newtons
    push(10.0, "two")
    assert felt() == 17.0
    push(0.5)
    push(0.25)
    assert felt() == 17.75
    for _ in range(20):
        left = felt()
    assert left == 7.0
    push(0.0, "one", 0.0)  # lets go
    assert [felt(), felt()] == [0.0, 0.0]


def test_any_body_can_be_pushed_and_no_other() -> None:
    robot = _airborne()
    robot.push_body("left_hand", np.array([5.0, 0.0, 0.0]), 0.05)
    robot.push(np.array([1.0, 0.0, 0.0]), 0.05)
    robot.stop()
    assert robot.truth().external_force == pytest.approx([6.0, 0.0, 0.0])
    with pytest.raises(DeviceError, match="third_hand"):
        robot.push_body("third_hand", np.array([5.0, 0.0, 0.0]), 0.05)


@pytest.mark.parametrize(
    ("force", "duration"),
    [([np.nan, 0, 0], 0.1), ([1.0, 0.0], 0.1), ([1, 0, 0], np.inf), ([1, 0, 0], -1.0)],
)
def test_a_push_that_is_not_finite_is_refused(force: list[float], duration: float) -> None:
    with pytest.raises(DeviceError, match="push"):
        rig.body().push(np.array(force), duration)


def test_a_gantry_holds_a_limp_robot() -> None:
    robot = rig.body(support="gantry", handlers=ALONE)
    top = robot.world.initial_qpos[2]
    for _ in range(3000):
        robot.stop()
    truth = robot.truth()
    assert top - 0.16 < truth.base_position[2] < top - 0.02
    assert abs(truth.base_rpy[0]) < 0.5
    assert truth.contact_force[..., 2].sum() < 0.7 * 25.0 * 9.81


def test_a_gantry_is_rolled_along() -> None:
    robot = rig.body(support="gantry", handlers=ALONE)
    robot.place(position=robot.world.initial_qpos[:3] + [0.5, 0.0, 0.0])
    for _ in range(500):
        robot.damp()
    assert 0.1 < robot.data.mocap_pos[0][0] < 0.5


def test_a_seated_robot_stays_on_its_stool() -> None:
    robot = rig.body(rig.SEAT, support="seated")
    command = rig.hold(rig.posture(rig.SEAT))
    command.kp[list(rig.LEGS)] = 0.0
    command.q[5] = -1.5
    robot.push(np.array([40.0, 20.0, 0.0]), 0.5)
    for _ in range(2000):
        robot.write(command)
    truth = robot.truth()
    assert np.abs(truth.base_position - robot.world.initial_qpos[:3]).max() < 0.01
    assert np.abs(truth.base_rpy).max() < 0.02
    assert truth.q[5] == pytest.approx(-1.5, abs=0.1)


def test_an_open_estop_chain_leaves_only_damping() -> None:
    robot = rig.body(noise=rig.QUIET)
    robot.open_estop()
    command = rig.hold(rig.posture({}), 500.0)
    for _ in range(5):
        robot.write(command)
    sample = robot.read()
    slope = np.divide(robot.settings.stall_torque, robot.settings.no_load_speed)
    assert sample.tau == pytest.approx(-slope * sample.dq)
    assert not sample.estop_closed
    assert robot.stop_channels() == (StopChannel("E-stop chain", False),)
    robot.close_estop()
    for _ in range(5):
        robot.write(command)
    assert np.abs(robot.read().tau).max() > 5.0
    assert robot.read().estop_closed
    assert robot.stop_channels() == (StopChannel("E-stop chain", True),)
    assert robot.troubles() == ()


def test_a_foot_slips_for_as_long_as_asked() -> None:
    robot = rig.body()
    left = list(robot.world.contact_geoms[:2])
    robot.slip_contact(0, 0.01)
    friction = []
    for _ in range(12):
        robot.damp()
        friction.append(float(robot.model.geom_friction[left, 0].max()))
    assert friction[:9] == [0.05] * 9
    assert friction[-2:] == [0.8] * 2
    assert (robot.model.geom_friction[list(robot.world.contact_geoms[2:]), 0] == 0.8).all()
    with pytest.raises(DeviceError, match="contact 2"):
        robot.slip_contact(2, 1.0)


@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_friction_is_the_settings(friction: float) -> None:
    """A braked robot on a pushed foot slides only above the friction's force."""
    robot = rig.body(friction=friction, handlers=ALONE)
    for _ in range(300):
        robot.write(rig.hold(rig.posture(rig.CROUCH), 400.0))
        force = robot.truth().contact_force
        assert (np.hypot(force[:, 0], force[:, 1]) <= friction * force[:, 2] + 1e-6).all()


def test_no_sensor_ever_gives_nan() -> None:
    robot = rig.body(handlers=ALONE, bump_height_m=0.01, slope_deg=3.0, payload_kg=0.5)
    robot.push_body("head", np.array([80.0, 40.0, 0.0]), 0.2)
    command = rig.hold(rig.posture(rig.CROUCH))
    for tick in range(1500):
        if tick < 500:
            robot.write(command)
        elif tick < 1000:
            robot.damp()
        else:
            robot.stop()
        sample = robot.read()
        for name in ("q", "dq", "tau", "winding_c", "joint_age_s", "gyro", "accel"):
            assert np.isfinite(getattr(sample, name)).all(), name
        assert np.isfinite([sample.battery_v, sample.battery_a, sample.battery_charge]).all()


def test_the_momentum_changes_by_the_impulse_of_the_ground() -> None:
    robot = rig.body(handlers=ALONE, ground_springs=())
    robot.place(position=robot.world.initial_qpos[:3] + [0.0, 0.0, 0.03])
    command = rig.hold(rig.posture(rig.CROUCH), 400.0)
    mass = robot.model.body("torso").subtreemass[0]
    impulse = np.zeros(3)
    robot.write(command)
    before = robot.truth().com_velocity.copy()
    for _ in range(250):
        impulse += robot.truth().contact_force.sum(axis=0) * DT
        impulse[2] -= mass * 9.81 * DT
        robot.write(command)
    assert robot.read().contacts.any()
    assert mass * (robot.truth().com_velocity - before) == pytest.approx(impulse, abs=0.05)


def test_the_gyro_turns_with_the_torso() -> None:
    robot = _airborne(noise=rig.QUIET)
    robot.place(
        quaternion=np.array([0.9, 0.1, -0.3, 0.4]),
        velocity=np.array([0.0, 0.0, 0.0, 0.5, -0.4, 0.3]),
    )
    robot.damp()
    assert robot.read().gyro == pytest.approx([0.5, -0.4, 0.3], abs=1e-6)


def test_the_torsos_angles_are_roll_pitch_and_yaw() -> None:
    robot = _airborne()
    roll, pitch, yaw = 0.3, -0.5, 2.0
    quaternion = np.array([1.0, 0.0, 0.0, 0.0])
    for axis, angle in ((2, yaw), (1, pitch), (0, roll)):
        turn, product = np.zeros(4), np.zeros(4)
        turn[0], turn[1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
        mujoco.mju_mulQuat(product, quaternion, turn)
        quaternion = product
    robot.place(quaternion=quaternion)
    robot.damp()
    assert robot.truth().base_rpy == pytest.approx([roll, pitch, yaw])


@pytest.fixture
def head(tmp_path: Path) -> SimulatedBody:
    path = tmp_path / "robot.xml"
    path.write_text(rig.TALKING_HEAD)
    return SimulatedBody(rig.talking_head(path))


def _ask(q: list[float], kp: float = 1.0, kd: float = 1.0) -> JointCommand:
    command = JointCommand.zeros(2)
    command.q[:], command.kp[:], command.kd[:] = q, kp, kd
    return command


def test_a_fixed_robot_has_no_contacts_no_imu_and_no_battery(head: SimulatedBody) -> None:
    for _ in range(3):
        head.write(_ask([0.2, 0.1]))
    sample, truth = head.read(), head.truth()
    assert (sample.battery_v, sample.battery_charge) == (12.0, 1.0)
    assert sample.imu_age_s == np.inf
    assert (len(sample.contacts), len(sample.contact_age_s), len(truth.contacts)) == (0, 0, 0)
    assert truth.contact_force.shape == (0, 3)
    assert truth.base_position == pytest.approx([0.0, 0.0, 1.0])
    assert not truth.base_velocity.any()
    assert not truth.base_rpy.any()
    assert truth.com[2] > 1.0
    assert head.handlers_grip == 0.0


def test_a_long_tick_takes_steps_of_a_millisecond(head: SimulatedBody) -> None:
    for tick in range(3):
        head.write(_ask([0.3, 0.1]))
        sample = head.read()
        assert head.clock.now_s() == pytest.approx((tick + 1) * 0.01)
        assert sample.stamp_s == pytest.approx((tick + 1) * 0.01 - 0.001)
        assert (sample.joint_age_s == 0.001).all()
    head.damp()
    head.stop()
    assert head.clock.now_s() == pytest.approx(0.05)


def test_a_servo_uses_its_own_gains_and_ignores_torque(head: SimulatedBody) -> None:
    command = _ask([0.5, 0.3])
    command.tau[:] = 1000.0
    for _ in range(200):
        head.write(command)
    weight = 9.81 * (1.0 * 0.1 * np.sin(0.5) + 0.2 * 0.05 * np.cos(0.8))
    assert head.truth().q == pytest.approx([0.5, 0.3], abs=(weight + 0.2) / 100.0)


def test_a_servo_without_stiffness_is_limp(head: SimulatedBody) -> None:
    for _ in range(20):
        head.write(_ask([5.0, 5.0], kp=0.0, kd=0.0))
    assert not head.read().tau.any()
    head.write(_ask([5.0, 5.0], kp=0.0))
    sample = head.read()
    assert sample.tau == pytest.approx([-5.0 * sample.dq[0], -1.0 * sample.dq[1]], rel=0.3)


def test_a_fixed_robot_diverges_with_an_error(head: SimulatedBody) -> None:
    with pytest.raises(DeviceError, match="diverged"):
        head.place(dq=np.array([1e9, 0.0]))
        head.damp()


def test_a_fixed_base_cannot_be_placed(head: SimulatedBody) -> None:
    with pytest.raises(DeviceError, match="base is fixed"):
        head.place(position=np.zeros(3))
    with pytest.raises(DeviceError, match="contact 0"):
        head.push_contact(0, np.zeros(3), 0.1)


@pytest.mark.parametrize(("stiction", "least", "most"), [(True, 0.0, 1e-4), (False, 1e-2, 1.0)])
def test_dry_friction_holds_a_joint_at_rest_or_lets_it_creep(
    stiction: bool, least: float, most: float
) -> None:
    """A torque of half the friction is balanced at rest, or at a small speed."""
    robot = rig.body(noise=rig.QUIET, handlers=ALONE, support="seated", stiction=stiction)
    q = rig.posture(rig.SEAT)
    robot.place(q=q)
    yaw = rig.JOINTS.index("head_yaw")  # gravity does not turn it
    command = rig.hold(q)
    for tick in range(1500):
        if tick == 500:
            start = robot.truth().q[yaw]
            command.kp[yaw] = command.kd[yaw] = 0.0
            command.tau[yaw] = 0.075
        robot.write(command)
    assert least <= abs(robot.truth().q[yaw] - start) <= most


def test_stiction_is_overcome_by_a_larger_torque() -> None:
    robot = rig.body(noise=rig.QUIET, handlers=ALONE, support="seated", stiction=True)
    q = rig.posture(rig.SEAT)
    robot.place(q=q)
    yaw = rig.JOINTS.index("head_yaw")
    command = rig.hold(q)
    command.kp[yaw] = command.kd[yaw] = 0.0
    command.tau[yaw] = 0.3
    for _ in range(500):
        robot.write(command)
    assert abs(robot.truth().q[yaw] - q[yaw]) > 0.1
