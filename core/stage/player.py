"""The player: a show clock, a playhead, and the running cues.

Pure: the caller gives the time, and the player changes only itself and its output. Show time is
the core's clock minus the time of the first GO and all pauses, so that a late or missing tick
delays nothing. The player looks up a moment only when it is due; between moments a tick
evaluates two linear segments.
"""

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import msgspec

from core.link.approach import Goal
from core.link.catalogue import refusals as why
from core.link.statement import Statement
from core.plants.interface import Stepping, Sway
from core.stage.output import StageOutput
from core.stage.prepared import PreparedShow
from core.stage.run import Run
from core.stage.runs import NEVER, Runs
from core.stage.settings import PlayerSettings
from core.stage.timeline import (
    CueTimeline,
    Freeze,
    JumpSegment,
    LiveSegment,
    MarkSegment,
    SwaySegment,
    Unfreeze,
)
from shows.fields import MovingGait
from shows.gaits import Jump
from shows.marks import Place

LATE_S = 0.1  # of a sway or jumps that begin later than this, whole cycles and jumps are left out
Requested: TypeAlias = JumpSegment | LiveSegment | MarkSegment | SwaySegment
_STEPPING: dict[MovingGait, Stepping] = {"walk": Stepping(), "run": Stepping(gait="run")}


