"""Preflight: tests every cue against the robot's limits before it may move anything.

A dry run passes each cue through the same player and motion manager that play it on stage, and
tests their output, hand-overs included. The earliest failure is the reason of the result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np

from core.behave.clip import Clip
from core.constants import GRAVITY
from core.handset.kept import kept_path, read_kept
from core.robot.collision import CollisionModel
from core.robot.joint_table import known_robot
from core.robot.profile import Profile
from core.stage.body import Footing, PreflightBody, body_from_profile
from core.stage.dry_run import STEP_S, CueRun, run_cue
from core.stage.finding import Finding, PreflightSettings
from core.stage.flatten import prepare
from core.stage.gait_check import LAG_RAD, LATE_S, WORDS
from core.stage.led_check import LedCheck, takes_of
from core.stage.led_run import LedRuns
from core.stage.live_check import Led, LiveCheck
from core.stage.mark_check import MarkCheck
from core.stage.prepared import PreparedShow
from core.stage.squat import Squat
from core.stage.timeline import CueTimeline, LiveSegment, MarkSegment
from core.stage.torques import torques
from devices.interface import Floats
from shows.body_limb import ROLES
from shows.folders import gesture_folders
from shows.gestures import load_gestures
from shows.storage import LoadedShow, load_show
from shows.uses import trigger_warnings, use_faults, use_of

_ADVICE = {
    "walk": "walk slower",
    "run": "run slower",
    "jump": "change the flight or jump less far",
    "stance": "give it more time to come to rest",
}
SHIFTS = ROLES.index("forward"), ROLES.index("left")
"""The body's coordinates that move the centre of mass along x and y."""
Progress: TypeAlias = Callable[[int, int], None]
"""Takes the number of cues that are done and the number of all cues."""


