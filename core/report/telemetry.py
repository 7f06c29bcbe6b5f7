"""Telemetry of a run: rows of the record, the status, and the report at the end."""

import math
import time
from array import array
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.behave.reference import MotionState
from core.compiled import bind, compiled
from core.link.handset import HandsetStatus
from core.link.hello import BatteryRange, Foot, Hello
from core.link.report import Report
from core.link.statement import Statement
from core.link.status import Answer, Channel, Status, TickStats
from core.record.row import write_joints, write_tick, write_truth
from core.record.schema import tick_dtype
from core.record.tape import Tape
from core.records import record_of
from core.report import condition
from core.robot.profile import REST
from core.safety.modes import Mode
from core.tick.performer import Performer
from devices.interface import Floats, Sample, StopChannel, Truth

MODE_NAMES = tuple(mode.name for mode in Mode)
MOTION_STATES = tuple(state.name for state in MotionState)
QP_STATUS = ("not run", "solved", "solved by the spare solver", "unsolved")
STRIDE_S = 1.6
STATS_EVERY = 25  # statuses
LATELY_S = 2.0  # window of the statistics of recent ticks
LONGEST_US = 20_000  # longer ticks are counted as this long
MOST_WRITERS = 8  # a body that gives new arrays at every tick is slow, and takes no memory
MOST_RUNNING = 64  # largest number of running cues in a status

Counts: TypeAlias = npt.NDArray[np.int64]


@compiled
def first_reaching(counts: Counts, wanted: float) -> int:
    """Return the first bin at which the cumulative count of a histogram reaches `wanted`."""
    counted = 0
    for i in range(counts.size):
        counted += counts[i]
        if counted >= wanted:
            return i
    return counts.size


@compiled
def worst_joints(winding_c: Floats, load: Floats, stall: Floats) -> tuple[int, float, int, float]:
    """Return the hottest joint and its temperature [°C], the most loaded joint and its share.

    Args:
        winding_c: winding temperatures (n) [°C].
        load: torques (n) [N·m].
        stall: stall torques (n) [N·m].
    """
    share = np.abs(load) / stall
    hottest, worst = int(winding_c.argmax()), int(share.argmax())
    return hottest, winding_c[hottest], worst, share[worst]


class TickTimes:
    """Histograms of tick times in whole microseconds, of all and of recent ticks; fixed size.

    Attributes:
        overruns: number of ticks that began late.
    """

    def __init__(self, tick_s: float) -> None:
        self._window = max(1, round(LATELY_S / tick_s))  # ticks
        # Python's arrays count faster than NumPy's, which share their memory.
        self._counts = array("q", bytes(8 * (LONGEST_US + 1)))
        self._lately = array("q", bytes(8 * (LONGEST_US + 1)))
        self._last = [0] * self._window  # in the order in which they leave the recent histogram
        self._total = 0
        self.overruns = 0

    def add(self, time_us: float) -> None:
        """Count one tick."""
        whole_us, last, lately = min(LONGEST_US, int(time_us)), self._last, self._lately
        index = self._total % self._window
        if self._total >= self._window:
            lately[last[index]] -= 1
        last[index] = whole_us
        lately[whole_us] += 1
        self._counts[whole_us] += 1
        self._total += 1

    def percentile(self, share: float) -> float:
        """Return the time below which a share (0 to 1) of all ticks stays [µs]."""
        return self._below(self._counts, share * self._total)

    def stats(self) -> TickStats:
        """Return the statistics of recent ticks, and the number of all late ticks."""
        count = min(self._total, self._window)
        return TickStats(
            median_us=self._below(self._lately, 0.5 * count),
            p99_us=self._below(self._lately, 0.99 * count),
            worst_us=self._below(self._lately, float(count)),
            overruns=self.overruns,
        )

    def _below(self, counts: "array[int]", wanted: float) -> float:
        if not self._total:
            return 0.0
        return float(first_reaching(np.frombuffer(counts, dtype=np.int64), wanted))


