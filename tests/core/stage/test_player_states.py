"""The player beside a naive one that thinks everything over at every tick.

Times are multiples of 1/64 s, which floating point adds without an error, so that both must
agree exactly.
"""

from dataclasses import dataclass, field

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.stage.player import Player
from core.stage.prepared import PreparedShow
from core.stage.settings import PlayerSettings
from core.stage.timeline import (
    AnyMoment,
    Continue,
    CueTimeline,
    GestureStart,
    HeadSegment,
    WalkSegment,
)
from tests.core.stage.cues import cue, freeze, gesture, head, show, unfreeze, voice, walk
from tests.draws import share

TICK = 1.0 / 64.0
LEAD = 8 * TICK
BOUND = 128 * TICK
GUARD = 4 * TICK
KINDS = ["gesture", "walk", "walk", "stand", "head", "free", "voice", "voice", "photo"]
times = st.integers(20, 200).map(lambda i: i * TICK)


@st.composite
def moments(draw: st.DrawFn, length_s: float) -> list[AnyMoment]:
    found: list[AnyMoment] = []
    for _ in range(draw(st.integers(2, 8))):
        time_s = draw(st.integers(0, int(length_s / TICK))) * TICK
        group = (draw(st.sampled_from(["left_arm", "right_arm", "head"])),)
        slope = draw(st.sampled_from([-0.0625, 0.0, 0.125]))
        kind = draw(st.sampled_from(KINDS))
        if kind == "gesture":
            found.append(gesture(time_s, groups=group))
        elif kind == "walk":
            found.append(walk(time_s, 0.25, slope))
        elif kind == "stand":
            found.append(walk(time_s, walking=False))
        elif kind == "head":
            found.append(head(time_s, 0.25, slope))
        elif kind == "free":
            found.append(head(time_s, held=False))
        elif kind == "voice":
            found.append(voice(time_s, TICK, f"at_{time_s}"))
        else:
            found += [freeze(time_s, group), unfreeze(length_s, group)]
    return found


@st.composite
def shows(draw: st.DrawFn) -> PreparedShow:
    cues = []
    for i in range(draw(st.integers(1, 5))):
        length_s = draw(times)
        cues.append(
            cue(
                str(i + 1),
                *draw(moments(length_s)),
                duration_s=length_s,
                follow=draw(st.sampled_from(Continue)),
                pre_wait_s=draw(st.sampled_from([0.0, 16 * TICK])),
                post_wait_s=draw(st.sampled_from([0.0, 32 * TICK])),
                armed=draw(st.integers(0, 4)) > 0,
                refusal=draw(st.sampled_from([""] * 8 + ["too fast"])),
                safe_points_s=tuple(
                    sorted(
                        draw(
                            st.lists(
                                st.integers(0, int(length_s / TICK)).map(lambda i: i * TICK),
                                max_size=3,
                            )
                        )
                    )
                ),
            )
        )
    return show(*cues, go_guard_s=GUARD)


@dataclass
class Played:
    """One cue, once started: all that is known of it."""

    place: int
    cue: CueTimeline
    start_s: float
    runs: bool | None = None  # None until it is decided
    begun: bool = False
    stop_s: float = float("inf")  # show time
    gone: bool = False
    spoken: set[int] = field(default_factory=set)

    def end_s(self) -> float:
        return self.start_s + (self.cue.duration_s if self.runs else 0.0)


