"""Preflight: every cue against the robot's limits, before it may move anything.

A cue is run dry through the same player and motion manager that will play it; what they make
of it, hand-overs included, is measured. The first thing that is too much decides the verdict.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np

from core.robot.joint_table import known_robot
from core.robot.profile import Profile
from core.stage.body import PreflightBody, body_from_profile
from core.stage.collision import CollisionModel
from core.stage.dry_run import CueRun, run_cue
from core.stage.flatten import prepare
from core.stage.prepared import PreparedShow
from core.stage.timeline import CueTimeline
from devices.interface import Floats
from shows.folders import gesture_folders
from shows.gestures import load_gestures
from shows.storage import load_show

BalanceTest: TypeAlias = Callable[[PreparedShow, CueTimeline], str | None]
"""Plays a cue in fast simulation; returns why it fails, in one sentence, or None."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many cues are done, of how many."""


class PreflightSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How near a cue may come to what the robot can.

    Attributes:
        warn_share: of a limit, from which on a cue is remarked upon.
        support_margin_m: that the centre of mass keeps from the edge of the feet [m].
        touch_m: how deep hulls may overlap, as they are rounder than the robot [m].
        hands_touch_m: how deep those of both hands may: clapping is allowed [m].
        collision_every: dry-run samples from one collision test to the next.
    """

    warn_share: float = 0.85
    support_margin_m: float = 0.02
    touch_m: float = 0.01
    hands_touch_m: float = 0.04
    collision_every: int = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to know of a cue.

    Attributes:
        text: with what, how much and when.
        time_s: since the start of the cue's action [s].
        load: share of what is allowed; more than 1 fails the cue.
    """

    text: str
    time_s: float
    load: float

    @property
    def fails(self) -> bool:
        """It keeps the cue from GO."""
        return self.load > 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What preflight says of a cue.

    Attributes:
        number, name: of the cue.
        length_s: of its action [s].
        findings: failures first, each by its time, then remarks.
    """

    number: str
    name: str
    length_s: float
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        """It may GO."""
        return not any(finding.fails for finding in self.findings)

    @property
    def reason(self) -> str:
        """The first failure, else the greatest remark, else nothing."""
        return self.findings[0].text if self.findings else ""


@dataclass(frozen=True, slots=True)
class Report:
    """Preflight of a whole show.

    Attributes:
        prepared: the show, each cue with its refusal.
        verdicts: one a cue, in the order of the list.
        warnings: what reading the show remarked upon.
    """

    prepared: PreparedShow
    verdicts: tuple[Verdict, ...]
    warnings: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Every cue may GO."""
        return all(verdict.passed for verdict in self.verdicts)

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return a table's rows: cue, name, length, verdict, why."""
        return [
            (
                verdict.number,
                verdict.name,
                f"{verdict.length_s:.1f} s",
                "passed" if verdict.passed else "FAILED",
                verdict.reason,
            )
            for verdict in self.verdicts
        ]


def preflight_show(
    path: Path,
    profile: Profile,
    balance: BalanceTest | None = None,
    progress: Progress | None = None,
) -> Report:
    """Read a show and test every cue.

    Args:
        path: the show's folder or zip.
        profile: the robot that shall play it.
        balance: a test in fast simulation, if there is one.
        progress: is told after every cue.

    Raises:
        ShowError: the show cannot be read.
        StageError: it cannot be prepared for this robot.
    """
    body = body_from_profile(profile)
    loaded = load_show(path, body.table, robots=known_robot)
    gestures = load_gestures(body.table, gesture_folders(profile.name))
    prepared = prepare(loaded, body.table, gestures.motions)
    verdicts = preflight(prepared, body, balance=balance, progress=progress)
    refusals = {verdict.number: verdict.reason for verdict in verdicts if not verdict.passed}
    cues = tuple(
        msgspec.structs.replace(cue, refusal=refusals.get(cue.number, "")[:500])
        for cue in prepared.cues
    )
    warnings = (*loaded.warnings, *gestures.warnings())
    ready = PreparedShow(
        name=prepared.name,
        path=str(path),
        go_guard_s=prepared.go_guard_s,
        cues=cues,
        clips=prepared.clips,
        phrases=prepared.phrases,
        warnings=tuple(warning[:500] for warning in warnings),
    )
    return Report(ready, verdicts, warnings)


def preflight(
    prepared: PreparedShow,
    body: PreflightBody,
    settings: PreflightSettings | None = None,
    balance: BalanceTest | None = None,
    progress: Progress | None = None,
) -> tuple[Verdict, ...]:
    """Test every cue of a prepared show, armed or not."""
    settings = settings or PreflightSettings()
    rest = body.rest_q[list(body.upper.table_index)]
    collision = CollisionModel(body.shapes, body.dynamics.placements(rest))
    verdicts = []
    for done, cue in enumerate(prepared.cues):
        run = run_cue(cue, prepared.clips, body.table, body.rest_q, body.motion)
        findings = [
            *_complaints(run),
            *_joints(run, body, settings),
            *_balance(run, body, settings),
            *_collisions(run, body, collision, settings),
            *_walk(run, body, settings),
        ]
        if balance is not None and not any(finding.fails for finding in findings):
            fall = balance(prepared, cue)
            if fall is not None:
                findings.append(Finding(fall, 0.0, np.inf))
        findings.sort(key=lambda f: (not f.fails, f.time_s if f.fails else -f.load))
        verdicts.append(Verdict(cue.number, cue.name, cue.duration_s, tuple(findings)))
        if progress is not None:
            progress(done + 1, len(prepared.cues))
    return tuple(verdicts)


