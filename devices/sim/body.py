"""A whole simulated robot, one tick a command."""

import math
from typing import Any

import mujoco
import numpy as np

from devices.errors import DeviceError
from devices.interface import Clock, Floats, JointCommand, Sample, StopChannel, Trouble, Truth
from devices.sim.actuators import POWER_TICKS, Actuators
from devices.sim.ground_springs import Boots
from devices.sim.clock import Pace, SimulatedClock
from devices.sim.handlers import People
from devices.sim.sensors import Sensors
from devices.sim.settings import SimSettings
from devices.sim.snapshot import Snapshot
from devices.sim.world import build_world

GANTRY_SPEED = 0.5  # [m/s]
DIVERGED = 1e7  # [m/s²]
CHAIN = "E-stop chain"
GANTRY_REACH = 0.08  # how far the robot may get from below the beam [m]


class SimulatedBody:
    """A robot in MuJoCo, in lock-step: each command advances time by one tick.

    The sample describes the instant before the last step, so everything is one tick old. The
    same settings, seed and commands give the same samples to the bit.
    """

    def __init__(self, settings: SimSettings, seed: int = 0, pace: Pace | str = Pace.MAX) -> None:
        """Put the robot into its initial posture.

        Args:
            settings: robot and room.
            seed: of every noise.
            pace: "real" to be held to the wall's clock, "max" for as fast as it goes.

        Raises:
            DeviceError: no model can be made of the settings.
        """
        self.settings = settings
        self._clock = SimulatedClock(Pace(pace))
        self.clock: Clock = self._clock
        self.world = build_world(settings)
        self.model: Any = self.world.model
        self.data: Any = mujoco.MjData(self.model)
        data = self.data
        data.qpos[:] = self.world.initial_qpos
        mujoco.mj_forward(self.model, data)
        self._dt = settings.timestep_s
        self._tick = 0
        self._closed = False
        self._driven = False
        self._qpos: Floats = data.qpos
        self._qvel: Floats = data.qvel
        self._applied: Floats = data.qfrc_applied
        self._wrenches: Floats = data.xfrc_applied
        self._before = Snapshot(self.world, data)
        self._dirty = False
        self._disturbed = False
        self._pushes: list[tuple[int, Floats, list[int]]] = []
        self._hands: dict[str, list[int]] = {}  # the ticks left of each hand's push
        self._slips: list[tuple[tuple[int, ...], list[int]]] = []
        self._external = np.zeros(3)
        self._v_address = self.world.v_address
        torso = self.world.torso
        self._torso_com: Floats = data.xipos[torso]
        self._torso_wrench: Floats = data.xfrc_applied[torso]
        armature = self.model.dof_armature[self.world.v_address]
        self.actuators = Actuators(settings, armature)
        self._sensors = Sensors(settings, seed)
        self._people = People(settings, self.world.legs, data.qpos, self.world.normal)
        self._boots = Boots(settings, self.world, data)
        self._look()
        self._report()
        self._measure()
        # What a tick calls and nothing did yet is compiled now, before anybody waits for it.
        self.truth()
        self._dirty = self._boots.press(self._wrenches)

    def read(self) -> Sample:
        """Return the newest sample, whose arrays the next call overwrites."""
        return self._sensors.read()

    def write(self, command: JointCommand) -> None:
        """Drive the joints for one tick.

        Raises:
            DeviceError: the command is not finite, or the simulation has diverged.
        """
        if not self._sensors.estop_closed:
            self.damp()
            return
        self.obey(command)

    def obey(self, command: JointCommand, limp: bool = False) -> None:
        """Drive each joint for one tick as its own actuator does, whatever the E-stop says.

        Args:
            command: what each actuator does.
            limp: the legs carry nothing, as when they are damped; people may take hold.

        Raises:
            DeviceError: the command is not finite, or the simulation has diverged.
        """
        self._look()
        torque = self.actuators.drive(command, self._before.q, self._before.dq)
        if limp:
            self._watch()
        else:
            if self._people.grip > 0.0:
                self._people.see(command)
            self._driven = True
        self._step(torque)

    def damp(self) -> None:
        """Short every winding for one tick."""
        self._look()
        torque = self.actuators.damp(self._before.dq)
        self._watch()
        self._step(torque)

    def stop(self) -> None:
        """Take the torque from every joint for one tick. Never raises."""
        if self._closed:
            return
        self._look()
        torque = self.actuators.release(self._before.dq)
        self._watch()
        try:
            self._step(torque)
        except Exception:  # whatever went wrong, there is nothing left to stop
            self._closed = True

    def troubles(self) -> tuple[Trouble, ...]:
        """Return nothing: no device of a simulation is ever in trouble."""
        return ()

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the chain as one channel."""
        return (StopChannel(CHAIN, self._sensors.estop_closed),)

    def powered(self) -> bool:
        """Return True: a simulation has no contactor."""
        return True

    def restore(self) -> None:
        """Do nothing: the supply is always there."""

    def close(self) -> None:
        """Stop for good."""
        self._closed = True

    @property
    def handlers_grip(self) -> float:
        """How firmly people hold the torso, 0 to 1."""
        return self._people.grip

    def open_estop(self) -> None:
        """Open the hardware E-stop chain: from now on commands only damp."""
        self._sensors.estop_closed = False

    def close_estop(self) -> None:
        """Close the chain again."""
        self._sensors.estop_closed = True

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the torso at its centre of mass with a force (3) [N] for a time [s], from now.

        A push ends one by the same hand that still lasts; those of no hand add up.
        """
        self._push(self.world.torso, force_in_world, duration_s)
        if hand:
            self._hands.pop(hand, [0])[0] = 0
            lasting = {name: left for name, left in self._hands.items() if left[0] > 0}
            self._hands = {**lasting, hand: self._pushes[-1][2]}

    def push_body(self, name: str, force_in_world: Floats, duration_s: float) -> None:
        """Push any body at its centre of mass with a force (3) [N] for a time [s], from now.

        Raises:
            DeviceError: there is no such body, or the push is not finite.
        """
        body = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name)
        if body <= 0:
            raise DeviceError("simulator", f"cannot push {name!r}: the robot has no such body")
        self._push(body, force_in_world, duration_s)

    def _push(self, body: int, force_in_world: Floats, duration_s: float) -> None:
        force = np.array(force_in_world, dtype=np.float64)
        if force.shape != (3,) or not np.isfinite(force).all() or not 0.0 <= duration_s < 1e6:
            raise DeviceError("simulator", "a push needs three finite newtons and a finite time")
        self._disturbed = True
        self._pushes.append((body, force, [round(duration_s / self._dt)]))

    def slip_foot(self, side: str, duration_s: float, friction: float = 0.05) -> None:
        """Make the floor slippery under one foot ("left" or "right") for a time [s].

        Raises:
            DeviceError: there is no such foot.
        """
        if side not in ("left", "right"):
            raise DeviceError("simulator", f"no {side!r} foot can slip; say left or right")
        geoms = self.world.sole_geoms[:2] if side == "left" else self.world.sole_geoms[2:]
        self.model.geom_friction[list(geoms), 0] = friction
        self._disturbed = True
        self._slips.append((geoms, [round(duration_s / self._dt)]))

    def place(
        self,
        position: Floats | None = None,
        quaternion: Floats | None = None,
        q: Floats | None = None,
        velocity: Floats | None = None,
        dq: Floats | None = None,
    ) -> None:
        """Put the robot elsewhere, at rest unless told otherwise.

        Args:
            position: of the torso (3) [m].
            quaternion: of the torso, w first (4).
            q: joint positions (n) [rad].
            velocity: linear velocity of the torso in the world, angular in its own frame (6).
            dq: joint velocities (n) [rad/s].
        """
        if position is not None:
            self._qpos[:3] = position
        if quaternion is not None:
            self._qpos[3:7] = quaternion / np.linalg.norm(quaternion)
        if q is not None:
            self._qpos[self.world.q_address] = q
        self._qvel.fill(0.0)
        if velocity is not None:
            self._qvel[:6] = velocity
        if dq is not None:
            self._qvel[self.world.v_address] = dq
        mujoco.mj_forward(self.model, self.data)

    def _look(self) -> None:
        if self._closed:
            raise DeviceError("simulator", "the body is closed; start another one")
        self._before.look()

    def _watch(self) -> None:
        if self._driven:
            self._driven = False
            self._people.watch(self._qpos, self._qvel)

    def _step(self, torque: Floats) -> None:
        self._applied[self._v_address] = torque
        wrenches = self._wrenches
        if self._dirty:
            wrenches.fill(0.0)
            self._dirty = False
        if self._people.grip > 0.0:
            self._people.hold(self._qpos, self._qvel, self._torso_com, self._torso_wrench)
            self._dirty = True
        if self._boots.press(wrenches):
            self._dirty = True
        if self._disturbed:
            self._disturb()
        if self._tick % POWER_TICKS == 0:
            self._report()
            if self.world.gantry >= 0:
                self._roll_gantry()
        try:
            mujoco.mj_step(self.model, self.data)
        except mujoco.FatalError as error:
            self._closed = True
            raise DeviceError("simulator", f"MuJoCo gave up: {error}") from error
        self._measure()
        self._tick += 1
        self._clock.set(self._tick * self._dt)

    def _disturb(self) -> None:
        """Add the pushes to the bodies' wrenches and let slips end."""
        self._external.fill(0.0)
        self._disturbed = bool(self._pushes or self._slips)
        over = False
        for body, force, ticks in self._pushes:
            if ticks[0] > 0:
                self._wrenches[body, :3] += force
                self._external += force
                self._dirty = True
                ticks[0] -= 1
            over |= ticks[0] <= 0
        if over:
            self._pushes = [push for push in self._pushes if push[2][0] > 0]
        for geoms, ticks in self._slips:
            ticks[0] -= 1
            if ticks[0] <= 0:
                self.model.geom_friction[list(geoms), 0] = self.settings.friction
        self._slips = [slip for slip in self._slips if slip[1][0] > 0]

    def _roll_gantry(self) -> None:
        """Push the gantry along, as slowly as people do."""
        beam = self.data.mocap_pos[self.world.gantry]
        away = self._qpos[:2] - beam[:2]
        distance = math.hypot(*away)
        if distance > GANTRY_REACH:
            step = min(distance - GANTRY_REACH, GANTRY_SPEED * POWER_TICKS * self._dt)
            beam[:2] += away * (step / distance)

    def _measure(self) -> None:
        before = self._before
        # Neither a fall nor a collision comes near this; a number that is not finite fails too.
        if not abs(before.feel()) < DIVERGED:
            self._closed = True
            raise DeviceError("simulator", "the simulation has diverged; lower gains or forces")
        self._sensors.measure(
            self._tick * self._dt,
            before.q,
            before.dq,
            self.actuators.motor,
            before.imu,
            before.normal_forces,
        )

    def _report(self) -> None:
        power = self.actuators.power
        self._sensors.report(power.winding_c, power.voltage, power.current, power.charge)

    def truth(self) -> Truth:
        """Return the true state at the last sample's time, when asked between read and write."""
        return self._before.truth(self.actuators.applied, self._external)

    @property
    def normal_forces(self) -> Floats:
        """Force of the ground on each point of the soles at the last sample's time (4) [N]."""
        return self._before.normal_forces

    @property
    def truth_numbers(self) -> Floats:
        """What the truth that was asked last is made of, in the order of `Truth` (3 n + 33)."""
        return self._before.numbers
