"""The loop: one tick a period at absolute deadlines, and a last branch that always runs."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

import msgspec
import numpy as np

from core.behave.reference import MotionState
from core.handset.operator import HandsetOperator
from core.link import topics, wording
from core.link.catalogue import refusals, run
from core.link.catalogue.show import LAYOUT_CHANGED, SHOW_REFUSED
from core.link.commands import Command, Pull, Push, SetHandsetMap, Shutdown
from core.link.envelope import Envelope
from core.link.playbill import Playbill
from core.link.report import Report
from core.link.requests import KeepHandsetMap
from core.link.sound import VoiceCue, VoiceLibrary, VoiceMessage, VoiceStop
from core.link.statement import Statement
from core.link.take import TakeZero
from core.link.topics import Topic
from core.record.tape import Tape
from core.report.answers import Answers
from core.report.picture import Picture
from core.report.telemetry import Telemetry
from core.run.autopilot import Autopilot, Facts
from core.run.put_back import PutBackSequence
from core.safety.modes import LATCHED, Mode
from core.safety.troubles import TroubleBook
from core.safety.watchdog import Heartbeat
from core.stage.backing import BackingUnpacker
from core.stage.errors import StageError
from core.stage.prepared import PreparedShow, Unpacker
from core.stage.sound import Sound
from core.tick.performer import Actuation, Performer
from core.tick.schedule import Schedule
from devices.interface import Body, Sample, Simulated, Truth

T = TypeVar("T")
AUTOPILOT = "autopilot"  # its sender name
FIRST_ROWS = 26  # of the tape: blocks are then handed over in ticks without periodic work
SUCCESS_S = 0.1  # window of the share of ticks in time
FAILED_S = 0.2  # time without torque after a failure of the core, before the process ends
LEAVING_S = 8.0  # longest time to settle when the run ends
# An attribute access on an enumeration takes 0.1 µs in Python.
_STOP, _DAMP, _REST = Actuation.STOP, Actuation.DAMP, MotionState.REST


class Port(Protocol):
    """The interface of the link to the loop; no method waits or raises."""

    def commands(self) -> list[Envelope]:
        """Return the operators' commands since the last call."""

    def operator_age_s(self) -> float:
        """Return the age of the newest heartbeat of any operator [s]."""

    def silent(self, roles: tuple[str, ...], longest_s: float) -> tuple[str, ...]:
        """Return the processes that have been silent for longer than a time [s]."""

    def poll(self, topic: Topic[T]) -> T | None:
        """Return the next message of a topic, or None."""

    def publish(self, message: msgspec.Struct) -> None:
        """Send a message on the topic of its type."""