class Naive:
    """Keeps everything that was ever started and asks each what it does now."""

    def __init__(self, prepared: PreparedShow) -> None:
        self.cues = prepared.cues
        self.armed = [c.armed for c in prepared.cues]
        self.standby, self.led = 0, -1
        self.all: list[Played] = []
        self.show_s = 0.0
        self.paused = False
        self.leaving = False
        self.since_go = float("inf")
        self.ticked = False
        self.started: list[str] = []
        self.finished: list[str] = []
        self.stopped: list[str] = []
        self.spoken: list[str] = []
        self.gestures: list[tuple[float, tuple[str, ...]]] = []

    @property
    def live(self) -> list[Played]:
        return [p for p in self.all if not p.gone]

    def chain(self, place: int) -> list[int]:
        places = [place]
        while self.cues[places[-1]].follow and self.cues[places[-1]].following >= 0:
            places.append(self.cues[places[-1]].following)
        return places

    def go(self, place: int) -> bool:
        if self.since_go < GUARD or self.paused or self.leaving or place >= len(self.cues):
            return False
        if any(p.place == place for p in self.live):
            return False
        if any(self.cues[m].refusal and self.armed[m] for m in self.chain(place)):
            return False
        if place == self.standby:
            self.led = place
            after = self.cues[self.chain(place)[-1]].following
            self.standby = after if after >= 0 else len(self.cues)
        self.since_go = 0.0
        start_s = self.show_s + self.cues[place].pre_wait_s
        self.all.append(Played(place, self.cues[place], start_s))
        return True

    def cut(self) -> Played | None:
        """Return what a cancel would cut first of what the playhead passed at the list's end."""
        if self.standby < len(self.cues) or self.led < 0:
            return None
        passed = [p for p in self.live if p.place in self.chain(self.led)]
        passed.sort(key=lambda p: (p.begun, p.start_s, p.place))
        return passed[0] if passed else None

    def cancel(self) -> None:
        cut = self.cut()
        if cut is not None:
            self.standby = cut.place
        for p in self.live:
            p.gone = True
            if p.begun and p.runs:
                self.stopped.append(p.cue.number)
        self.leaving = self.paused = False

    def lost(self) -> None:
        if self.leaving or self.paused or not self.live:
            return
        self.leaving = True
        cut = self.cut()
        for p in self.live:
            if not p.begun:
                p.gone = True
                continue
            points = [p.start_s + t for t in p.cue.safe_points_s]
            p.stop_s = min([self.show_s + BOUND, *(t for t in points if t >= self.show_s)])
        self.leaving = bool(self.live)
        if cut is not None and (cut.gone or cut.stop_s < cut.end_s()):
            self.standby = cut.place

    def tick(self) -> None:
        """Go on by one tick: only ever one tick, so that nothing can be missed."""
        self.since_go += TICK
        if not self.paused:
            if self.all:
                self.show_s += TICK
            self.ticked = True
            self.look()
            self.ticked = False

    def look(self) -> None:
        while any([self.look_at(p) for p in self.live]):
            self.ticked = False
        if not self.live:
            self.leaving = False

    def look_at(self, p: Played) -> bool:
        now = self.show_s
        if p.runs is None and now >= p.start_s - LEAD:
            p.runs = self.armed[p.place]
            if p.runs and p.cue.refusal:
                p.gone = True
                return True
        end_s = min(p.end_s(), p.stop_s)
        if p.runs:
            for i, v in enumerate(p.cue.voices):
                at = p.start_s + v.time_s
                if i not in p.spoken and now >= at - LEAD and at < end_s:
                    p.spoken.add(i)
                    self.spoken.append(v.phrase)
        if p.runs is None or now < p.start_s:
            return False
        fresh = not p.begun
        if fresh:
            p.begun = True
            if p.runs:
                self.started.append(p.cue.number)
            then = p.cue.following
            if p.cue.follow and then >= 0 and not self.leaving:
                if not any(q.place == then for q in self.live):
                    base = p.end_s() if p.cue.follow == Continue.AUTO_FOLLOW else p.start_s
                    start_s = base + p.cue.post_wait_s + self.cues[then].pre_wait_s
                    self.all.append(Played(then, self.cues[then], start_s))
            if p.runs:
                self.do(p, -1.0, now - p.start_s)
        elif p.runs and self.ticked:
            self.do(p, now - p.start_s - TICK, now - p.start_s)
        if now >= end_s:
            p.gone = True
            if p.runs and p.stop_s < p.end_s():
                self.stopped.append(p.cue.number)
            elif p.runs:
                self.finished.append(p.cue.number)
        return p.gone or fresh

    def do(self, p: Played, after_s: float, until_s: float) -> None:
        """Note the gestures of a stretch of time, once."""
        stop_s = p.stop_s - p.start_s if p.stop_s < p.end_s() else float("inf")
        for m in p.cue.moments:
            if isinstance(m, GestureStart) and after_s < m.time_s <= until_s and m.time_s < stop_s:
                entry = (p.start_s + m.time_s, m.groups)
                self.gestures.append(entry)

    def segment(self, kind: type) -> tuple[float, float, float] | None:
        """Return time since its begin, value and slope of the newest line of a kind."""
        best: tuple[tuple[float, int], tuple[float, float, float]] | None = None
        for p in self.live:
            if not (p.begun and p.runs):
                continue
            elapsed = self.show_s - p.start_s
            past = [m for m in p.cue.moments if isinstance(m, kind) and m.time_s <= elapsed]
            if not past:
                continue
            last = past[-1]
            dt = elapsed - last.time_s
            if isinstance(last, WalkSegment) and last.walking:
                line = (dt, last.vx, last.ax)
            elif isinstance(last, HeadSegment) and last.held:
                line = (dt, last.yaw, last.yaw_rate)
            else:
                continue
            rank = (p.start_s, p.place)
            if best is None or rank > best[0]:
                best = (rank, line)
        return None if best is None else best[1]