@dataclass(frozen=True, slots=True)
class PreflightResult:
    """The result of a cue's preflight.

    Attributes:
        number, name: number and name of the cue.
        length_s: length of its action [s].
        findings: failures by time, then warnings by load.
    """

    number: str
    name: str
    length_s: float
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the cue may GO."""
        return not any(finding.fails for finding in self.findings)

    @property
    def reason(self) -> str:
        """The first failure; else the greatest warning; else empty."""
        return self.findings[0].text if self.findings else ""


@dataclass(frozen=True, slots=True)
class Report:
    """Preflight of a whole show.

    Attributes:
        prepared: the show; a cue that failed has the reason as its refusal.
        results: the result of each cue, in the order of the list.
        warnings: warnings from reading the show.
    """

    prepared: PreparedShow
    results: tuple[PreflightResult, ...]
    warnings: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every cue may GO."""
        return all(result.passed for result in self.results)

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return the rows of a table: cue, name, length, result, reason."""
        return [
            (
                result.number,
                result.name,
                f"{result.length_s:.1f} s",
                "passed" if result.passed else "FAILED",
                result.reason,
            )
            for result in self.results
        ]


def preflight_show(
    path: Path,
    profile: Profile,
    progress: Progress | None = None,
    with_takes: bool = False,
) -> Report:
    """Read a show and test every cue.

    Args:
        path: the show's folder or zip.
        profile: the robot that plays it.
        progress: called after every cue.
        with_takes: test live clips by the takes in the show's folder, too; a take of a minute takes
            some seconds.

    Raises:
        ShowError: the show, or a take, cannot be read.
        StageError: the show cannot be prepared for this robot.
        ProfileError: the robot's model cannot be read, or its profile does not fit it.
    """
    body = body_from_profile(profile)
    loaded = load_show(path, body.table, robots=known_robot)
    gestures = load_gestures(body.table, gesture_folders(profile.name))
    prepared = prepare(loaded, body.table, gestures.motions)
    led = None
    moments = (moment for cue in prepared.cues for moment in cue.moments)
    if with_takes and any(isinstance(moment, LiveSegment) for moment in moments):
        judge = partial(_limbs, body=body, settings=PreflightSettings())
        led = LedCheck(LedRuns(profile), takes_of(loaded.folder), judge).findings
    results = preflight(prepared, body, progress=progress, answers=loaded.answers, led=led)
    cues = tuple(map(_judged, prepared.cues, results))
    mapped = mapping_warnings(loaded, prepared, profile)
    warnings = (*loaded.warnings, *gestures.warnings(), *mapped)
    short = tuple(warning[:500] for warning in warnings)
    ready = replace(prepared, path=str(path), cues=cues, warnings=short)
    return Report(ready, results, warnings)


def mapping_warnings(loaded: LoadedShow, prepared: PreparedShow, profile: Profile) -> Iterator[str]:
    """Yield a warning for each trigger and button whose names show and robot do not have."""
    poses = {**profile.hand_poses, **loaded.show.settings.hand_poses}
    stock = prepared.clips, prepared.phrases, poses
    yield from trigger_warnings(loaded.show, *stock)
    if profile.handset is None:
        return
    kept, _ = read_kept(kept_path(profile.name))
    for place, text in enumerate((kept or profile.handset.map).buttons, 1):
        use = use_of(text)
        for fault in () if use is None else use_faults(use, *stock):
            yield f"button {place} of the handset {fault}"


def _judged(cue: CueTimeline, result: PreflightResult) -> CueTimeline:
    """Return a cue with the reason and the time of its refusal, if it failed."""
    if result.passed:
        return cue
    first = result.findings[0]
    return msgspec.structs.replace(cue, refusal=first.text[:500], refusal_s=first.time_s)


def preflight(
    prepared: PreparedShow,
    body: PreflightBody,
    settings: PreflightSettings | None = None,
    progress: Progress | None = None,
    answers: Mapping[str, tuple[str, ...]] | None = None,
    led: Led | None = None,
) -> tuple[PreflightResult, ...]:
    """Test every cue of a prepared show, armed or not.

    Args:
        prepared: the show.
        body: the robot that plays it.
        settings: margins; None: the usual ones.
        progress: called after every cue.
        answers: names of the motions with which each repertoire answers, by its name.
        led: tests an order to mirror a person by recorded ones; None: it is not tested.
    """
    settings = settings or PreflightSettings()
    results = []
    marks = None if body.walk is None else MarkCheck(body.walk.pace)
    judge = partial(_findings, clips=prepared.clips, body=body, settings=settings)
    live = LiveCheck(body, prepared.clips, answers or {}, judge, led)
    for done, cue in enumerate(prepared.cues):
        findings = [*judge(cue), *_marks(cue, body, marks, settings), *live.findings(cue)]
        findings.sort(key=lambda f: (not f.fails, f.time_s if f.fails else -f.load))
        results.append(PreflightResult(cue.number, cue.name, cue.duration_s, tuple(findings)))
        if progress is not None:
            progress(done + 1, len(prepared.cues))
    return tuple(results)


def _findings(
    cue: CueTimeline, clips: Mapping[str, Clip], body: PreflightBody, settings: PreflightSettings
) -> Iterator[Finding]:
    """Test a cue by a dry run."""
    run = run_cue(cue, clips, body.table, body.rest_q, body.motion)
    yield from _limbs(run, body, settings)
    yield from _walk(run, body, settings)
    yield from _gait(run, body, settings)
    yield from _body(run, body, settings)
    if run.sway.any():
        yield from _squats(run, body, body.squat, settings)


def _limbs(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test the joints, the balance and the collisions of a run."""
    yield from _complaints(run)
    yield from _joints(run, body, settings)
    if body.footing is not None:
        yield from _balance(run, body, body.footing, settings)
    if body.collision is not None:
        yield from _collisions(run, body, body.collision, settings)


def _complaints(run: CueRun) -> Iterator[Finding]:
    """Return the motion manager's refusals."""
    for note in run.notes:
        yield Finding(note, 0.0, np.inf)


