"""Footlight's own handset: each frame is authenticated with the robot's key and valid only once.

An attacker who jams the radio and sends recorded frames later, in order, gains nothing: a frame
holds its time, and its age includes the delay beyond that of the session's fastest frame.
"""

import math

from devices.families.boards.wire.layout import Kind
from devices.families.native_handset import messages as board
from devices.families.native_handset.settings import NativeHandset as Settings
from devices.families.native_handset.wire import RobotEnd
from devices.interface import HandsetSample, HandsetScreen, Trouble
from devices.real.handset import BUTTONS, Window, bearable
from devices.real.port import Port
from devices.wire.errors import WireError
from devices.wire.frame import Frame, FrameStream, elapsed_us

DEVICE = "native handset"
SOURCE = 0x01  # the robot's computer, in frames that it sends
_MOST_FRAMES = 8  # newest frames of one read that are processed; a flood must not overrun the tick
_CHALLENGE_S = 0.1  # least time between two answers to HELLO
_DRIFT = 2e-4  # largest relative rate error of the two clocks
_QUIET_S = 1.0


class _Lateness:
    """Delay of a frame beyond that of the fastest one, by the handset's clock."""

    __slots__ = ("_gained_us", "_heard_us", "_t_us")

    def __init__(self, now_us: int, t_us: int) -> None:
        self._heard_us, self._t_us = now_us, t_us
        self._gained_us = 0.0

    def of(self, now_us: int, t_us: int) -> float:
        """Return the delay of a frame that arrives now [s]; both times modulo 2**32 [µs]."""
        passed_us = elapsed_us(now_us, self._heard_us)
        gained_us = elapsed_us(passed_us, elapsed_us(t_us, self._t_us))
        gained_us -= (gained_us & 0x80000000) << 1  # it may have been faster
        self._gained_us = max(self._gained_us + gained_us - _DRIFT * passed_us, 0.0)
        self._heard_us, self._t_us = now_us, t_us
        return 1e-6 * self._gained_us


class NativeHandset:
    """Reads inputs, answers requests for a session, and writes the handset's screen.

    See devices.interface.Handset.
    """

    authenticated = True

    def __init__(self, port: Port, end: RobotEnd, settings: Settings | None = None) -> None:
        """Initialise without a session; `end` has the key (key.py)."""
        self._port, self._settings, self._end = port, settings or Settings(), end
        self._sample = HandsetSample.silent()
        self._stream = FrameStream()
        self._inputs, self._refused = Window(), Window()
        self._counted = 0
        self._lateness: _Lateness | None = None
        self._session = b""
        self._now_s = self._heard_s = self._bytes_s = -math.inf
        self._challenged_s = self._shown_s = -math.inf
        self._screen: HandsetScreen | None = None
        self._holds = False

    @property
    def refused(self) -> int:
        """Number of refused frames, repeated ones included."""
        return self._counted

    def read(self, now_s: float) -> HandsetSample:
        """Return the reading of the handset at a time [s]."""
        self._now_s = now_s
        sample = self._sample
        data = self._port.read(now_s)
        self._inputs.advance(now_s)
        self._refused.advance(now_s)
        if data:
            self._bytes_s = now_s
            self._take_all(now_s, data)
        sample.age_s = now_s - self._heard_s
        if self._holds and not 0.0 <= sample.age_s <= self._settings.lost_s:
            self._let_go()
        if now_s - self._shown_s >= self._settings.screen_s and self._screen is not None:
            self._send(now_s, self._screen)
        return sample

    def show(self, screen: HandsetScreen) -> None:
        """Send a screen to the handset as soon as the link has room."""
        self._screen = screen

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the radio; a handset that is off is no fault."""
        forged = max(self._refused.last, self._refused.now)
        if forged > self._settings.forged_hz:
            text = (
                f"{forged} frames a second are not the handset's own and are refused: a sender"
                " disturbs the radio, or a handset has another key; keep the wired E-stop in reach"
            )
            return (Trouble(DEVICE, text),)
        return bearable(self._port.troubles())

    def _take_all(self, now_s: float, data: bytes) -> None:
        """Process received bytes.

        Of several inputs in one read, a press in any of them counts; the dead-man counts only if
        all
        of them hold it.
        """
        frames = self._stream.feed(data)
        pressed, held = 0, True
        newest = None
        unread = max(len(frames) - _MOST_FRAMES, 0)
        for frame in frames[-_MOST_FRAMES:]:
            if frame.kind == Kind.HANDSET_HELLO:
                unread += not self._challenge(now_s, frame)
                continue
            controls = self._end.receive(frame)
            if controls is None or not self._hear(now_s, frame):
                continue
            self._inputs.now += 1
            pressed |= controls.buttons
            held = held and controls.dead_man
            newest = controls
        repeated = sum(source.repeated for source in self._stream.sources.values())
        counted = self._end.refused.total() + repeated
        self._refused.now += max(counted - self._counted, 0) + unread
        self._counted = counted
        if newest is None:
            return
        sample = self._sample
        self._holds = True
        sample.dead_man = held
        for bit in range(BUTTONS):
            sample.buttons[bit] = pressed >> bit & 1
        sample.sticks[:] = newest.axes
        sample.battery_v = newest.battery_v
        arrived = max(self._inputs.last, self._inputs.now) / self._settings.rate_hz
        sample.quality = min(arrived, 1.0)

    def _hear(self, now_s: float, frame: Frame) -> bool:
        """Compute a valid frame's time on the computer's clock; return whether it counts."""
        now_us = _microseconds(now_s)
        session = frame.payload[1:9]  # includes the boot, so that two sessions always differ
        if self._lateness is None or session != self._session:
            self._session, self._lateness = session, _Lateness(now_us, frame.t_us)
        late_s = self._lateness.of(now_us, frame.t_us)
        self._heard_s = max(self._heard_s, now_s - late_s)
        return late_s <= self._settings.lost_s

    def _challenge(self, now_s: float, hello: Frame) -> bool:
        """Answer a request for a session; requests faster than a handset's are ignored."""
        if now_s - self._challenged_s < _CHALLENGE_S:
            return False
        answer = self._end.challenge(hello, _microseconds(now_s))
        if answer is not None:
            self._challenged_s = now_s
            self._port.write(answer.encode())
        return True

    def _let_go(self) -> None:
        """Release all controls."""
        sample = self._sample
        self._holds = False
        sample.dead_man = False
        sample.buttons.fill(False)
        sample.sticks.fill(0.0)
        sample.quality = 0.0

    def _send(self, now_s: float, shown: HandsetScreen) -> None:
        self._shown_s = now_s
        charge = shown.charge if 0.0 <= shown.charge <= 1.0 else 0.0
        severity = min(max(shown.severity, 0), 3)
        content = board.HandsetScreen(
            severity, self._sample.quality, charge, shown.mode, shown.alarm
        )
        try:
            frame = self._end.screen(content, _microseconds(now_s))
        except WireError:  # the screen keeps its content
            return
        if frame is not None:
            self._port.write(frame.encode())


def _microseconds(now_s: float) -> int:
    """Return a time as in frames."""
    return int(1e6 * now_s) & 0xFFFFFFFF