class PlayerBesideNaive(RuleBasedStateMachine):
    """Both get the same orders; whatever can be seen must be the same."""

    @initialize(prepared=shows())
    def begin(self, prepared: PreparedShow) -> None:
        self.now_s = 1024.0
        self.player = Player(PlayerSettings(voice_lead_s=LEAD, safe_point_within_s=BOUND))
        self.player.load(prepared)
        self.naive = Naive(prepared)
        self.seen: dict[str, list[object]] = {
            name: [] for name in ("started", "finished", "stopped", "spoken", "gestures")
        }
        self.numbers = [c.number for c in prepared.cues]
        self.look()

    def look(self) -> None:
        """Update the player and keep what it says."""
        out = self.player.update(self.now_s)
        self.seen["started"] += out.started
        self.seen["finished"] += out.finished
        self.seen["stopped"] += out.stopped
        self.seen["spoken"] += [] if self.resumed() else [v.phrase for v in out.voices]
        self.seen["gestures"] += [m.groups for m in out.limbs if isinstance(m, GestureStart)]

    def resumed(self) -> bool:
        """Tell whether phrases may be announced for a second time."""
        return self.player.output.voice_stopped

    @rule(ticks=st.sampled_from([1, 2, 5, 12, 12, 40, 100]))
    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.now_s += TICK
            self.naive.tick()
            self.look()

    @rule(number=st.none() | st.integers(0, 4))
    def go(self, number: int | None) -> None:
        place = self.naive.standby if number is None else number
        if number is not None and number >= len(self.numbers):
            assert self.player.go(self.now_s, "99") is not None
            return
        refusal = self.player.go(self.now_s, None if number is None else self.numbers[place])
        assert (refusal is None) == self.naive.go(place), refusal
        self.naive.look()
        self.look()

    @rule()
    def pause_and_resume(self) -> None:
        if self.player.paused:
            assert self.player.resume(self.now_s) is None
            self.naive.paused = False
            self.player.update(self.now_s)  # what is announced again is not counted
        else:
            refused = self.player.pause(self.now_s) is not None
            assert refused == (not self.naive.live)
            self.naive.paused = not refused
        self.look()

    @rule()
    def cancel(self) -> None:
        assert (self.player.cancel(self.now_s) is None) == bool(self.naive.live)
        self.naive.cancel()
        self.look()

    @rule()
    def lose_the_operator(self) -> None:
        self.player.operator_lost(self.now_s)
        self.naive.lost()
        self.naive.look()
        self.look()

    @rule(place=st.integers(0, 4), armed=st.booleans())
    def arm(self, place: int, armed: bool) -> None:
        if place < len(self.numbers):
            assert self.player.arm(self.numbers[place], armed) is None
            self.naive.armed[place] = armed

    @rule(place=st.integers(0, 4))
    def goto(self, place: int) -> None:
        if place < len(self.numbers):
            assert self.player.goto(self.numbers[place]) is None
            self.naive.standby = place

    @invariant()
    def same(self) -> None:
        naive, player = self.naive, self.player
        standby = self.numbers[naive.standby] if naive.standby < len(self.numbers) else ""
        assert player.standby == standby
        assert player.clock_s(self.now_s) == naive.show_s
        assert sorted(player.running) == sorted(p.cue.number for p in naive.live)
        for name in ("started", "finished", "stopped", "spoken"):
            assert sorted(map(str, self.seen[name])) == sorted(getattr(naive, name)), name
        assert len(self.seen["gestures"]) == len(naive.gestures)
        line = naive.segment(WalkSegment)
        vx = 0.0 if line is None or naive.paused else line[1] + line[2] * line[0]
        assert player.output.velocity[0] == vx
        assert player.output.walking == (line is not None and not naive.paused)
        line = naive.segment(HeadSegment)
        assert player.output.head_held == (line is not None)
        if line is not None:
            assert player.output.head[0] == line[1] + line[2] * line[0]


PlayerBesideNaive.TestCase.settings = settings(
    max_examples=share(150),
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestPlayerBesideNaive = PlayerBesideNaive.TestCase
