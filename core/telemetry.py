"""What a run tells: the record's rows, the status at a glance, and the report at the end."""

import math
import time

import numpy as np

from core import condition
from core.behave.reference import LIMBS, MotionState
from core.compiled import compiled
from core.link.messages import Answer, Channel, Hello, Report, Status, TickStats
from core.performer import Performer
from core.record.tape import Tape
from core.safety.modes import Mode
from core.walk.reference import Phase
from devices.interface import Floats, Sample, Truth

QP_STATUS = ("not run", "solved", "solved by the spare solver", "unsolved")
STRIDE_S = 1.6
STATS_EVERY = 25  # statuses
LONGEST_US = 20_000  # ticks longer than this count as this long
MOST_RUNNING = 64  # cues that a status names
CHAIN = "chain"  # the one channel of the E-stop chain that a sample tells


@compiled
def measure_joints(
    q: Floats,
    dq: Floats,
    q_wish: Floats,
    dq_wish: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    applied: Floats,
    stall: Floats,
    first_leg: int,
    last_leg: int,
    torque: Floats,
    worst: Floats,
) -> None:
    """Write the torques asked for, and update the worst error and load of the run.

    `worst` is largest error of a joint that is no leg [rad], its joint, largest share of stall
    torque, its joint.
    """
    for i in range(q.size):
        error = q_wish[i] - q[i]
        torque[i] = tau[i] + kp[i] * error + kd[i] * (dq_wish[i] - dq[i])
        if kp[i] > 0.0 and (i < first_leg or i >= last_leg) and abs(error) > worst[0]:
            worst[0], worst[1] = abs(error), i
        load = abs(applied[i]) / stall[i]
        if load > worst[2]:
            worst[2], worst[3] = load, i


class TickTimes:
    """A histogram of tick times in whole microseconds; it never grows."""

    def __init__(self) -> None:
        self._counts = np.zeros(LONGEST_US + 1, dtype=np.int64)
        self.overruns = 0

    def add(self, time_us: float) -> None:
        """Count one tick."""
        self._counts[min(LONGEST_US, int(time_us))] += 1

    def percentile(self, share: float) -> float:
        """Return the time that a share (0 to 1) of the ticks stay below [µs]."""
        total = int(self._counts.sum())
        if not total:
            return 0.0
        return float(np.searchsorted(np.cumsum(self._counts), share * total))

    def stats(self) -> TickStats:
        """Return the figures of all ticks so far."""
        worst = np.flatnonzero(self._counts)
        return TickStats(
            median_us=self.percentile(0.5),
            p99_us=self.percentile(0.99),
            worst_us=float(worst[-1]) if worst.size else 0.0,
            overruns=self.overruns,
        )


