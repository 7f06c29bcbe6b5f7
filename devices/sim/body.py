"""A whole simulated robot: one command, one tick."""

import math
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from devices.errors import DeviceError
from devices.interface import Clock, Floats, JointCommand, Sample, StopChannel, Trouble, Truth
from devices.sim.actuators import POWER_S, Actuators
from devices.sim.clock import Pace, SimulatedClock
from devices.sim.deviant_actuators import DeviantActuators
from devices.sim.deviant_sensors import DeviantSensors
from devices.sim.ground_springs import GroundSprings
from devices.sim.handlers import People
from devices.sim.pulls import Pulls
from devices.sim.sensors import Sensors
from devices.sim.settings import SimSettings
from devices.sim.snapshot import Snapshot
from devices.sim.world import HOLDS, build_world

GANTRY_SPEED = 0.5  # [m/s]
DIVERGED = 1e7  # sum of the IMU's values, or of velocities without one
CHAIN = "E-stop chain"
GANTRY_REACH = 0.08  # horizontal distance of the robot from the beam that moves the gantry [m]


class SimulatedBody:
    """A robot in MuJoCo, in lock-step: each command advances time by one tick.

    A tick is one or more steps of the physics. The sample describes the instant before the last
    step. The same settings, seed and commands give the same samples to the bit.
    """

    def __init__(self, settings: SimSettings, seed: int = 0, pace: Pace | str = Pace.MAX) -> None:
        """Put the robot into its initial posture.

        Args:
            settings: of robot and room.
            seed: of every noise.
            pace: "real" holds simulated time to the wall clock, "max" does not.

        Raises:
            DeviceError: the settings give no model.
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
        self._tick_s = settings.tick_s
        self._dt = settings.timestep_s
        self._substeps = settings.substeps
        self._power_steps = max(round(POWER_S / self._dt), 1)
        self._step_count = 0
        self._tick_count = 0
        self._closed = False
        self._driven = False
        self._qpos: Floats = data.qpos
        self._qvel: Floats = data.qvel
        self._applied: Floats = data.qfrc_applied
        self._wrenches: Floats = data.xfrc_applied
        self._before = Snapshot(self.world, data, settings.imu_site is not None)
        self._dirty = False
        self._disturbed = False
        self._pushes: list[tuple[int, Floats, list[int]]] = []
        self._hands: dict[str, list[int]] = {}  # the steps left of each hand's push
        self._pulls = Pulls(self.model, data, self._wrenches, self._dt)
        self._slips: list[tuple[tuple[int, ...], list[int]]] = []
        self._external = np.zeros(3)
        self._v_address = self.world.v_address
        self._couplings = self.world.couplings
        self._spreads = self._couplings.spreads
        base = self.world.base
        self._base_com: Floats = data.xipos[base]
        self._base_wrench: Floats = data.xfrc_applied[base]
        armature = self.model.dof_armature[self.world.v_address]
        deviation = settings.deviation
        drives = DeviantActuators if deviation.of_drives else Actuators
        self.actuators: Actuators = drives(settings, armature)
        self._sensors = (
            DeviantSensors(settings, seed, self.actuators)
            if deviation.of_sensors
            else Sensors(settings, seed)
        )
        self._people = People(settings, self.world.legs, data.xpos[base], self.world.normal)
        self._springs = GroundSprings(settings, self.world, data)
        self._keep_state()
        self._report()
        self._check_divergence()
        self._measure()
        # Compile now the kernels of a tick that were not called yet.
        self.truth()
        self._dirty = self._springs.add_forces(self._wrenches)

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
        """Drive each joint for one tick as its own actuator does, even with an open E-stop chain.

        Args:
            command: of every joint.
            limp: the legs carry nothing, as when they are damped; people may take hold.

        Raises:
            DeviceError: the command is not finite, or the simulation has diverged.
        """
        torque = self._driving_torque(command)
        if limp:
            self._watch()
        else:
            if self._people.grip > 0.0:
                self._people.see(command)
            self._driven = True
        self._step(torque)
        for _ in range(self._substeps - 1):
            self._step(self._driving_torque(command))
        self._end_tick()

    def damp(self) -> None:
        """Short every winding for one tick.

        Raises:
            DeviceError: the simulation has diverged.
        """
        self._keep_state()
        self._watch()
        self._step(self.actuators.damp(self._before.dq))
        for _ in range(self._substeps - 1):
            self._keep_state()
            self._step(self.actuators.damp(self._before.dq))
        self._end_tick()

    def stop(self) -> None:
        """Take the torque from every joint for one tick. Never raises."""
        if self._closed:
            return
        try:
            self._keep_state()
            self._watch()
            self._step(self.actuators.release(self._before.dq))
            for _ in range(self._substeps - 1):
                self._keep_state()
                self._step(self.actuators.release(self._before.dq))
            self._end_tick()
        except Exception:  # after any error, no torque is left to take
            self._closed = True

    def troubles(self) -> tuple[Trouble, ...]:
        """Return nothing: a simulated device never fails."""
        return ()

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the chain as one channel."""
        return (StopChannel(CHAIN, self._sensors.estop_closed),)

    def powered(self) -> bool:
        """Return True: a simulated body has no contactor."""
        return True

    def restore(self) -> None:
        """Do nothing: the supply is always on."""

    def close(self) -> None:
        """Stop for good."""
        self._closed = True

    @property
    def handlers_grip(self) -> float:
        """Firmness with which people hold the base, 0 to 1."""
        return self._people.grip

    def open_estop(self) -> None:
        """Open the hardware E-stop chain: commands then only damp."""
        self._sensors.estop_closed = False

    def close_estop(self) -> None:
        """Close the chain again."""
        self._sensors.estop_closed = True

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the base at its centre of mass with a force (3) [N] for a time [s], from now.

        A push ends an earlier push by the same hand; pushes without a hand add up.
        """
        self._push(self.world.base, force_in_world, duration_s)
        if hand:
            self._hands.pop(hand, [0])[0] = 0
            lasting = {name: left for name, left in self._hands.items() if left[0] > 0}
            self._hands = {**lasting, hand: self._pushes[-1][2]}

    def pull(
        self,
        link: str,
        point_in_link: Floats,
        target_in_world: Floats,
        duration_s: float,
        hand: str = "",
    ) -> None:
        """Pull a point of a link toward a position as a hand does, for a time [s], from now.

        A pull ends an earlier pull by the same hand.

        Args:
            link: name of the link.
            point_in_link: point that the hand holds (3) [m].
            target_in_world: position to which it pulls (3) [m].
            duration_s: [s].
            hand: name of the hand.

        Raises:
            DeviceError: there is no such link, or a number is not finite.
        """
        self._pulls.begin(link, point_in_link, target_in_world, duration_s, hand)
        self._disturbed = True

    def push_body(self, name: str, force_in_world: Floats, duration_s: float) -> None:
        """Push any body at its centre of mass with a force (3) [N] for a time [s], from now.

        Raises:
            DeviceError: there is no such body, or the push is not finite.
        """
        body = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name)
        if body <= 0:
            raise DeviceError("simulator", f"cannot push {name!r}: the robot has no such body")
        self._push(body, force_in_world, duration_s)

    def push_contact(self, contact: int, force_in_world: Floats, duration_s: float) -> None:
        """Push the body that carries a contact with a force (3) [N] for a time [s], from now.

        Raises:
            DeviceError: there is no such contact, or the push is not finite.
        """
        bodies = self.world.contact_bodies
        if not 0 <= contact < len(bodies):
            raise DeviceError("simulator", f"cannot push contact {contact} of {len(bodies)}")
        self._push(bodies[contact], force_in_world, duration_s)

    def _push(self, body: int, force_in_world: Floats, duration_s: float) -> None:
        force = np.array(force_in_world, dtype=np.float64)
        if force.shape != (3,) or not np.isfinite(force).all() or not 0.0 <= duration_s < 1e6:
            raise DeviceError("simulator", "a push needs three finite newtons and a finite time")
        self._disturbed = True
        self._pushes.append((body, force, [round(duration_s / self._dt)]))

    def slip_contact(self, contact: int, duration_s: float, friction: float = 0.05) -> None:
        """Make the floor slippery under one contact for a time [s].

        Args:
            contact: index of the contact in the settings.
            duration_s: for so long [s].
            friction: coefficient meanwhile.

        Raises:
            DeviceError: there is no such contact.
        """
        geoms = self.settings.contact_geoms
        if not 0 <= contact < len(geoms):
            raise DeviceError("simulator", f"no contact {contact} can slip; there are {len(geoms)}")
        first = sum(len(names) for names in geoms[:contact])
        ids = self.world.contact_geoms[first : first + len(geoms[contact])]
        self.model.geom_friction[list(ids), 0] = friction
        self._disturbed = True
        self._slips.append((ids, [round(duration_s / self._dt)]))

    def rub(self, joints: Sequence[int], torque: float) -> None:
        """Let dry friction [N·m] hold joints at rest, besides the friction of their actuators."""
        dofs = self.world.v_address[list(joints)]
        self.model.dof_frictionloss[dofs] = torque
        self.model.dof_solimp[dofs, :2] = HOLDS

    def place(
        self,
        position: Floats | None = None,
        quaternion: Floats | None = None,
        q: Floats | None = None,
        velocity: Floats | None = None,
        dq: Floats | None = None,
    ) -> None:
        """Place the robot, at rest unless velocities are given.

        Args:
            position: of a floating base (3) [m].
            quaternion: of a floating base, w first (4).
            q: joint positions (n) [rad].
            velocity: linear velocity of a floating base in the world, angular velocity in its own
                frame (6).
            dq: joint velocities (n) [rad/s].

        Raises:
            DeviceError: the base is fixed, and shall move.
        """
        moved = position is not None or quaternion is not None or velocity is not None
        if moved and not self.world.floating:
            raise DeviceError("simulator", "the robot's base is fixed; place its joints only")
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
        self.world.couplings.follow(self._qpos, self._qvel)
        mujoco.mj_forward(self.model, self.data)

    def put_back(self) -> None:
        """Put the robot back where it started, at rest; the people hold it again.

        Temperatures and the battery keep their values, and the clock runs on.
        """
        mujoco.mj_resetData(self.model, self.data)
        self._qpos[:] = self.world.initial_qpos
        for _, _, steps in self._pushes:
            steps[0] = 0
        self._pulls.end()
        self._people.put_back()
        self._driven = False
        mujoco.mj_forward(self.model, self.data)
        self._keep_state()
        self._measure(max(0, self._step_count - 1))

    def _keep_state(self) -> None:
        if self._closed:
            raise DeviceError("simulator", "the body is closed; start another one")
        self._before.keep_state()

    def _driving_torque(self, command: JointCommand) -> Floats:
        """Return the joint torques that a command gives in the present state (n) [N·m]."""
        self._keep_state()
        return self.actuators.drive(command, self._before.q, self._before.dq)

    def _watch(self) -> None:
        if self._driven:
            self._driven = False
            self._people.watch(self._qpos, self._qvel)

    def _step(self, torque: Floats) -> None:
        """Advance the physics by one step, which begins at the state that was kept last."""
        self._applied[self._v_address] = torque
        if self._spreads:
            self._couplings.spread(torque, self._applied)
        wrenches = self._wrenches
        if self._dirty:
            wrenches.fill(0.0)
            self._dirty = False
        if self._people.grip > 0.0:
            self._people.hold(self._qpos, self._qvel, self._base_com, self._base_wrench)
            self._dirty = True
        if self._springs.add_forces(wrenches):
            self._dirty = True
        if self._disturbed:
            self._disturb()
        if self._step_count % self._power_steps == 0:
            self._report()
            if self.world.gantry >= 0:
                self._roll_gantry()
        try:
            mujoco.mj_step(self.model, self.data)
        except mujoco.FatalError as error:
            self._closed = True
            raise DeviceError("simulator", f"MuJoCo gave up: {error}") from error
        self._check_divergence()
        self._step_count += 1

    def _end_tick(self) -> None:
        self._measure(self._step_count - 1)
        self._tick_count += 1
        self._clock.set(self._tick_count * self._tick_s)

    def _disturb(self) -> None:
        """Add the pushes to the bodies' wrenches and let slips end."""
        self._external.fill(0.0)
        self._disturbed = bool(self._pushes or self._slips or self._pulls.active)
        if self._pulls.active:
            self._pulls.add_forces()
            self._external += self._pulls.force
            self._dirty = True
        over = False
        for body, force, steps in self._pushes:
            if steps[0] > 0:
                self._wrenches[body, :3] += force
                self._external += force
                self._dirty = True
                steps[0] -= 1
            over |= steps[0] <= 0
        if over:
            self._pushes = [push for push in self._pushes if push[2][0] > 0]
        for geoms, steps in self._slips:
            steps[0] -= 1
            if steps[0] <= 0:
                self.model.geom_friction[list(geoms), 0] = self.settings.friction
        self._slips = [slip for slip in self._slips if slip[1][0] > 0]

    def _roll_gantry(self) -> None:
        """Move the gantry after the robot, as slowly as people push it."""
        beam = self.data.mocap_pos[self.world.gantry]
        away = self._qpos[:2] - beam[:2]
        distance = math.hypot(*away)
        if distance > GANTRY_REACH:
            step = min(distance - GANTRY_REACH, GANTRY_SPEED * self._power_steps * self._dt)
            beam[:2] += away * (step / distance)

    def _check_divergence(self) -> None:
        # Neither a fall nor a collision comes near this; a sum that is not finite fails too.
        if not abs(self._before.read_forces()) < DIVERGED:
            self._closed = True
            raise DeviceError("simulator", "the simulation has diverged; lower gains or forces")

    def _measure(self, step: int = 0) -> None:
        """Measure the state that was kept before a step."""
        before = self._before
        self._sensors.measure(
            step * self._dt,
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
        """Return the true state at the newest sample's time."""
        return self._before.truth(self.actuators.applied, self._external)

    @property
    def coupling_error_rad(self) -> float:
        """Largest angle between a joint that follows another and its place [rad]."""
        return self._couplings.error(self._qpos)

    @property
    def normal_forces(self) -> Floats:
        """Normal force of the ground on each contact at the newest sample's time (k) [N]."""
        return self._before.normal_forces

    @property
    def truth_numbers(self) -> Floats:
        """The truth that was returned last as a row, in the order of `Truth`."""
        return self._before.numbers
