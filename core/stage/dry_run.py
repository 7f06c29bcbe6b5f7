"""Plays one cue through player and motion manager, as in a show."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np

from core.behave.clip import Clip
from core.behave.manager import MotionManager
from core.behave.settings import MotionSettings
from core.link.wording import text
from core.stage.direct import direct
from core.stage.player import Player
from core.stage.prepared import PreparedShow
from core.stage.settings import PlayerSettings
from core.stage.timeline import Continue, CueTimeline
from devices.interface import Bools, Floats
from shows.gaits import Jump
from shows.joints import JointTable

AXES = {"forward": 0, "left": 1, "up": 2}
STEP_S = 0.01  # period of the samples [s]
TAIL_S = 1.5  # time after the cue's end, for motions that blend out [s]


@dataclass(frozen=True, slots=True, eq=False)
class CueRun:
    """The motion of the upper body during a cue, k samples from its start on.

    Attributes:
        time_s: time since the start of the cue's action (k) [s].
        q: reference positions of the upper joints in upper order (k, u) [rad].
        dq: their velocities (k, u) [rad/s].
        ddq: their accelerations (k, u) [rad/s²].
        body: position, velocity and acceleration of the body's coordinates (k, 3, 6) [rad, m]; a
            robot without a body as a limb has none (k, 3, 0).
        lower: lowering of the centre of mass by postures of the body (k) [m].
        sway: amplitude of the present sway forward, to the left and up (k, 3) [m].
        sway_rate: its angular frequency (k) [rad/s].
        running: the steps are those of a run (k).
        jumps: times at which jumps are requested, or end with None [s].
        velocity: commanded vx, vy, yaw rate (k, 3) [m/s, m/s, rad/s].
        notes: refusals of the player and the motion manager.
    """

    time_s: Floats
    q: Floats
    dq: Floats
    ddq: Floats
    body: Floats
    velocity: Floats
    lower: Floats
    sway: Floats
    sway_rate: Floats
    running: Bools
    jumps: tuple[tuple[float, Jump | None], ...]
    notes: tuple[str, ...]


def run_cue(
    cue: CueTimeline,
    clips: Mapping[str, Clip],
    table: JointTable,
    rest_q: Floats,
    settings: MotionSettings,
) -> CueRun:
    """Play a single cue, from rest and without idle motion.

    Args:
        cue: the cue.
        clips: motions of the show by name.
        table: joints of the robot.
        rest_q: rest posture of the joints in the table's order (n) [rad].
        settings: settings of the motion manager.
    """
    alone = msgspec.structs.replace(
        cue, pre_wait_s=0.0, follow=Continue.NONE, following=-1, armed=True, refusal=""
    )
    player = Player(PlayerSettings(show_mode=False))
    player.load(PreparedShow("dry run", cues=(alone,), clips=clips))
    full = msgspec.structs.replace(settings, size_variation=0.0, tempo_variation=0.0)
    manager = MotionManager(table, rest_q, full)
    count = 1 + round((cue.duration_s + TAIL_S) / STEP_S)
    upper = manager.joints.joint_count
    q, dq, ddq = (np.empty((count, upper)) for _ in range(3))
    body = np.empty((count, 3, len(manager.joints) - upper))
    velocity, sways, sway_rate = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)
    lower = np.zeros(count)
    sway, sway_end_s = None, 0.0
    running = np.zeros(count, dtype=np.bool_)
    jumps: list[tuple[float, Jump | None]] = []
    notes: list[str] = []
    player.go(0.0)
    for i in range(count):
        now_s = i * STEP_S
        output = player.update(now_s)
        direct(output, clips, manager, now_s)
        notes += map(text, output.notes)
        velocity[i] = output.velocity
        running[i] = output.walking and output.stepping.gait == "run"
        if output.jump is not (jumps[-1][1] if jumps else None):
            jumps.append((now_s, output.jump))
        lower[i] = output.body[0]
        if output.sway is not sway:
            sway = output.sway
            sway_end_s = 0.0 if sway is None else now_s + sway.cycles / sway.frequency_hz
        if sway is not None and now_s < sway_end_s:
            sways[i, AXES[sway.direction]] = sway.amplitude_m
            sway_rate[i] = 2.0 * np.pi * sway.frequency_hz
        reference = manager.update(now_s)
        q[i], dq[i], ddq[i] = reference.q, reference.dq, reference.ddq
        body[i] = reference.body
    time_s = STEP_S * np.arange(count, dtype=np.float64)
    return CueRun(
        time_s,
        q,
        dq,
        ddq,
        body,
        velocity,
        lower,
        sways,
        sway_rate,
        running,
        tuple(jumps),
        tuple(notes),
    )
