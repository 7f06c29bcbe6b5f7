"""The running cues: their due moments, their output, and the owners of the limbs."""

from bisect import bisect_left
from collections.abc import Sequence

from core.link.catalogue import show as words
from core.link.catalogue.refusals import CUE_FAILED
from core.stage.output import Phrase, StageOutput
from core.stage.run import Run
from core.stage.settings import PlayerSettings
from core.stage.timeline import (
    BodySegment,
    Continue,
    CueTimeline,
    EventText,
    Freeze,
    GestureEnd,
    GestureStart,
    HeadSegment,
    JumpSegment,
    LiveSegment,
    MarkSegment,
    SwaySegment,
    Unfreeze,
    VoiceStart,
    WalkSegment,
)

NEVER = float("inf")


class Runs:
    """Advances every running cue and writes its moments into the output.

    Attributes:
        settings: settings of the player.
        cues: cues of the show, by index.
        armed: whether each cue moves the robot.
        running: cues that run or wait to start, oldest first.
        owner: limb to the cue that moved it last.
        walker: of the cues that walk, the one that began last.
        jumper: of the cues that jump, the one that began last, unless one that walks began later.
        marker: of the cues that walk to a mark, the one that began last, unless one that walks or
            jumps began later.
        poser: of the cues that hold the body, the one that began last.
        swayer: of the cues that sway, the one that began last.
        looker: of the cues that hold the head, the one that began last.
        partner: of the cues in which a person leads the robot, the one that began last.
        due_s: show time of the next moment [s].
        leaving: without an operator, on the way to a safe point.
    """

    def __init__(self, settings: PlayerSettings, output: StageOutput) -> None:
        self.settings = settings
        self.output = output
        self.cues: tuple[CueTimeline, ...] = ()
        self.armed: list[bool] = []
        self.running: list[Run] = []
        self.owner: dict[str, Run] = {}
        self.walker: Run | None = None
        self.jumper: Run | None = None
        self.marker: Run | None = None
        self.poser: Run | None = None
        self.swayer: Run | None = None
        self.looker: Run | None = None
        self.partner: Run | None = None
        self.due_s = NEVER
        self.leaving = False

    @property
    def newest(self) -> Run | None:
        """The cue that began last."""
        begun = [run for run in self.running if run.begun]
        return max(begun, key=lambda run: run.rank, default=None)

    def take(self, cues: Sequence[CueTimeline]) -> None:
        """Take the cues of another show; none may be running."""
        self.cues = tuple(cues)
        self.armed = [cue.armed for cue in cues]

    def find(self, index: int) -> Run | None:
        """Return the run of a cue that runs or waits, or None."""
        return next((run for run in self.running if run.index == index), None)

    def chain(self, index: int) -> list[int]:
        """Return the indices of a cue and of the cues that follow it automatically."""
        indices = [index]
        while (cue := self.cues[index]).follow != Continue.NONE and cue.following >= 0:
            index = cue.following
            indices.append(index)
        return indices

    def cut_of(self, index: int) -> int:
        """Return the index of the cue of a chain that a cancel would cut first.

        This is the first cue that has not begun, else the first that runs; -1 without one.
        """
        if index < 0:
            return -1
        chain = frozenset(self.chain(index))
        cut = [run for run in self.running if run.index in chain]
        first = min(cut, key=lambda run: (run.begun, run.rank), default=None)
        return -1 if first is None else first.index

    def schedule(self, index: int, start_s: float) -> None:
        """Schedule a cue at a show time."""
        self.running.append(Run(index, self.cues[index], start_s))
        self._plan()

    def advance(self, now_s: float, clock_s: float) -> None:
        """Carry out everything that is due, in the order of time."""
        lead = self.settings.voice_lead_s
        while self.running:
            run = min(self.running, key=lambda run: (run.start_s + run.next_s(lead), run.rank))
            if run.start_s + run.next_s(lead) > clock_s:
                break
            self._step(run, now_s, clock_s)
        if not self.running:
            self.leaving = False
        self._plan()

    def stop_all(self, now_s: float, clock_s: float) -> None:
        """End every cue now."""
        for run in list(self.running):
            self._stop(run, now_s, clock_s)
        self.leaving = False
        self._plan()

    def silence(self, clock_s: float) -> None:
        """Stop the voices, if a phrase sounds or is announced."""
        if any(run.speaks(clock_s - run.start_s) for run in self.running):
            self.output.voice_stopped = True
            self.output.voices.clear()

    def announce_all_again(self, now_s: float, clock_s: float) -> None:
        """Announce every interrupted phrase that has not ended."""
        for run in self.running:
            self._announce_again(run, now_s, clock_s)

    def leave(self, now_s: float, clock_s: float) -> None:
        """Drop cues that have not begun, and end the others at their next safe point or limit."""
        self.leaving = True
        for run in [run for run in self.running if not run.begun]:
            self._stop(run, now_s, clock_s)
        for run in self.running:
            elapsed = clock_s - run.start_s
            bound = elapsed + self.settings.safe_point_within_s
            points = run.cue.safe_points_s
            index = bisect_left(points, elapsed)
            run.stop_at_s = min(bound, points[index] if index < len(points) else NEVER)
        self.leaving = bool(self.running)
        self._plan()

    def _plan(self) -> None:
        """Update the time of the next moment, and the owners of what only one cue moves."""
        lead = self.settings.voice_lead_s
        self.due_s = min((run.start_s + run.next_s(lead) for run in self.running), default=NEVER)
        walkers = [run for run in self.running if run.walk is not None]
        self.walker = max(walkers, key=lambda run: run.rank, default=None)
        jumpers = [run for run in self.running if run.jump is not None]
        self.jumper = max(jumpers, key=lambda run: run.rank, default=None)
        if self.jumper is not None and self.walker is not None:
            if self.walker.rank > self.jumper.rank:
                self.jumper = None
        markers = [run for run in self.running if run.mark is not None]
        self.marker = max(markers, key=lambda run: run.rank, default=None)
        for other in (self.walker, self.jumper):
            if self.marker is not None and other is not None and other.rank > self.marker.rank:
                self.marker = None
        posers = [run for run in self.running if run.body is not None]
        self.poser = max(posers, key=lambda run: run.rank, default=None)
        swayers = [run for run in self.running if run.sway is not None]
        self.swayer = max(swayers, key=lambda run: run.rank, default=None)
        lookers = [run for run in self.running if run.head is not None]
        self.looker = max(lookers, key=lambda run: run.rank, default=None)
        partners = [run for run in self.running if run.live is not None]
        self.partner = max(partners, key=lambda run: run.rank, default=None)

    def _step(self, run: Run, now_s: float, clock_s: float) -> None:
        """Carry out the first due moment of a cue."""
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
            self.output.notes.append(words.CUE_LEFT(cue=run.cue.number))
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
        if not self.armed[run.index]:
            self.output.notes.append(words.CUE_DISARMED(cue=cue.number))
            run.pass_over()
        elif cue.refusal and self.settings.show_mode:
            self.output.notes.append(CUE_FAILED(cue=cue.number, text=cue.refusal))
            self._remove(run)
        elif cue.refusal:
            self.output.notes.append(words.CUE_PLAYS_FAILED(cue=cue.number, text=cue.refusal))

    def _begin(self, run: Run) -> None:
        """Start the action of a cue and schedule the cue that follows it."""
        run.begun = True
        if run.played:
            self.output.started.append(run.cue.number)
        cue, follower = run.cue, run.cue.following
        if cue.follow == Continue.NONE or follower < 0:
            return
        if self.find(follower) is not None:
            self.output.notes.append(words.CUE_BUSY(cue=self.cues[follower].number))
            return
        wait_s = cue.post_wait_s
        if cue.follow == Continue.AUTO_FOLLOW:
            wait_s += run.length_s
        self.schedule(follower, run.start_s + wait_s + self.cues[follower].pre_wait_s)

    def _do(self, run: Run, moment: object) -> None:
        """Carry out one moment."""
        if isinstance(moment, WalkSegment):
            run.walk = moment if moment.walking else None
        elif isinstance(moment, JumpSegment):
            run.jump = moment if moment.count else None
        elif isinstance(moment, MarkSegment):
            run.mark = moment if moment.walking else None
        elif isinstance(moment, BodySegment):
            run.body = moment if moment.held else None
        elif isinstance(moment, SwaySegment):
            run.sway = moment if moment.cycles else None
        elif isinstance(moment, HeadSegment):
            run.head = moment if moment.held else None
        elif isinstance(moment, LiveSegment):
            run.live = moment if moment.order is not None else None
        elif isinstance(moment, EventText):
            self.output.signals.append(moment.text)
        elif isinstance(moment, GestureStart):
            for group in moment.groups:
                self.owner[group] = run
                run.frozen.discard(group)
            self.output.limbs.append(moment)
        elif isinstance(moment, GestureEnd | Freeze | Unfreeze):
            mine = tuple(group for group in moment.groups if self.owner.get(group) is run)
            if isinstance(moment, Freeze):
                run.frozen.update(mine)
            else:
                run.frozen.difference_update(mine)
            if mine:
                self.output.limbs.append(type(moment)(moment.time_s, mine))

    def _announce(
        self, run: Run, voice: VoiceStart, now_s: float, clock_s: float, again: bool = False
    ) -> None:
        """Send a phrase to the voice ahead of its time."""
        stamp_s = now_s + (run.start_s + voice.time_s - clock_s)
        phrase = Phrase(
            voice.phrase,
            stamp_s,
            voice.volume,
            voice.music,
            again,
            voice.offset_s,
            voice.length_s,
        )
        self.output.voices.append(phrase)

    def _announce_again(self, run: Run, now_s: float, clock_s: float) -> None:
        """Announce the interrupted phrases of a cue that have not ended."""
        for voice in run.cue.voices[: run.voice]:
            if run.start_s + voice.time_s + voice.length_s > clock_s:
                self._announce(run, voice, now_s, clock_s, again=True)

    def _stop(self, run: Run, now_s: float, clock_s: float) -> None:
        """End a cue before its end and release its limbs and voices."""
        mine = tuple(group for group, owner in self.owner.items() if owner is run)
        if mine:
            self.output.limbs.append(GestureEnd(0.0, mine))
        self._remove(run)
        if run.speaks(clock_s - run.start_s):
            self.output.voice_stopped = True
            self.output.voices.clear()
            for other in self.running:
                self._announce_again(other, now_s, clock_s)
        if run.begun:
            self.output.stopped.append(run.cue.number)

    def _remove(self, run: Run) -> None:
        """Remove a cue from the running ones."""
        self.running.remove(run)
        for group in [group for group, owner in self.owner.items() if owner is run]:
            del self.owner[group]