class Telemetry:
    """Owns the statistics of a run.

    Attributes:
        times: times of the ticks.
        distance_m: distance walked [m].
        cues_played: number of cues that ended.
    """

    def __init__(self, performer: Performer, tape: Tape, simulated: bool) -> None:
        self._performer, self._tape, self._simulated = performer, tape, simulated
        profile = performer.profile
        count = len(profile.joint_names)
        self._names = profile.joint_names
        self._stall = profile.actuator_column("stall_torque")
        legs = profile.leg_joints
        first, last = (legs[0], legs[-1] + 1) if legs else (0, 0)
        self._run = record_of(stall=self._stall, first_leg=first, last_leg=last, worst=np.zeros(4))
        self._load: Floats = np.zeros(count)
        self._writers: dict[tuple[int, ...], list[Callable[[int], None]]] = {}
        state = performer.plant.state
        self._write_plant = performer.plant.bind_row(tape.block)
        self._write_tick = bind(
            write_tick,
            tape.block,
            state.base,
            state.contact,
            performer.upper.states,
            performer.velocity,
        )
        self.times = TickTimes(profile.tick_s)
        self.distance_m = 0.0
        self.cues_played = 0
        self._mark = (0.0, 0.0, 0.0)
        self._was_stepping = False
        self._sequence = 0
        self._stats = TickStats()
        self._start_wall_s = time.monotonic()

    def record(self, now_s: float, sample: Sample, truth: Truth | None, time_us: float) -> None:
        """Write the row of one tick."""
        performer, tape = self._performer, self._tape
        solution, place = performer.plant.solution, tape.place
        self._load = applied = sample.tau if truth is None else truth.tau_applied
        self.times.add(time_us)
        # A body has one sample, or two by turns; another array is bound anew.
        key = id(sample.q), id(sample.dq), id(sample.winding_c), id(applied), id(truth)
        writers = self._writers.get(key)
        if writers is None:
            writers = self._bind(key, sample, applied, truth)
        for write in writers:
            write(place)
        self._write_plant(place)
        mode = int(performer.modes.mode)  # a kernel takes long to unbox an enumeration
        result = solution.status, solution.iterations, solution.time_us
        self._write_tick(now_s, time_us, mode, *result, place)
        tape.commit()
        if performer.stage.happened:
            self.cues_played += len(performer.stage.finished)

    def _bind(
        self, key: tuple[int, ...], sample: Sample, applied: Floats, truth: Truth | None
    ) -> list[Callable[[int], None]]:
        """Bind the kernels to the arrays of a sample and of the truth."""
        if len(self._writers) >= MOST_WRITERS:
            self._writers.clear()
        command = self._performer.plant.newest_command
        joints = bind(
            write_joints,
            self._tape.block,
            sample.q,
            sample.dq,
            applied,
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
            sample.winding_c,
            self._run,
        )
        self._writers[key] = writers = [joints]
        if truth is not None:
            true_state = bind(
                write_truth,
                self._tape.block,
                truth.q,
                truth.dq,
                truth.base_position,
                truth.base_velocity,
                truth.base_rpy,
                truth.com,
                truth.com_velocity,
                truth.contacts,
                truth.contact_force,
                truth.external_force,
            )
            writers.append(true_state)
        return writers

    @staticmethod
    def dtype(performer: Performer, simulated: bool) -> np.dtype[np.void]:
        """Return the dtype of the rows of a run."""
        contacts = performer.profile.contacts
        points = len(contacts[0].switches) if contacts else 0
        counts = (len(performer.profile.joint_names), len(performer.upper.states), simulated)
        return tick_dtype(*counts, len(contacts), points)

    def hello(self, body: str, pace: str, seed: int) -> Hello:
        """Return the description of this core and its robot."""
        profile, joints = self._performer.profile, self._performer.joints
        walk, count = profile.pace, joints.joint_count
        battery, floating = profile.battery, self._performer.floating
        return Hello(
            robot=profile.name,
            body=body,
            support=str(self._performer.plant.support),
            pace=pace,
            seed=seed,
            simulated=self._simulated,
            joint_names=self._names,
            group_names=self._performer.manager.joints.limb_names,
            lower=tuple(joints.lower[:count].tolist()),
            upper=tuple(joints.upper[:count].tolist()),
            stall_torque=tuple(self._stall.tolist()),
            mode_names=MODE_NAMES,
            motion_state_names=MOTION_STATES,
            qp_status_names=QP_STATUS,
            limbs=joints.limbs,
            joint_limbs=joints.joint_limbs[:count],
            joint_roles=joints.roles[:count],
            gaze=joints.gaze,
            hand_poses=dict(joints.hand_poses),
            body_range=joints.body,
            sway_range=joints.sway,
            body_limb=profile.body,
            gaits=joints.gaits,
            chooses_foot=self._performer.plant.chooses_foot,
            velocity_limit=tuple(joints.velocity_limit[:count].tolist()),
            winding_limit_c=profile.health.winding_limit_c,
            title=profile.title,
            started_s=self._start_wall_s,
            tick_s=profile.tick_s,
            feet=tuple(
                Foot(
                    name=foot.name,
                    limb=foot.limb,
                    kind=foot.kind,
                    heel=foot.heel,
                    toe=foot.toe,
                    half_width=foot.half_width,
                    points=len(foot.switches),
                )
                for foot in profile.contacts
            ),
            walk=None if walk is None else walk.range,
            battery=None
            if battery is None
            else BatteryRange(
                profile.supply.nominal_v, battery.low_v, battery.critical_v, battery.flat_v
            ),
            has_imu=profile.imu is not None,
            has_handset=profile.handset is not None,
            movable_limbs=tuple(
                filter(floating.movable, self._performer.manager.joints.limb_names)
            ),
            grips=floating.grips,
            rest=tuple(profile.posture(REST).tolist()),
        )

    def status(
        self,
        now_s: float,
        sample: Sample,
        channels: Sequence[StopChannel],
        length_s: float,
        answered: Answer | None = None,
        loaded_s: float = 0.0,
        handset: HandsetStatus | None = None,
    ) -> Status:
        """Return the status of the robot; call it at the rate of the status.

        Args:
            now_s: time of the last tick [s].
            sample: reading of the body in that tick.
            channels: channels of the E-stop chain.
            length_s: length of the show or the walk [s].
            answered: the newest GO or STOP that has reached the body.
            loaded_s: time of loading the show on the host's monotonic clock [s].
            handset: state of the handset; None if none is fitted.
        """
        performer = self._performer
        player, state = performer.player, performer.plant.state
        x, y, z = state.position_base_in_world.tolist()
        self._walk_on(now_s, x, y)
        cue = player.current
        joints = worst_joints(sample.winding_c, self._load, self._stall)
        hottest, hottest_c, worst, worst_load = joints
        self._sequence += 1
        if self._sequence % STATS_EVERY == 0:
            self._stats = self.times.stats()
        return Status(
            stamp_s=now_s,
            host_stamp_s=time.monotonic(),
            started_s=self._start_wall_s,
            sequence=self._sequence,
            mode=performer.mode.name,
            action=performer.action.name,
            flags=performer.flag_names,
            motion_states=tuple(MOTION_STATES[s] for s in performer.upper.states.tolist()),
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
            position_s=player.position_s(now_s),
            show_length_s=length_s,
            base_position=(x, y, z),
            base_rpy=tuple(state.rpy.tolist()),
            base_velocity=tuple(state.velocity_base_in_world.tolist()),
            velocity_command=tuple(performer.velocity.tolist()),
            battery_charge=sample.battery_charge,
            battery_v=sample.battery_v,
            hottest_joint=self._names[hottest],
            hottest_c=hottest_c,
            worst_load_joint=self._names[worst],
            worst_load=worst_load,
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
            estop_channels=tuple(Channel(c.name, c.closed) for c in channels),
            answered=answered,
            handset=handset,
            freedoms=tuple(freedom.word for freedom in performer.floating.freedoms),
            feel=performer.floating.feel,
            sways=performer.plant.sways,
            body_led=performer.hand.body.leads,
            jumps=performer.plant.jumps,
            place=performer.plant.place(),
            stage=performer.hand.marks.place.origin,
            place_known=performer.hand.marks.place.known,
            mark=performer.hand.marks.heads_for,
            look=performer.hand.gaze.asked,
            follow=performer.hand.follow.status(now_s),
            take=performer.takes.status(now_s),
            idles=performer.manager.idles,
        )

    def _walk_on(self, now_s: float, x: float, y: float) -> None:
        """Add up the distance once a stride, so that the sway of the steps does not count."""
        stepping = self._performer.plant.steps
        if not stepping or now_s - self._mark[0] >= STRIDE_S:
            if self._mark[0] > 0.0 and self._was_stepping:
                self.distance_m += math.hypot(x - self._mark[1], y - self._mark[2])
            self._mark = (now_s, x, y)
        self._was_stepping = stepping

    def report(self, now_s: float, completed: bool, reason: Statement) -> Report:
        """Return the report of the run."""
        error, joint, load, loaded = self._run["worst"][0].tolist()
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