def _joints(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test positions, velocities, accelerations and torques of every joint."""
    upper = body.upper
    middle, reach = 0.5 * (upper.upper + upper.lower), 0.5 * (upper.upper - upper.lower)
    # A joint may be at its limit, so there is no warning below it.
    beyond = np.abs(run.q - middle) / reach
    yield from _worst(run, upper.names, beyond, "range", settings, warn=False)
    yield from _worst(run, upper.names, np.abs(run.dq) / upper.velocity_limit, "speed", settings)
    limit = body.table.acceleration[list(upper.table_index)]
    yield from _worst(run, upper.names, np.abs(run.ddq) / limit, "acceleration", settings)
    torque, available = torques(body, run.q, run.dq, run.ddq)
    yield from _worst(run, upper.names, np.abs(torque) / available, "torque", settings)


def _body(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test range, speed and acceleration of the body's coordinates, if the robot has them.

    The legs hold every posture within the ranges of the profile: that is what they are chosen for.
    """
    table = body.table
    own = slice(table.joint_count, None)
    names = table.names[own]
    q, dq, ddq = run.body.transpose(1, 0, 2)
    middle, reach = 0.5 * (table.upper + table.lower)[own], 0.5 * (table.upper - table.lower)[own]
    for load, quantity in (
        (np.abs(q - middle) / reach, "range"),
        (np.abs(dq) / table.velocity_limit[own], "speed"),
        (np.abs(ddq) / table.acceleration[own], "acceleration"),
    ):
        yield from _worst(run, names, load, quantity, settings, warn=quantity != "range")


def _worst(
    run: CueRun,
    names: Sequence[str],
    load: Floats,
    quantity: str,
    settings: PreflightSettings,
    warn: bool = True,
) -> Iterator[Finding]:
    """Return the greatest load (k, u) of each named joint, if it fails or needs a warning."""
    if not names:
        return
    peaks = np.where(np.isfinite(load), load, np.inf)
    for joint, sample in enumerate(np.argmax(peaks, axis=0)):
        worst = float(peaks[sample, joint])
        if worst > 1.0 + 1e-6 or (warn and settings.warn_share < worst <= 1.0):
            name = names[joint].replace("_", " ")
            time_s = float(run.time_s[sample])
            yield Finding(
                f"{name} {100.0 * worst:.0f} % of {quantity} at {time_s:.2f} s", time_s, worst
            )


def _balance(
    run: CueRun, body: PreflightBody, footing: Footing, settings: PreflightSettings
) -> Iterator[Finding]:
    """Test that the pressure stays under the feet.

    Every posture counts as if it were held: its pressure is below the centre of mass. A shift x of
    the body adds its own, x - x'' h / g of a pendulum of the height h, and a sway the amplitude of
    its pressure, A (1 + ω² h / g).
    """
    every = _stride(settings)
    com = np.array([body.dynamics.com(q) for q in run.q[::every]])
    margin, half_width = settings.support_margin_m, footing.half_width_m
    for axis, low, high, words in (
        (0, footing.heel_m, footing.toe_m, ("backward", "forward")),
        (1, -half_width, half_width, ("to its right", "to its left")),
    ):
        centre, room = 0.5 * (low + high), 0.5 * (high - low) - margin
        shift = com[:, axis] - centre
        if run.body.size:
            place, _, acceleration = run.body[::every, :, SHIFTS[axis]].T
            shift += place - acceleration * com[:, 2] / GRAVITY
        sway = run.sway[::every, axis] * (1.0 + run.sway_rate[::every] ** 2 * com[:, 2] / GRAVITY)
        shift += np.where(shift < 0.0, -sway, sway)
        sample = int(np.argmax(np.abs(shift)))
        load = abs(float(shift[sample])) / room
        if load > settings.warn_share:
            time_s = float(run.time_s[sample * every])
            word = words[int(shift[sample] > 0.0)]
            verb = "sways" if sway[sample] else "leans"
            text = f"{verb} {word} to {100.0 * load:.0f} % of its feet at {time_s:.2f} s"
            yield Finding(text, time_s, load)


def _squats(
    run: CueRun, body: PreflightBody, squat: Squat | None, settings: PreflightSettings
) -> Iterator[Finding]:
    """Test range and torque of the legs at the lowest and the highest point of every squat."""
    if squat is None:
        time_s = float(run.time_s[np.argmax(run.sway.any(axis=1))])
        yield Finding(f"sways at {time_s:.2f} s; this robot does not sway", time_s, np.inf)
        return
    rise = run.sway[:, 2]
    for sign, point in ((-1.0, "lowest"), (1.0, "highest")):
        height = np.where(rise > 0.0, sign * rise - run.lower, 0.0)
        sample = int(np.argmax(np.where(rise > 0.0, sign * height, -np.inf)))
        if not rise[sample] > 0.0:
            continue
        time_s, rate = float(run.time_s[sample]), float(run.sway_rate[sample])
        where = f"at the {point} point of the squat at {time_s:.2f} s"
        crouch = squat.at(float(height[sample]), -sign * float(rise[sample]) * rate**2)
        if crouch is None:
            yield Finding(f"the legs do not reach the ground {where}", time_s, np.inf)
            continue
        for quantity, shares in (("range", crouch.beyond), ("torque", crouch.torque)):
            joint = int(np.argmax(shares))
            load = float(shares[joint])
            warns = quantity == "torque" and load > settings.warn_share
            if load > 1.0 or warns:
                name = squat.names[joint].replace("_", " ")
                yield Finding(f"{name} {100.0 * load:.0f} % of {quantity} {where}", time_s, load)


def _collisions(
    run: CueRun, body: PreflightBody, collision: CollisionModel, settings: PreflightSettings
) -> Iterator[Finding]:
    """Test that the pairs of bodies in the profile stay apart."""
    every = _stride(settings)
    placements = [body.dynamics.placements(q) for q in run.q[::every]]
    yield from _contacts(collision, placements, run.time_s[::every].tolist(), settings)


def _contacts(
    collision: CollisionModel,
    placements: Sequence[Mapping[str, Floats]],
    times_s: Sequence[float],
    settings: PreflightSettings,
) -> Iterator[Finding]:
    """Return the pairs of bodies that are too near, by the placements at some times (k) [s]."""
    for contact in collision.deepest(placements):
        may = settings.touch_penetration_m if contact.may_touch else settings.penetration_m
        load = contact.depth_m / may
        if load > 1.0:
            time_s = times_s[contact.sample]
            one, other = (name.replace("_", " ") for name in contact.bodies)
            depth_mm = 1000.0 * contact.depth_m
            text = f"{one} is {depth_mm:.0f} mm inside the {other} at {time_s:.2f} s"
            yield Finding(text, time_s, load)


def _stride(settings: PreflightSettings) -> int:
    """Return the number of dry-run samples from one test of a posture to the next."""
    return max(1, round(settings.posture_period_s / STEP_S))


def _gait(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test that the robot has the gaits of the cue, and plan its runs and jumps."""
    gaits = body.table.gaits
    jumps = [time_s for time_s, jump in run.jumps if jump is not None]
    begins: dict[str, float] = {}
    if run.running.any():
        begins["run"] = float(run.time_s[np.argmax(run.running)])
    if jumps:
        begins["jump"] = jumps[0]
    refused = False
    for gait, time_s in begins.items():
        reason = gaits.refusal(gait)
        if reason:
            refused = True
            yield Finding(f"{gait}s at {time_s:.2f} s; {reason}", time_s, np.inf)
    if gaits.jump is not None:
        for time_s, jump in run.jumps:
            if jump is not None:
                for _, reason in gaits.jump.faults(jump):
                    yield Finding(f"jumps at {time_s:.2f} s; {reason}", time_s, np.inf)
    loads = None if refused or body.gait is None else body.gait.loads(run)
    if loads is None or body.gait is None:
        return
    for found, why in (
        (loads.refused, "the planner finds no footsteps for the"),
        (loads.unsolved, "the feet do not reach their places in the"),
    ):
        if found is not None:
            time_s, gait_now = found
            word = WORDS[gait_now]
            text = f"{why} {word} at {time_s:.2f} s; {_ADVICE[word]}"
            yield Finding(text, time_s, np.inf)
    for made in loads.jumps:
        if made.made < made.count:
            share = f"only {made.made}" if made.made else "none"
            text = (
                f"makes {share} of its {made.count} jumps at {made.time_s:.2f} s; "
                "lengthen the clip or start it later"
            )
            yield Finding(text, made.time_s, settings.warn_share)
        elif made.late_s > LATE_S:
            text = (
                f"jumps at {made.time_s:.2f} s leave the ground {made.late_s:.1f} s late, because "
                "the robot still steps; start them later"
            )
            yield Finding(text, made.time_s, settings.warn_share)
    # A joint may be at the limit of its range, so there is no warning below it.
    for peaks, least in ((loads.span, 1.0), (loads.lag, settings.warn_share)):
        for peak in peaks:
            if peak.load > least:
                word = WORDS[peak.gait]
                name = body.gait.names[peak.joint].replace("_", " ")
                what = f"{name} {100.0 * peak.load:.0f} % of range in the {word} at "
                if peaks is loads.lag:
                    what = (
                        f"{name} lacks torque in the {word}, and lags by "
                        f"{LAG_RAD * peak.load:.3f} rad of {LAG_RAD:g} rad allowed at "
                    )
                yield Finding(f"{what}{peak.time_s:.2f} s; {_ADVICE[word]}", peak.time_s, peak.load)
    if body.collision is not None and body.whole is not None:
        placements = [body.whole.placements(q) for q in loads.postures]
        yield from _contacts(body.collision, placements, loads.times_s, settings)


def _marks(
    cue: CueTimeline, body: PreflightBody, marks: MarkCheck | None, settings: PreflightSettings
) -> Iterator[Finding]:
    """Test that the robot makes the cue's walks to marks, and in their time."""
    for moment in cue.moments:
        if not (isinstance(moment, MarkSegment) and moment.walking):
            continue
        where = f"walks to {moment.name} at {moment.time_s:.2f} s"
        if marks is None:
            yield Finding(f"{where}; this robot cannot walk", moment.time_s, np.inf)
        elif moment.foot != "either" and not body.chooses_foot:
            text = f"{where}; this robot cannot choose its last foot, choose either foot"
            yield Finding(text, moment.time_s, np.inf)
    if marks is None:
        return
    for late in marks.late(cue):
        text = (
            f"the walk to {late.mark} at {late.time_s:.2f} s takes some {late.needed_s:.0f} s and "
            f"has {late.length_s:.1f} s; lengthen its clip"
        )
        yield Finding(text, late.time_s, settings.warn_share)


def _walk(run: CueRun, body: PreflightBody, settings: PreflightSettings) -> Iterator[Finding]:
    """Test that the robot can walk as fast as the cue commands."""
    if body.walk is None:
        if run.velocity.any():
            time_s = float(run.time_s[np.argmax(run.velocity.any(axis=1))])
            yield Finding(f"walks at {time_s:.2f} s; this robot cannot walk", time_s, np.inf)
        return
    words = ("{verb} {:.2f} m/s forward", "{verb} {:.2f} m/s sideways", "turns at {:.2f} rad/s")
    fastest = body.table.gaits.run
    gaits = [("walks", ~run.running, body.walk.speed)]
    if fastest is not None:
        limits = np.array([fastest.forward, fastest.sideways, fastest.turning])
        gaits.append(("runs", run.running, limits))
    for axis, word in enumerate(words):
        for verb, during, most in gaits:
            speed = np.abs(run.velocity[:, axis]) * during
            sample = int(np.argmax(speed))
            limit = float(most[axis])
            time_s = float(run.time_s[sample])
            load = float(speed[sample]) / limit
            if load > 1.0 + 1e-6:
                said = word.format(run.velocity[sample, axis], verb=verb)
                text = f"{said}, beyond {limit:g}, at {time_s:.2f} s"
                yield Finding(text, time_s, load)
        change = np.abs(np.diff(run.velocity[:, axis])) / np.diff(run.time_s)
        sample = int(np.argmax(change)) if len(change) else 0
        if len(change) and change[sample] > 1.01 * body.walk.acceleration[axis]:
            time_s = float(run.time_s[sample])
            text = f"changes its walk faster than the robot can at {time_s:.2f} s and will lag"
            yield Finding(text, time_s, settings.warn_share)