class Player:
    """Plays one show. Commands return None, or the reason of their refusal.

    Attributes:
        output: output of the last update.
    """

    def __init__(self, settings: PlayerSettings | None = None) -> None:
        self.output = StageOutput()
        self._runs = Runs(settings or PlayerSettings(), self.output)
        self._index: dict[str, int] = {}
        self._starts_s: tuple[float, ...] = (0.0,)  # of each cue in the list, and its end
        self._name = self._path = ""
        self._go_guard_s = 0.0
        self._standby = 0
        self._following = ""
        self._led = -1  # index of the cue whose GO moved the playhead last
        self._origin_s: float | None = None  # core time at which the show clock read zero
        self._paused_clock_s: float | None = None
        self._frozen_by_pause: tuple[str, ...] = ()
        self._last_go_s = -NEVER
        self._swaying, self._jumping, self._marking = _Request(), _Request(), _Request()
        self._living = _Request()
        self._told = True  # the output was returned; the next statement starts a new one

    @property
    def settings(self) -> PlayerSettings:
        """Settings of the player."""
        return self._runs.settings

    @settings.setter
    def settings(self, settings: PlayerSettings) -> None:
        self._runs.settings = settings

    # State for the operator

    @property
    def show_name(self) -> str:
        """Name of the loaded show, or empty."""
        return self._name

    @property
    def show_path(self) -> str:
        """Path from which the loaded show was read, or empty."""
        return self._path

    @property
    def standby(self) -> str:
        """Number of the cue that GO starts, or empty at the end of the list."""
        return "" if self._at_end else self._runs.cues[self._standby].number

    @property
    def following(self) -> str:
        """Number of the cue on standby after the next GO, or empty at the end of the list."""
        return self._following

    @property
    def running(self) -> tuple[str, ...]:
        """Numbers of the cues that run or wait to start, oldest first."""
        return tuple(run.cue.number for run in self._runs.running)

    @property
    def plays(self) -> bool:
        """A cue runs or waits to start."""
        return bool(self._runs.running)

    @property
    def current(self) -> CueTimeline | None:
        """The running cue that began last."""
        newest = self._runs.newest
        return None if newest is None else newest.cue

    @property
    def last_go_s(self) -> float:
        """Core time of the last accepted GO since the beginning of the show [s]."""
        return self._last_go_s

    @property
    def paused(self) -> bool:
        """The show clock is paused."""
        return self._paused_clock_s is not None

    def clock_s(self, now_s: float) -> float:
        """Return the show clock [s], zero before the first GO."""
        if self._paused_clock_s is not None:
            return self._paused_clock_s
        return 0.0 if self._origin_s is None else now_s - self._origin_s

    def position_s(self, now_s: float) -> float:
        """Return the position in the list of the current cue, or of the one on standby [s]."""
        newest, starts_s = self._runs.newest, self._starts_s
        if newest is None:
            return starts_s[min(self._standby, len(starts_s) - 1)]
        cue = newest.cue
        begun_s = starts_s[self._index[cue.number]] + cue.pre_wait_s
        return begun_s + min(max(0.0, self.elapsed_s(now_s)), cue.duration_s)

    def elapsed_s(self, now_s: float) -> float:
        """Return the elapsed time of the current cue [s], zero without one."""
        newest = self._runs.newest
        return 0.0 if newest is None else self.clock_s(now_s) - newest.start_s

    # Commands

    def may_load(self) -> Statement | None:
        """Return the reason why no show can be loaded now, or None."""
        if self._runs.running:
            return why.CUE_RUNS(cue=self.running[0])
        return None

    def load(self, show: PreparedShow) -> Statement | None:
        """Load a show with its first cue on standby, or another version of the loaded show."""
        refusal = self.may_load()
        if refusal is not None:
            return refusal
        before = self._runs.cues
        ahead = [cue.number for cue in before[self._standby :]]
        self._runs.take(show.cues)
        self._index = {cue.number: index for index, cue in enumerate(show.cues)}
        self._starts_s = tuple(accumulate(map(_slot_s, show.cues), initial=0.0))
        self._name, self._path = show.name, show.path
        self._go_guard_s = show.go_guard_s
        self._rewind()
        if show.keep_standby and before:
            kept = (self._index[number] for number in ahead if number in self._index)
            self._put_standby(next(kept, len(show.cues)))
        return None

    def go(self, now_s: float, cue: str | None = None, stance: str = "any") -> Statement | None:
        """Start the standby cue and move the playhead behind its chain, or start a cue by number.

        Starting a cue by number does not move the playhead, unless it is the standby cue.

        Args:
            now_s: the core's clock [s].
            cue: number of the cue; None starts the standby cue.
            stance: present stance of the robot: "standing", "walking" or, if not known, "any".
        """
        since_s = now_s - self._last_go_s
        if since_s < self._go_guard_s:
            return why.GO_GUARDED(since_s=since_s, guard_s=self._go_guard_s)
        if self.paused:
            return why.GO_PAUSED()
        if self._runs.leaving:
            return why.GO_WITHOUT_OPERATOR()
        index = self._standby if cue is None else self._index.get(cue, -1)
        if index < 0:
            return why.NO_CUE(cue=cue or "")
        if index >= len(self._runs.cues):
            return self._nothing_to_start()
        reason = self._refusal(index, stance)
        if reason is not None:
            return reason
        self._say()
        self.output.done = False
        self._last_go_s = now_s
        if self._origin_s is None:
            self._origin_s = now_s
        if index == self._standby:
            self._led = index
            self._put_standby(self._behind_chain(index))
        clock_s = now_s - self._origin_s
        self._runs.schedule(index, clock_s + self._runs.cues[index].pre_wait_s)
        return None

    def pause(self, now_s: float) -> Statement | None:
        """Pause the show clock: limbs freeze, the robot stands, voices stop."""
        if self.paused:
            return why.PAUSED_ALREADY()
        if not self._runs.running:
            return why.NOTHING_RUNS()
        self._say()
        clock_s = self.clock_s(now_s)
        self._paused_clock_s = clock_s
        moving = [group for group, run in self._runs.owner.items() if group not in run.frozen]
        self._frozen_by_pause = tuple(moving)
        if moving:
            self.output.limbs.append(Freeze(0.0, self._frozen_by_pause))
        self._runs.silence(clock_s)
        return None

    def resume(self, now_s: float) -> Statement | None:
        """Resume the show at the point where it was paused."""
        if self._paused_clock_s is None:
            return why.NOT_PAUSED()
        self._say()
        clock_s = self._unpause(now_s)
        if self._frozen_by_pause:
            self.output.limbs.append(Unfreeze(0.0, self._frozen_by_pause))
        self._runs.announce_all_again(now_s, clock_s)
        return None

    def cancel(self, now_s: float) -> Statement | None:
        """End every cue now; limbs return to rest, the robot stands.

        The cue on standby stays. If the last GO moved the playhead to the end of the list, the
        first cue of its chain that has not started is put on standby; if all have started, the
        first one that was cut.
        """
        if not self._runs.running:
            return why.NOTHING_RUNS()
        self._say()
        clock_s = self._unpause(now_s) if self.paused else self.clock_s(now_s)
        cut = self._runs.cut_of(self._led) if self._at_end else -1
        self._runs.stop_all(now_s, clock_s)
        if cut >= 0:
            self._put_standby(cut)
        self.output.done = self._at_end
        return None

    def goto(self, number: str) -> Statement | None:
        """Put a cue on standby without starting it."""
        index = self._index.get(number)
        if index is None:
            return why.NO_CUE(cue=number)
        self._put_standby(index)
        self.output.done = False
        return None

    def reset(self, now_s: float) -> Statement | None:
        """End every cue and put the first one on standby; the show clock returns to zero."""
        self.cancel(now_s)
        self._rewind()
        return None

    def arm(self, number: str, armed: bool) -> Statement | None:
        """Arm or disarm a cue; a running cue continues."""
        index = self._index.get(number)
        if index is None:
            return why.NO_CUE(cue=number)
        self._runs.armed[index] = armed
        return None

    def operator_lost(self, now_s: float) -> None:
        """Run to the next safe point, within a time limit, and stop there; no cue starts.

        Cues that have not begun are dropped; the playhead moves as in `cancel`. A paused show
        stays paused. The return of an operator has no effect until the next GO.
        """
        if self._runs.leaving or self.paused or not self._runs.running:
            return
        self._say()
        cut = self._runs.cut_of(self._led) if self._at_end else -1
        self._runs.leave(now_s, self.clock_s(now_s))
        run = self._runs.find(cut)
        if cut >= 0 and (run is None or run.stop_at_s < run.length_s):
            self._put_standby(cut)

    def voice_came(self, now_s: float) -> None:
        """Announce present and upcoming phrases again to a voice that has just started."""
        self._say()
        self.output.voice_stopped = True  # a phrase that it already has must not play twice
        self.output.voices.clear()
        if not self.paused:
            self._runs.announce_all_again(now_s, self.clock_s(now_s))

    # The tick

    def update(self, now_s: float) -> StageOutput:
        """Return the output at a time [s]; the next update overwrites it."""
        output, runs = self.output, self._runs
        if self._told and output.happened:
            output.clear()
        paused = self._paused_clock_s
        if paused is None:
            clock_s = now_s - self._origin_s if self._origin_s is not None else 0.0
            if clock_s >= runs.due_s:
                self._say()
                runs.advance(now_s, clock_s)
                output.done = self._at_end and not runs.running
        else:
            clock_s = paused
        velocity = output.velocity
        run = runs.walker
        if run is not None and run.walk is not None and paused is None:
            walk = run.walk
            dt = clock_s - run.start_s - walk.time_s
            velocity[0] = walk.vx + walk.ax * dt
            velocity[1] = walk.vy + walk.ay * dt
            velocity[2] = walk.yaw_rate + walk.yaw_acceleration * dt
            output.walking = True
            output.stepping = _STEPPING[walk.gait]
        elif output.walking:
            velocity[:] = 0.0
            output.walking = False
            output.stepping = _STEPPING["walk"]
        run = runs.jumper if paused is None else None
        if run is not None or self._jumping.segment is not None:
            self._jump(run, clock_s)
        run = runs.marker if paused is None else None
        if run is not None or self._marking.segment is not None:
            self._mark(run, clock_s)
        run = runs.poser
        if run is not None and run.body is not None:
            body = run.body
            dt = clock_s - run.start_s - body.time_s
            a, b, c, d = body.slopes
            output.body[0], output.body[1] = body.lower + a * dt, body.roll + b * dt
            output.body[2], output.body[3] = body.pitch + c * dt, body.yaw + d * dt
            output.posed = True
        elif output.posed:
            output.body[:] = 0.0
            output.posed = False
        run = runs.swayer if paused is None else None
        if run is not None or self._swaying.segment is not None:
            self._sway(run, clock_s)
        run = runs.partner if paused is None else None
        if run is not None or self._living.segment is not None:
            self._live(run, clock_s)
        run = runs.looker
        if run is not None and run.head is not None:
            head = run.head
            dt = clock_s - run.start_s - head.time_s
            output.head[0] = head.yaw + head.yaw_rate * dt
            output.head[1] = head.pitch + head.pitch_rate * dt
            output.look = head.point
            output.head_held = True
        elif output.head_held:
            output.look, output.head_held = None, False
            output.head_released = True
            output.happened = True
        self._told = True
        return output

    # Internal

    def _jump(self, run: Run | None, clock_s: float) -> None:
        """Request the jumps of a cue anew where they are other ones, or after a pause."""
        segment = None if run is None else run.jump
        late_s = self._jumping.take(run, segment, clock_s)
        if late_s is None:
            return
        self.output.jump = None
        if segment is not None:
            count = segment.count - max(0, math.ceil(late_s / segment.period_s))
            way = segment.dx, segment.dy, segment.turn
            if count > 0:
                self.output.jump = Jump(count, segment.flight_s, *way, segment.period_s)

    def _mark(self, run: Run | None, clock_s: float) -> None:
        """Request the walk to a mark anew where it is another one, or after a pause."""
        segment = None if run is None else run.mark
        if self._marking.take(run, segment, clock_s) is None:
            return
        self.output.goal = None
        if segment is not None:
            place = Place(segment.x, segment.y, segment.heading)
            self.output.goal = Goal(place, segment.foot, segment.name)

    def _sway(self, run: Run | None, clock_s: float) -> None:
        """Request the sway of a cue anew where it is another one, or after a pause."""
        segment = None if run is None else run.sway
        late_s = self._swaying.take(run, segment, clock_s)
        if late_s is None:
            return
        self.output.sway = None
        if segment is not None:
            cycles = segment.cycles - max(0, math.ceil(late_s * segment.frequency_hz))
            kind = segment.direction, segment.amplitude_m, segment.frequency_hz
            if cycles > 0:
                self.output.sway = Sway(*kind, cycles)

    def _live(self, run: Run | None, clock_s: float) -> None:
        """Request to follow a person anew where it is another clip, or after a pause."""
        segment = None if run is None else run.live
        if self._living.take(run, segment, clock_s) is not None:
            order = None if segment is None else segment.order
            self.output.live = None if order is None else msgspec.structs.replace(order)

    def _say(self) -> None:
        """Start a new output, unless it was changed since the last update."""
        if self._told:
            self.output.clear()
            self._told = False
        self.output.happened = True

    @property
    def _at_end(self) -> bool:
        """The playhead is behind the last cue."""
        return self._standby >= len(self._runs.cues)

    def _rewind(self) -> None:
        """Return to the beginning of the show."""
        self._put_standby(0)
        self._led = -1
        self._origin_s = None
        self._paused_clock_s = None
        self._last_go_s = -NEVER
        self.output.done = False

    def _put_standby(self, index: int) -> None:
        """Move the playhead."""
        self._standby = index
        after = len(self._runs.cues) if self._at_end else self._behind_chain(index)
        cues = self._runs.cues
        self._following = cues[after].number if after < len(cues) else ""

    def _unpause(self, now_s: float) -> float:
        """Resume the clock and return it [s]."""
        clock_s = self.clock_s(now_s)
        self._paused_clock_s = None
        self._origin_s = now_s - clock_s
        return clock_s

    def _refusal(self, index: int, stance: str) -> Statement | None:
        """Return the reason why a cue must not start, or None."""
        runs = self._runs
        cue = runs.cues[index]
        if runs.find(index) is not None:
            return why.CUE_RUNS_ALREADY(cue=cue.number)
        if "any" not in (stance, cue.entry_stance) and stance != cue.entry_stance:
            return why.WRONG_STANCE(cue=cue.number, entry=cue.entry_stance, stance=stance)
        if self.settings.show_mode:
            for member in (runs.cues[i] for i in runs.chain(index) if runs.armed[i]):
                if member.refusal:
                    return why.CUE_FAILED(cue=member.number, text=member.refusal)
        return None

    def _nothing_to_start(self) -> Statement:
        """Return the reason why no cue is on standby."""
        if not self._runs.cues:
            return why.NO_CUES()
        if self._runs.running:  # the end of the list may be minutes away
            return why.NO_STANDBY()
        return why.SHOW_PLAYED()

    def _behind_chain(self, index: int) -> int:
        """Return the index of the first cue after a chain."""
        cues = self._runs.cues
        following = cues[self._runs.chain(index)[-1]].following
        return following if following >= 0 else len(cues)


@dataclass(slots=True, eq=False)
class _Request:
    """The sway, the jumps, the walk to a mark or the live clip that were requested last."""

    run: Run | None = None
    segment: Requested | None = None

    def take(self, run: Run | None, segment: Requested | None, clock_s: float) -> float | None:
        """Take the present ones; return how late they begin beyond LATE_S, None if they are known.

        Args:
            run: the cue; None: none requests such a thing.
            segment: what it requests; None without.
            clock_s: the show clock [s].
        """
        if run is self.run and segment is self.segment:
            return None
        self.run, self.segment = run, segment
        if run is None or segment is None:
            return 0.0
        return clock_s - run.start_s - segment.time_s - LATE_S


def _slot_s(cue: CueTimeline) -> float:
    """Return the length of a cue in the list, waits included [s]."""
    return cue.pre_wait_s + cue.duration_s + cue.post_wait_s