class Telemetry:
    """Owns the figures of a run.

    Attributes:
        times: how long the ticks took.
        distance_m: how far the robot has walked.
        cues_played: how many cues ended.
    """

    def __init__(self, performer: Performer, tape: Tape, simulated: bool) -> None:
        self._performer, self._tape, self._simulated = performer, tape, simulated
        profile = performer.profile
        count = len(profile.joint_names)
        self._names = profile.joint_names
        self._stall = profile.actuator_column("stall_torque")
        self._legs = (performer.model.first_leg_joint, performer.model.joint_count)
        self._torque = np.zeros(count)
        self._worst = np.zeros(4)
        self._load: Floats = np.zeros(count)
        self.times = TickTimes()
        self.distance_m = 0.0
        self.cues_played = 0
        self._mark = (0.0, 0.0, 0.0)
        self._was_stepping = False
        self._sequence = 0
        self._stats = TickStats()
        self._start_wall_s = time.monotonic()

    def record(self, now_s: float, sample: Sample, truth: Truth | None, time_us: float) -> None:
        """Write one tick's row."""
        performer, row = self._performer, self._tape.row()
        command, state = performer.command, performer.estimator.state
        applied = sample.tau if truth is None else truth.tau_applied
        self._load = applied
        measure_joints(
            sample.q,
            sample.dq,
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
            applied,
            self._stall,
            self._legs[0],
            self._legs[1],
            self._torque,
            self._worst,
        )
        self.times.add(time_us)
        row["t"][0] = now_s
        row["q"][:] = sample.q
        row["dq"][:] = sample.dq
        row["q_command"][:] = command.q
        row["tau_command"][:] = self._torque
        row["tau_applied"][:] = applied
        row["base_position_est"][:] = state.position_base_in_world
        row["base_velocity_est"][:] = state.velocity_base_in_world
        row["rpy_est"][:] = state.rpy
        row["contact_est"][:] = state.contact
        row["mode"][0] = performer.mode
        row["motion_state"][:] = performer.upper.states
        row["velocity_command"][:] = performer.velocity
        row["tick_cpu_us"][0] = time_us
        row["qp_status"][0] = performer.controller.qp_status
        row["qp_iterations"][0] = performer.controller.whole_body.result.iterations
        if truth is not None:
            row["q_true"][:] = truth.q
            row["dq_true"][:] = truth.dq
            row["base_position_true"][:] = truth.base_position
            row["base_velocity_true"][:] = truth.base_velocity
            row["rpy_true"][:] = truth.base_rpy
            row["com_true"][:] = truth.com
            row["com_velocity_true"][:] = truth.com_velocity
            contacts = truth.contacts
            row["contact_true"][:] = (contacts[0] or contacts[1], contacts[2] or contacts[3])
            row["contact_force_true"][:] = truth.contact_force
            row["external_force"][:] = truth.external_force
        self._tape.commit()
        if performer.stage.happened:
            self.cues_played += len(performer.stage.finished)

    def hello(self, body: str, pace: str, seed: int) -> Hello:
        """Return what a listener must know of this core."""
        joints = self._performer.joints
        return Hello(
            robot=self._performer.profile.name,
            body=body,
            support=str(self._performer.support),
            pace=pace,
            seed=seed,
            simulated=self._simulated,
            joint_names=self._names,
            group_names=LIMBS,
            lower=tuple(joints.lower.tolist()),
            upper=tuple(joints.upper.tolist()),
            stall_torque=tuple(self._stall.tolist()),
            mode_names=tuple(mode.name for mode in Mode),
            motion_state_names=tuple(state.name for state in MotionState),
            qp_status_names=QP_STATUS,
            joint_groups=tuple(row.group for row in self._performer.profile.joints.rows),
            velocity_limit=tuple(joints.velocity_limit.tolist()),
            winding_limit_c=self._performer.health.settings.winding_limit_c,
        )

    def status(
        self,
        now_s: float,
        sample: Sample,
        length_s: float,
        answered: Answer | None = None,
        loaded_s: float = 0.0,
    ) -> Status:
        """Return the robot at a glance; to be called at the status's rate.

        Args:
            now_s: time of the last tick [s].
            sample: what the body read in it.
            length_s: of the show or the walk [s].
            answered: the newest GO or STOP that has reached the body.
            loaded_s: when the show was loaded, on the host's monotonic clock [s].
        """
        performer = self._performer
        player, state = performer.player, performer.estimator.state
        x, y, z = state.position_base_in_world.tolist()
        self._walk_on(now_s, x, y)
        cue = player.current
        hottest = int(np.argmax(sample.winding_c))
        load = np.abs(self._load) / self._stall
        worst = int(np.argmax(load))
        self._sequence += 1
        if self._sequence % STATS_EVERY == 0:
            self._stats = self.times.stats()
        return Status(
            stamp_s=now_s,
            host_stamp_s=time.monotonic(),
            sequence=self._sequence,
            mode=performer.mode.name,
            action=performer.action.name,
            flags=performer.flag_names,
            motion_states=tuple(MotionState(s).name for s in performer.upper.states.tolist()),
            show=player.show_name,
            show_path=player.show_path,
            show_stamp_s=loaded_s,
            standby_cue=player.standby,
            next_cue=player.following,
            running_cue="" if cue is None else cue.number,
            cue_name="" if cue is None else cue.name,
            cue_elapsed_s=player.elapsed_s(now_s),
            cue_length_s=0.0 if cue is None else cue.duration_s,
            show_s=player.clock_s(now_s),
            show_length_s=length_s,
            base_position=(x, y, z),
            base_rpy=tuple(state.rpy.tolist()),
            base_velocity=tuple(state.velocity_base_in_world.tolist()),
            velocity_command=tuple(performer.velocity.tolist()),
            battery_charge=sample.battery_charge,
            battery_v=sample.battery_v,
            hottest_joint=self._names[hottest],
            hottest_c=float(sample.winding_c[hottest]),
            worst_load_joint=self._names[worst],
            worst_load=float(load[worst]),
            tick=self._stats,
            falls=performer.falls,
            distance_m=self.distance_m,
            cues_played=self.cues_played,
            paused=player.paused,
            running_cues=player.running[-MOST_RUNNING:],
            gestures=performer.manager.gestures(),
            alarms=condition.alarms(performer, sample),
            latched=condition.latched(performer),
            reset_steps=condition.reset_steps(performer, now_s),
            estop_channels=(Channel(CHAIN, sample.estop_closed),),
            answered=answered,
        )

    def _walk_on(self, now_s: float, x: float, y: float) -> None:
        """Add up the way, over times long enough that the sway of the steps does not count."""
        stepping = self._performer.walker.reference.phase is Phase.STEP
        if not stepping or now_s - self._mark[0] >= STRIDE_S:
            if self._mark[0] > 0.0 and self._was_stepping:
                self.distance_m += math.hypot(x - self._mark[1], y - self._mark[2])
            self._mark = (now_s, x, y)
        self._was_stepping = stepping

    def report(self, now_s: float, completed: bool, reason: str) -> Report:
        """Return the figures of the run."""
        error, joint, load, loaded = self._worst.tolist()
        return Report(
            completed=completed,
            reason=reason,
            duration_s=now_s,
            wall_s=time.monotonic() - self._start_wall_s,
            cues_played=self.cues_played,
            distance_m=self.distance_m,
            falls=self._performer.falls,
            worst_tracking_rad=error,
            worst_tracking_joint=self._names[int(joint)],
            worst_load=load,
            worst_load_joint=self._names[int(loaded)],
            tick_median_us=self.times.percentile(0.5),
            tick_p99_us=self.times.percentile(0.99),
            tick_p99_9_us=self.times.percentile(0.999),
            overruns=self.times.overruns,
        )
