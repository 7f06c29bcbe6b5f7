"""The player: a show clock, a playhead, and the cues that run.

Pure: it is told the time and does nothing but change itself and its output. Show time is the
core's clock less the moment of the first GO and every pause, so that a late or missing tick
moves nothing. What happens at a moment is looked up only when the moment comes; a tick in
between evaluates two straight lines.
"""

from bisect import bisect_left

import msgspec

from core.stage.output import Phrase, StageOutput
from core.stage.prepared import PreparedShow
from core.stage.run import Run
from core.stage.timeline import (
    Continue,
    CueTimeline,
    EventText,
    Freeze,
    GestureEnd,
    GestureStart,
    HeadSegment,
    Unfreeze,
    VoiceStart,
    WalkSegment,
)

NEVER = float("inf")


class PlayerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the player treats its operator.

    Attributes:
        voice_lead_s: how far ahead of its time a phrase is announced [s].
        safe_point_within_s: how long a cue may look for a safe point without an operator [s].
        show_mode: a cue that failed preflight cannot GO; in rehearsal it is only noted.
    """

    voice_lead_s: float = 0.15
    safe_point_within_s: float = 5.0
    show_mode: bool = True


class Player:
    """Plays one show. Commands return None, or the sentence that says why they are refused.

    Attributes:
        settings: how it treats its operator; another may be set between two cues.
        output: what the last update asked for.
    """

    def __init__(self, settings: PlayerSettings | None = None) -> None:
        self.settings = settings or PlayerSettings()
        self.output = StageOutput()
        self._cues: tuple[CueTimeline, ...] = ()
        self._index: dict[str, int] = {}
        self._armed: list[bool] = []
        self._name = ""
        self._go_guard_s = 0.0
        self._standby = 0
        self._runs: list[Run] = []
        self._owner: dict[str, Run] = {}  # limb group -> the cue that moved it last
        self._walker: Run | None = None
        self._looker: Run | None = None
        self._origin_s: float | None = None  # core time at which the show clock read zero
        self._paused_clock_s: float | None = None
        self._frozen_by_pause: tuple[str, ...] = ()
        self._due_s = NEVER  # show time of the next thing to do
        self._last_go_s = -NEVER
        self._leaving = False  # without an operator, on the way to a safe point
        self._told = True  # the output was handed out; the next word starts afresh

    # What the operator sees

    @property
    def show_name(self) -> str:
        """Name of the loaded show, or empty."""
        return self._name

    @property
    def standby(self) -> str:
        """Number of the cue that GO starts, or empty at the end of the list."""
        return self._cues[self._standby].number if self._standby < len(self._cues) else ""

    @property
    def running(self) -> tuple[str, ...]:
        """Numbers of the cues that run or wait to start, oldest first."""
        return tuple(run.cue.number for run in self._runs)

    @property
    def current(self) -> CueTimeline | None:
        """The cue that began last and still runs."""
        begun = [run for run in self._runs if run.begun]
        return max(begun, key=lambda run: run.rank).cue if begun else None

    @property
    def paused(self) -> bool:
        """The show clock is held."""
        return self._paused_clock_s is not None

    def clock_s(self, now_s: float) -> float:
        """Return the show clock [s], zero before the first GO."""
        if self._paused_clock_s is not None:
            return self._paused_clock_s
        return 0.0 if self._origin_s is None else now_s - self._origin_s

    def elapsed_s(self, now_s: float) -> float:
        """Return how long the current cue has run [s], zero without one."""
        begun = [run for run in self._runs if run.begun]
        if not begun:
            return 0.0
        return self.clock_s(now_s) - max(begun, key=lambda run: run.rank).start_s

    # Commands

    def load(self, show: PreparedShow) -> str | None:
        """Take another show; its first cue is on standby."""
        if self._runs:
            return f"cue {self._runs[0].cue.number} is running; cancel it before loading a show"
        self._cues = show.cues
        self._index = {cue.number: place for place, cue in enumerate(show.cues)}
        self._armed = [cue.armed for cue in show.cues]
        self._name = show.name
        self._go_guard_s = show.go_guard_s
        self._rewind()
        return None

    def go(self, now_s: float, cue: str | None = None, stance: str = "any") -> str | None:
        """Start the standby cue and move the playhead behind its chain, or start a cue by number.

        A cue started by number leaves the playhead alone, unless it is the standby cue.

        Args:
            now_s: the core's clock [s].
            cue: number of the cue; None is the standby cue.
            stance: what the robot does now: "standing", "walking" or, if not known, "any".
        """
        since_s = now_s - self._last_go_s
        if since_s < self._go_guard_s:
            return f"GO {since_s:.2f} s after the last one; the guard is {self._go_guard_s:g} s"
        if self.paused:
            return "the show is paused; resume or cancel it before GO"
        if self._leaving:
            return "without an operator the show is on its way to a safe point; wait for it"
        place = self._standby if cue is None else self._index.get(cue, -1)
        if place < 0:
            return f"the show has no cue {cue}"
        if place >= len(self._cues):
            return "the last cue has been played; reset the show or go to a cue"
        reason = self._refusal(place, stance)
        if reason is not None:
            return reason
        self._say()
        self.output.done = False
        self._last_go_s = now_s
        if self._origin_s is None:
            self._origin_s = now_s
        if place == self._standby:
            self._standby = self._behind_chain(place)
        clock_s = now_s - self._origin_s
        self._schedule(place, clock_s + self._cues[place].pre_wait_s)
        return None

    def pause(self, now_s: float) -> str | None:
        """Hold the show clock: limbs freeze in mid-motion, the robot stands, voices fall silent."""
        if self.paused:
            return "the show is paused already"
        if not self._runs:
            return "no cue is running"
        self._say()
        clock_s = self.clock_s(now_s)
        self._paused_clock_s = clock_s
        moving = [group for group, run in self._owner.items() if group not in run.frozen]
        self._frozen_by_pause = tuple(moving)
        if moving:
            self.output.limbs.append(Freeze(0.0, self._frozen_by_pause))
        if any(run.speaks(clock_s - run.start_s) for run in self._runs):
            self.output.voice_stopped = True
            self.output.voices.clear()
        return None

    def resume(self, now_s: float) -> str | None:
        """Let the show go on from exactly where it was paused."""
        if self._paused_clock_s is None:
            return "the show is not paused"
        self._say()
        clock_s = self._unpause(now_s)
        if self._frozen_by_pause:
            self.output.limbs.append(Unfreeze(0.0, self._frozen_by_pause))
        for run in self._runs:
            self._announce_again(run, now_s, clock_s)
        return None

    def cancel(self, now_s: float) -> str | None:
        """End every cue now; limbs return to rest, the robot stands."""
        if not self._runs:
            return "no cue is running"
        self._say()
        clock_s = self._unpause(now_s) if self.paused else self.clock_s(now_s)
        self._stop_all(now_s, clock_s)
        return None

    def goto(self, number: str) -> str | None:
        """Put a cue on standby without starting it."""
        place = self._index.get(number)
        if place is None:
            return f"the show has no cue {number}"
        self._standby = place
        self.output.done = False
        return None

    def reset(self, now_s: float) -> str | None:
        """End every cue and put the first on standby; the show clock returns to zero."""
        self.cancel(now_s)
        self._rewind()
        return None

    def arm(self, number: str, armed: bool) -> str | None:
        """Arm or disarm a cue; a cue that runs already plays on."""
        place = self._index.get(number)
        if place is None:
            return f"the show has no cue {number}"
        self._armed[place] = armed
        return None

    def operator_lost(self, now_s: float) -> None:
        """Run to the next safe point, within a bound, and stop there; nothing starts by itself.

        Cues that have not begun are dropped. A paused show stays paused. A returning operator
        changes nothing until the next GO.
        """
        if self._leaving or self.paused or not self._runs:
            return
        self._say()
        self._leaving = True
        clock_s = self.clock_s(now_s)
        for run in [run for run in self._runs if not run.begun]:
            self._stop(run, now_s, clock_s)
        for run in self._runs:
            elapsed = clock_s - run.start_s
            bound = elapsed + self.settings.safe_point_within_s
            points = run.cue.safe_points_s
            place = bisect_left(points, elapsed)
            run.stop_at_s = min(bound, points[place] if place < len(points) else NEVER)
        if not self._runs:
            self._leaving = False
        self._plan()

    # The tick

    def update(self, now_s: float) -> StageOutput:
        """Return what the show asks for at a time [s]; the output is overwritten by the next."""
        output = self.output
        if self._told and output.happened:
            output.clear()
        paused = self._paused_clock_s
        if paused is None:
            clock_s = now_s - self._origin_s if self._origin_s is not None else 0.0
            if clock_s >= self._due_s:
                self._say()
                self._advance(now_s, clock_s)
        else:
            clock_s = paused
        velocity = output.velocity
        run = self._walker
        if run is not None and run.walk is not None and paused is None:
            walk = run.walk
            dt = clock_s - run.start_s - walk.time_s
            velocity[0] = walk.vx + walk.ax * dt
            velocity[1] = walk.vy + walk.ay * dt
            velocity[2] = walk.yaw_rate + walk.yaw_acceleration * dt
            output.walking = True
        elif output.walking:
            velocity[:] = 0.0
            output.walking = False
        run = self._looker
        if run is not None and run.head is not None:
            head = run.head
            dt = clock_s - run.start_s - head.time_s
            output.head[0] = head.yaw + head.yaw_rate * dt
            output.head[1] = head.pitch + head.pitch_rate * dt
            output.head_held = True
        elif output.head_held:
            output.head_held = False
            output.head_released = True
            output.happened = True
        self._told = True
        return output

    # Inside

    def _say(self) -> None:
        """Start a fresh output, unless something was said since the last update."""
        if self._told:
            self.output.clear()
            self._told = False
        self.output.happened = True

    def _rewind(self) -> None:
        """Stand at the beginning."""
        self._standby = 0
        self._origin_s = None
        self._paused_clock_s = None
        self._last_go_s = -NEVER
        self._leaving = False
        self.output.done = False

    def _unpause(self, now_s: float) -> float:
        """Let the clock run on and return it [s]."""
        clock_s = self.clock_s(now_s)
        self._paused_clock_s = None
        self._origin_s = now_s - clock_s
        return clock_s

    def _refusal(self, place: int, stance: str) -> str | None:
        """Say why a cue may not GO."""
        cue = self._cues[place]
        if any(run.place == place for run in self._runs):
            return f"cue {cue.number} is running already"
        if "any" not in (stance, cue.entry_stance) and stance != cue.entry_stance:
            return f"cue {cue.number} starts {cue.entry_stance}, and the robot is {stance}"
        if self.settings.show_mode:
            for member in self._chain(place):
                refusal = self._cues[member].refusal
                if refusal and self._armed[member]:
                    number = self._cues[member].number
                    return f"cue {number} failed its preflight: {refusal}"
        return None

    def _chain(self, place: int) -> list[int]:
        """Return the places of a cue and of those that start by themselves after it."""
        places = [place]
        while (cue := self._cues[place]).follow != Continue.NONE and cue.following >= 0:
            place = cue.following
            places.append(place)
        return places

    def _behind_chain(self, place: int) -> int:
        """Return the place of the first cue that does not start by itself after this one."""
        following = self._cues[self._chain(place)[-1]].following
        return following if following >= 0 else len(self._cues)

    def _schedule(self, place: int, start_s: float) -> None:
        """Let a cue begin at a show time."""
        self._runs.append(Run(place, self._cues[place], start_s))
        self._plan()

    def _plan(self) -> None:
        """Find out when the next thing is due, and who walks and who turns the head."""
        lead = self.settings.voice_lead_s
        self._due_s = min((run.start_s + run.next_s(lead) for run in self._runs), default=NEVER)
        walkers = [run for run in self._runs if run.walk is not None]
        self._walker = max(walkers, key=lambda run: run.rank, default=None)
        lookers = [run for run in self._runs if run.head is not None]
        self._looker = max(lookers, key=lambda run: run.rank, default=None)

    def _advance(self, now_s: float, clock_s: float) -> None:
        """Do everything that is due, in the order of its time."""
        lead = self.settings.voice_lead_s
        while self._runs:
            run = min(self._runs, key=lambda run: (run.start_s + run.next_s(lead), run.rank))
            if run.start_s + run.next_s(lead) > clock_s:
                break
            self._step(run, now_s, clock_s)
        if not self._runs:
            self._leaving = False
            self.output.done = self._standby >= len(self._cues)
        self._plan()

    def _step(self, run: Run, now_s: float, clock_s: float) -> None:
        """Do the one thing of a cue that is due first."""
        lead_s = self.settings.voice_lead_s
        due_s = run.next_s(lead_s)
        if not run.committed:
            self._commit(run)
        elif run.voice_s(lead_s) <= due_s:
            run.voice += 1
            self._announce(run, run.cue.voices[run.voice - 1], now_s, clock_s)
        elif not run.begun:
            self._begin(run)
        elif run.stop_at_s <= due_s and run.stop_at_s < run.length_s:
            self.output.notes.append(f"cue {run.cue.number} was left: no operator")
            self._stop(run, now_s, clock_s)
        elif run.moment_s() <= due_s:
            run.moment += 1
            self._do(run, run.cue.moments[run.moment - 1])
        else:
            self._remove(run)
            if run.played:
                self.output.finished.append(run.cue.number)

    def _commit(self, run: Run) -> None:
        """Decide, just before a cue begins, whether it plays."""
        run.committed = True
        cue = run.cue
        if not self._armed[run.place]:
            self.output.notes.append(f"cue {cue.number} is disarmed and was passed over")
            run.pass_over()
        elif cue.refusal and self.settings.show_mode:
            self.output.notes.append(f"cue {cue.number} failed its preflight: {cue.refusal}")
            self._remove(run)
        elif cue.refusal:
            self.output.notes.append(f"cue {cue.number} plays though it failed: {cue.refusal}")

    def _begin(self, run: Run) -> None:
        """Let a cue's action start, and its follower wait."""
        run.begun = True
        if run.played:
            self.output.started.append(run.cue.number)
        cue, follower = run.cue, run.cue.following
        if cue.follow == Continue.NONE or follower < 0:
            return
        if any(other.place == follower for other in self._runs):
            self.output.notes.append(f"cue {self._cues[follower].number} is running already")
            return
        wait_s = cue.post_wait_s
        if cue.follow == Continue.AUTO_FOLLOW:
            wait_s += run.length_s
        self._schedule(follower, run.start_s + wait_s + self._cues[follower].pre_wait_s)

    def _do(self, run: Run, moment: object) -> None:
        """Hand on one moment."""
        if isinstance(moment, WalkSegment):
            run.walk = moment if moment.walking else None
        elif isinstance(moment, HeadSegment):
            run.head = moment if moment.held else None
        elif isinstance(moment, EventText):
            self.output.signals.append(moment.text)
        elif isinstance(moment, GestureStart):
            for group in moment.groups:
                self._owner[group] = run
                run.frozen.discard(group)
            self.output.limbs.append(moment)
        elif isinstance(moment, GestureEnd | Freeze | Unfreeze):
            mine = tuple(group for group in moment.groups if self._owner.get(group) is run)
            if isinstance(moment, Freeze):
                run.frozen.update(mine)
            else:
                run.frozen.difference_update(mine)
            if mine:
                self.output.limbs.append(type(moment)(moment.time_s, mine))

    def _announce(self, run: Run, voice: VoiceStart, now_s: float, clock_s: float) -> None:
        """Send a phrase to the voice ahead of its time."""
        stamp_s = now_s + (run.start_s + voice.time_s - clock_s)
        self.output.voices.append(Phrase(voice.phrase, stamp_s, voice.volume))

    def _announce_again(self, run: Run, now_s: float, clock_s: float) -> None:
        """Send again what was silenced and is not over."""
        for voice in run.cue.voices[: run.voice]:
            if run.start_s + voice.time_s + voice.length_s > clock_s:
                self._announce(run, voice, now_s, clock_s)

    def _stop_all(self, now_s: float, clock_s: float) -> None:
        """End every cue now."""
        for run in list(self._runs):
            self._stop(run, now_s, clock_s)
        self._leaving = False
        self.output.done = self._standby >= len(self._cues)
        self._plan()

    def _stop(self, run: Run, now_s: float, clock_s: float) -> None:
        """End a cue before its end and take back what it holds."""
        mine = tuple(group for group, owner in self._owner.items() if owner is run)
        if mine:
            self.output.limbs.append(GestureEnd(0.0, mine))
        self._remove(run)
        if run.speaks(clock_s - run.start_s):
            self.output.voice_stopped = True
            self.output.voices.clear()
            for other in self._runs:
                self._announce_again(other, now_s, clock_s)
        if run.begun:
            self.output.stopped.append(run.cue.number)

    def _remove(self, run: Run) -> None:
        """Forget a cue."""
        self._runs.remove(run)
        for group in [group for group, owner in self._owner.items() if owner is run]:
            del self._owner[group]