class Loop:
    """Owns a run: body, performer, link and record.

    Args:
        body: the body that the loop commands.
        performer: computes the command of each tick.
        port: the link.
        tape: the record.
        autopilot: operates the run; None waits for operators.
        heartbeat: heartbeat to the watchdog process; None without one.
        hello: name of the body, pace and seed.
        handset: the operator with the handset; None if no handset is fitted.
        siblings: names of the processes whose silence is reported.

    Attributes:
        telemetry: the statistics of the run.
        failure: the exception that ended the core, or None.
    """

    def __init__(
        self,
        body: Body,
        performer: Performer,
        port: Port,
        tape: Tape,
        autopilot: Autopilot | None = None,
        heartbeat: Heartbeat | None = None,
        hello: tuple[str, str, int] = ("sim", "max", 0),
        handset: HandsetOperator | None = None,
        siblings: tuple[str, ...] = (),
    ) -> None:
        self._body, self._performer, self._port, self._tape = body, performer, port, tape
        self._autopilot, self._heartbeat = autopilot, heartbeat
        self._handset, self._siblings = handset, siblings
        self._simulated = body if isinstance(body, Simulated) else None
        self._put_back = PutBackSequence(performer, self._simulated)
        self.telemetry = Telemetry(performer, tape, self._simulated is not None)
        self._picture = Picture(performer)
        self._answers = Answers()
        self._sound = Sound()
        self._hello = self.telemetry.hello(*hello)
        performer.body_kind = hello[0]
        self._tick_s = performer.profile.tick_s
        self._schedule = Schedule(self._tick_s)
        self._ticks = 0
        counted = max(1, round(SUCCESS_S / self._tick_s))
        self._in_time = bytearray(b"\x01" * counted)
        self._in_time_count = counted
        self._longest_failure = round(FAILED_S / self._tick_s)  # ticks
        self._unpacker: Unpacker | None = None
        self._backing: BackingUnpacker | None = None
        self._book = TroubleBook(performer.say)
        self._leaving_since_s: float | None = None
        self._walk_s = autopilot.length_s if autopilot is not None else 0.0
        self._show_s = 0.0
        self._follows = self._calibrated = False
        self._playbill = Playbill(0.0)
        body.stop()  # for one tick, so that the first sample is current
        self._sample: Sample = body.read()
        self._truth: Truth | None = None
        self._deadline_s = body.clock.now_s()
        self._time_us = 0.0
        self.failure: Exception | None = None
        self._failed_ticks = 0

    def load(self, show: PreparedShow) -> None:
        """Load a show before the first tick or later; a refused show is not published."""
        if self._performer.load(show):
            self._show_s, self._follows = show.length_s, show.follows
            self._playbill = show.playbill(time.monotonic())
            library = VoiceLibrary(self._playbill.stamp_s, dict(show.phrases), show.ducking)
            self._port.publish(self._sound.take(library))
            self._port.publish(self._playbill)

    def run(self, ended: Callable[[], bool]) -> Report:
        """Run until the autopilot finishes, the core fails, or `ended` returns True."""
        try:
            while not self._over(ended()):
                self.tick()
            completed, reason = self._verdict()
            report = self.telemetry.report(self._body.clock.now_s(), completed, reason)
            self._tape.flush(last=True)
            try:
                self._port.publish(report)
            except Exception:
                if self.failure is None:  # else that may be why, and the log has the record
                    raise
        finally:
            self._body.close()
            if self._heartbeat is not None:
                self._heartbeat.close()
        return report

    def tick(self) -> None:
        """Run one tick."""
        late_s = self._wait()
        start_ns = time.thread_time_ns()
        self._deadline_s += self._tick_s
        if self._heartbeat is not None:
            self._heartbeat.beat(time.monotonic())
        verdict = _STOP
        if self.failure is None:
            try:
                self._note_lateness(late_s)
                self._sample = self._body.read()
                now_s = self._sample.stamp_s
                commands = self._commands(now_s)
                verdict = self._performer.tick(now_s, self._sample, commands)
                if self._performer.modes.reset_granted:
                    self._body.restore()
            except Exception as error:  # the last branch must run after any exception
                self.failure, verdict = error, _STOP
        middle_ns = time.thread_time_ns()
        self._look()
        self._act(verdict)
        self._answer(verdict)
        resumed_ns = time.thread_time_ns()
        try:
            self._tell()
        except Exception as error:
            self.failure = self.failure or error
        if self.failure is not None:
            self._tell_failure()
        end_ns = time.thread_time_ns()
        self._time_us = 1e-3 * (end_ns - resumed_ns + middle_ns - start_ns)
        self._ticks += 1

    def _wait(self) -> float:
        """Wait for the tick and return its lateness [s]; the clock of a twin ends with the twin."""
        try:
            return self._body.clock.wait_until(self._deadline_s)
        except Exception as error:
            self.failure = self.failure or error
            return 0.0

    def _look(self) -> None:
        """Read the true state at the sample's time, in a simulation."""
        if self._simulated is not None and self.failure is None:
            try:
                self._truth = self._simulated.truth()
            except Exception as error:
                self.failure = error

    def _act(self, verdict: Actuation) -> None:
        """Apply the actuation with the least motion; a failure of the body reduces it further."""
        body = self._body
        if verdict is _STOP or self.failure is not None:
            body.stop()
            return
        try:
            if verdict is _DAMP:
                body.damp()
            else:
                body.write(self._performer.command)
        except Exception as error:
            self.failure = error
            body.stop()

    def _answer(self, verdict: Actuation) -> None:
        """Tell consoles when their commands acted."""
        if not self._answers.waiting:
            return
        try:
            done = verdict if self.failure is None else _STOP
            self._answers.acted(self._performer, done, time.monotonic())
        except Exception as error:
            self.failure = self.failure or error

    def _tell_failure(self) -> None:
        """Announce the failure once, and count its ticks, whatever else cannot be told."""
        self._failed_ticks += 1
        if self._failed_ticks == 1:
            said = run.CORE_FAILED(error=self._failed_with)
            with suppress(Exception):  # the failure may be that nothing can be published
                self._port.publish(wording.event(self._sample.stamp_s, "core", said))

    @property
    def _failed_with(self) -> str:
        """The failure in words."""
        return str(self.failure) or repr(self.failure)

    def _note_lateness(self, late_s: float) -> None:
        """Report the loop's lateness to the failsafe; a simulated body waits for the loop."""
        in_time = late_s < self._tick_s
        if not in_time:
            self.telemetry.times.overruns += 1
        counted = len(self._in_time)
        index = self._ticks % counted
        self._in_time_count += in_time - self._in_time[index]
        self._in_time[index] = in_time
        facts = self._performer.facts
        if self._simulated is None:
            facts.late_s = late_s
            facts.success = self._in_time_count / counted
            if late_s > self._tick_s:
                self._deadline_s += late_s - late_s % self._tick_s  # skip lost ticks
        if self._heartbeat is not None:
            facts.watchdog_alive = self._heartbeat.alive
        if self._schedule.slow(self._ticks):
            self._performer.mode_facts.powered = self._body.powered()
            self._book.update(self._sample.stamp_s, self._body.troubles())
            facts.troubles = self._book.troubles
            if self._siblings:
                longest_s = self._performer.health.settings.sibling_silent_s
                facts.lost_siblings = self._port.silent(self._siblings, longest_s)
            if self._autopilot is None:
                facts.operator_age_s = self._port.operator_age_s()

    def _commands(self, now_s: float) -> list[tuple[str, Command]]:
        """Gather the commands of operators and autopilot; handle the loop's own ones."""
        found: list[tuple[str, Command]] = []
        looks = self._schedule.slow(self._ticks)
        for envelope in self._port.commands():
            if isinstance(envelope.command, SetHandsetMap):
                self._lay_out(envelope.sender, envelope.command)
                continue
            found.append((envelope.sender, envelope.command))
            self._answers.hear(envelope, now_s)
        if looks and self._autopilot is not None:
            facts = self._autopilot_facts()
            found.extend((AUTOPILOT, c) for c in self._autopilot.update(now_s, facts))
        if looks and self._leaving_since_s is not None:
            modes = self._performer.modes
            if not modes.leaving or modes.mode in LATCHED:  # a new fault needs another request
                found.append(("core", Shutdown()))
        for sender, command in found:
            if isinstance(command, Push) and self._simulated is not None:
                force = np.array((command.fx, command.fy, command.fz))
                hand = "" if sender == AUTOPILOT else sender
                self._simulated.push(force, command.duration_s, hand)
            elif isinstance(command, Pull) and self._simulated is not None:
                self._pull(sender, command)
            mix = self._sound.order(command)
            if mix is not None:
                self._port.publish(mix)
        if looks:
            self._hear_voice(now_s)
            taken = self._port.poll(topics.TAKEN)
            if taken is not None:
                self._performer.takes.hear(now_s, taken)
        if looks or self._unpacker is not None:
            self._unpack()
        if looks or self._backing is not None:
            self._unpack_backing(now_s)
        self._performer.hand.follow.listen(self._port.poll, now_s, time.monotonic())
        if self._handset is not None:
            found = self._handset.gather(now_s, self._sample, found)
        if found or looks:
            found = [*found, *self._put_back.update(now_s, found)]
        return found

    def _pull(self, sender: str, command: Pull) -> None:
        """Pull a link of the simulated robot."""
        if command.link not in self._performer.links:
            self._performer.say("core", refusals.NO_LINK(link=command.link))
            return
        assert self._simulated is not None, "the caller asks only a simulation"
        point, target = np.array(command.point), np.array(command.target)
        self._simulated.pull(command.link, point, target, command.duration_s, sender)

    def _lay_out(self, sender: str, command: SetHandsetMap) -> None:
        """Change the layout of the handset and request that it is saved."""
        handset = self._handset
        refusal = refusals.NO_HANDSET() if handset is None else handset.change(command.map)
        if refusal is not None:
            self._performer.say("core", refusals.LAYOUT_REFUSED(reason=refusal))
            return
        self._performer.say(sender, LAYOUT_CHANGED())
        self._port.publish(KeepHandsetMap(command.map))

    def _hear_voice(self, now_s: float) -> None:
        """Read the voice's report; send a voice that has just started its library."""
        report = self._port.poll(topics.SOUND)
        host_s = time.monotonic()
        if report is not None:
            messages = self._sound.hear(report, host_s)
            for message in messages:
                self._port.publish(message)
            if messages:
                self._performer.player.voice_came(now_s)
        self._performer.facts.sound_trouble = self._sound.trouble(host_s)
        self._performer.orders.improviser.delay_s = self._sound.delay_s

    def _autopilot_facts(self) -> Facts:
        performer = self._performer
        if self._follows and not self._calibrated:
            report = self._port.poll(topics.PARTNER_REPORT)
            self._calibrated = report is not None and report.calibration.state == "done"
        states = zip(performer.manager.joints.limbs, performer.upper.states, strict=True)
        return Facts(
            mode=performer.mode,
            running=performer.player.plays,
            standby=performer.player.standby,
            gesturing=any(limb.kind == "arm" and state != _REST for limb, state in states),
            powered=performer.mode_facts.powered,
            falls=performer.falls,
            calibrated=self._calibrated or not self._follows,
        )

    def _unpack(self) -> None:
        """Unpack a prepared show, one part in each tick."""
        if self._unpacker is None:
            refusal = self._port.poll(topics.REFUSED)
            if refusal is not None:
                self._performer.say("stagehand", SHOW_REFUSED(text=refusal.reason))
            data = self._port.poll(topics.PREPARED)
            if data is None:
                return
        try:
            if self._unpacker is None and data is not None:
                self._unpacker = Unpacker(data, len(self._performer.manager.joints))
            elif self._unpacker is not None:
                show = self._unpacker.step()
                if show is not None:
                    self._unpacker = None
                    self.load(show)
        except StageError as error:
            self._unpacker = None
            self._performer.say("stagehand", SHOW_REFUSED(text=str(error)))

    def _unpack_backing(self, now_s: float) -> None:
        """Unpack an earlier take, some knots in each tick, and count in the take that waits."""
        performer, port = self._performer, self._port
        takes = performer.takes
        if self._backing is None:
            refused = port.poll(topics.UNBACKED)
            if refused is not None:
                takes.refuse_backing(refused.number, refused.reason)
            data = port.poll(topics.BACKED)
            if data is None:
                return
        number = None if self._backing is None else self._backing.number
        try:
            if self._backing is None and data is not None:
                self._backing = BackingUnpacker(data, len(performer.manager.joints))
            elif self._backing is not None:
                backing = self._backing.step()
                if backing is not None:
                    self._backing = None
                    takes.take_backing(now_s, backing)
        except StageError as error:
            self._backing = None
            takes.refuse_backing(number, str(error))

    def _tell_takes(self, stamp_s: float) -> None:
        """Publish the orders to the recorder, the stagehand and the voice."""
        performer, port = self._performer, self._port
        takes = performer.takes
        ahead_s = time.monotonic() - stamp_s
        for order in takes.orders:
            if isinstance(order, TakeZero):
                order = msgspec.structs.replace(order, host_s=order.stamp_s + ahead_s)
            port.publish(order)
        for request in takes.requests:
            port.publish(request)
        plays = performer.player.plays  # a show goes on
        sounds = [s for s in takes.sounds if not (plays and isinstance(s, VoiceStop))]
        self._tell_voice(sounds, stamp_s)
        for told in (takes.orders, takes.requests, takes.sounds):
            told.clear()

    def _tell_voice(self, sounds: Sequence[VoiceMessage], stamp_s: float) -> None:
        """Publish messages for the voice, whose times are on the core's clock."""
        ahead_s = time.monotonic() - stamp_s
        for sound in sounds:
            if isinstance(sound, VoiceCue):
                start_s = sound.start_stamp_s + ahead_s
                sound = msgspec.structs.replace(sound, start_stamp_s=start_s)
            self._port.publish(sound)

    def _tell(self) -> None:
        """Record the tick and publish the messages that are due."""
        performer, port, sample = self._performer, self._port, self._sample
        schedule, ticks = self._schedule, self._ticks
        self.telemetry.record(sample.stamp_s, sample, self._truth, self._time_us)
        for event in performer.take_events():
            port.publish(event)
        orders = performer.orders
        if orders.loads:
            for request in orders.loads:
                port.publish(request)
            orders.loads.clear()
        takes = performer.takes
        if takes.orders or takes.requests or takes.sounds:
            self._tell_takes(sample.stamp_s)
        sounds = orders.improviser.sounds
        if sounds:
            self._tell_voice(sounds, sample.stamp_s)
            sounds.clear()
        stage = performer.stage
        if stage.happened:
            if stage.voice_stopped:
                port.publish(VoiceStop(by_hand=False))
            ahead_s = time.monotonic() - sample.stamp_s
            for voice in stage.voices:
                port.publish(
                    VoiceCue(
                        phrase=voice.phrase,
                        start_stamp_s=voice.start_stamp_s + ahead_s,
                        volume=voice.volume,
                        music=voice.music,
                        again=voice.again,
                        offset_s=voice.offset_s,
                        length_s=voice.length_s,
                    )
                )
        if schedule.status(ticks):
            length_s = self._walk_s or self._show_s
            newest = self._answers.newest
            loaded_s = self._playbill.stamp_s
            channels = self._body.stop_channels()
            handset = None if self._handset is None else self._handset.status()
            status = self.telemetry.status(
                sample.stamp_s, sample, channels, length_s, newest, loaded_s, handset
            )
            port.publish(status)
        elif schedule.scene(ticks):
            port.publish(self._picture.scene(sample.stamp_s, sample, self._truth))
        if schedule.hello(ticks):
            port.publish(self._hello)
        elif schedule.playbill(ticks):
            port.publish(self._playbill)

    @property
    def _unwatched(self) -> bool:
        """The watchdog process is gone; the failsafe holds the robot, and no operator is there."""
        return self._heartbeat is not None and not self._heartbeat.alive

    def _over(self, ended: bool) -> bool:
        """Return whether the run is over."""
        if self.failure is not None:
            return self._failed_ticks >= self._longest_failure
        if self._autopilot is not None and (self._autopilot.finished or self._unwatched):
            return True
        leaving = ended or self._performer.modes.leaving
        if leaving and self._leaving_since_s is None:
            self._leaving_since_s = time.monotonic()
        if self._leaving_since_s is None:
            return False
        patient = time.monotonic() - self._leaving_since_s < LEAVING_S
        return not patient or self._performer.mode is Mode.OFF

    def _verdict(self) -> tuple[bool, Statement]:
        """Return whether the run completed its task, and how it ended."""
        if self.failure is not None:
            return False, run.FAILED(error=self._failed_with)
        if self._autopilot is None:
            return True, run.ENDED()
        failure = self._autopilot.failure
        if self._performer.falls:
            return False, failure or run.FELL()
        if not self._autopilot.finished:
            return False, run.WATCHDOG_ENDED() if self._unwatched else run.ENDED_FROM_OUTSIDE()
        return failure is None, failure or run.DONE()