def _complaints(run: CueRun) -> Iterator[Finding]:
    """Tell what the motion manager refused to do."""
    for note in run.notes:
        yield Finding(note, 0.0, np.inf)


def _joints(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test positions, velocities, accelerations and torques of every joint."""
    upper = body.upper
    middle, reach = 0.5 * (upper.upper + upper.lower), 0.5 * (upper.upper - upper.lower)
    # At its limit a joint is where it may be: only what is beyond is told.
    beyond = np.abs(run.q - middle) / reach
    yield from _worst(run, body, beyond, "range", settings, warn=False)
    yield from _worst(run, body, np.abs(run.dq) / upper.velocity_limit, "speed", settings)
    limit = body.table.acceleration[list(upper.table_index)]
    yield from _worst(run, body, np.abs(run.ddq) / limit, "acceleration", settings)
    states = zip(run.q, run.dq, run.ddq, strict=True)
    torque = np.array([body.dynamics.torque(*state) for state in states])
    torque += body.friction_coulomb * np.sign(run.dq) + body.friction_viscous * run.dq
    # A motor that drives has less torque the faster it turns; one that brakes has all of it.
    drives = torque * run.dq > 0.0
    share = np.where(drives, 1.0 - np.abs(run.dq) / body.no_load_speed, 1.0)
    there = body.stall_torque * np.maximum(share, 1e-3)
    yield from _worst(run, body, np.abs(torque) / there, "torque", settings)


def _worst(
    run: CueRun,
    body: PreflightBody,
    load: Floats,
    what: str,
    settings: PreflightSettings,
    warn: bool = True,
) -> Iterator[Finding]:
    """Tell each joint's greatest load (k, u), if it is worth telling."""
    peaks = np.where(np.isfinite(load), load, np.inf)
    for joint, sample in enumerate(np.argmax(peaks, axis=0)):
        worst = float(peaks[sample, joint])
        if worst > 1.0 + 1e-6 or (warn and settings.warn_share < worst <= 1.0):
            name = body.upper.names[joint].replace("_", " ")
            time_s = float(run.time_s[sample])
            yield Finding(
                f"{name} {100.0 * worst:.0f} % of {what} at {time_s:.2f} s", time_s, worst
            )


def _balance(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test that the centre of mass stays over the feet, as if every pose were held."""
    every = settings.collision_every
    com = np.array([body.dynamics.com(q) for q in run.q[::every]])
    margin = settings.support_margin_m
    for axis, low, high, words in (
        (0, body.heel_m, body.toe_m, ("backward", "forward")),
        (1, -body.half_stance_m, body.half_stance_m, ("to its right", "to its left")),
    ):
        centre, room = 0.5 * (low + high), 0.5 * (high - low) - margin
        shift = com[:, axis] - centre
        sample = int(np.argmax(np.abs(shift)))
        load = abs(float(shift[sample])) / room
        if load > settings.warn_share:
            time_s = float(run.time_s[sample * every])
            word = words[int(shift[sample] > 0.0)]
            text = f"leans {word} to {100.0 * load:.0f} % of its feet at {time_s:.2f} s"
            yield Finding(text, time_s, load)


def _collisions(
    run: CueRun, body: PreflightBody, collision: CollisionModel, settings: PreflightSettings
) -> Iterator[Finding]:
    """Test that arms, head and torso do not run into each other."""
    if not collision:
        return
    every = settings.collision_every
    placements: list[Mapping[str, Floats]] = [body.dynamics.placements(q) for q in run.q[::every]]
    for contact in collision.deepest(placements):
        hands = all(part.endswith("_hand") for part in contact.parts)
        allowed = settings.hands_touch_m if hands else settings.touch_m
        load = contact.depth_m / allowed
        if load > 1.0:
            time_s = float(run.time_s[contact.sample * every])
            one, other = (part.replace("_", " ") for part in contact.parts)
            depth_mm = 1000.0 * contact.depth_m
            text = f"{one} is {depth_mm:.0f} mm inside the {other} at {time_s:.2f} s"
            yield Finding(text, time_s, load)


def _walk(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test that the robot can walk as fast as the cue wants."""
    words = ("walks {:.2f} m/s forward", "walks {:.2f} m/s sideways", "turns at {:.2f} rad/s")
    for axis, word in enumerate(words):
        speed = np.abs(run.velocity[:, axis])
        sample = int(np.argmax(speed))
        limit = float(body.walk_limit[axis])
        time_s = float(run.time_s[sample])
        load = float(speed[sample]) / limit
        if load > 1.0 + 1e-6:
            text = f"{word.format(run.velocity[sample, axis])}, beyond {limit:g}, at {time_s:.2f} s"
            yield Finding(text, time_s, load)
        change = np.abs(np.diff(run.velocity[:, axis])) / np.diff(run.time_s)
        sample = int(np.argmax(change)) if len(change) else 0
        if len(change) and change[sample] > 1.01 * body.walk_acceleration[axis]:
            time_s = float(run.time_s[sample])
            text = f"changes its walk faster than the robot can at {time_s:.2f} s and will lag"
            yield Finding(text, time_s, settings.warn_share)
