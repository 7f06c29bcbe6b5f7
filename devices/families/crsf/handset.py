"""A commercial handset, received by an ExpressLRS receiver for 900 MHz.

The age of the last valid channel frame is the only watchdog; a link quality of zero makes the
readings invalid sooner, until the receiver reports another value. This radio link is not
authenticated.
"""

import math

from devices.families.crsf.menu import Menu
from devices.families.crsf.settings import Receiver
from devices.families.crsf.wire import channels, packed, screen
from devices.families.crsf.wire.frame import Type, kind_of, scanner
from devices.families.crsf.wire.link import is_lost
from devices.families.crsf.wire.telemetry import Battery, decode_link_statistics
from devices.interface import HandsetSample, HandsetScreen, Trouble
from devices.real.arrival import Arrival
from devices.real.handset import BUTTONS, Window, bearable
from devices.real.port import Port

DEVICE = "handset receiver"
_QUIET_S = 1.0  # longest silence of a working receiver
_TOLD_S = 2.0  # time for which its link statistics are valid
_MOST_DAMAGED = 20  # frames a second; a higher rate is a fault of the line


class CrsfHandset:
    """Reads the receiver and writes to the handset's screen; see devices.interface.Handset.

    Attributes:
        refused: channel frames received while the receiver reported no link.
    """

    authenticated = False

    def __init__(self, port: Port, settings: Receiver | None = None) -> None:
        self._port, self._settings = port, settings or Receiver()
        self._layout = self._settings.layout()
        self._sample = HandsetSample.silent()
        self._scanner = scanner()
        self._arrival = Arrival(self._scanner)
        self._menu = Menu()
        self._controls = channels.NEUTRAL
        self._openings = port.openings
        self._frames, self._damaged = Window(), Window()
        self._bad = 0
        self._now_s = -math.inf
        self._channels_s = self._bytes_s = self._statistics_s = -math.inf
        self._quality: int | None = None
        self._screen: HandsetScreen | None = None
        self._shown_s = self._began_s = -math.inf
        self._line = ""
        self._holds = False  # some control is held that silence must release
        self.refused = 0

    def read(self, now_s: float) -> HandsetSample:
        """Return the reading of the handset at a time [s]."""
        stalled = not 0.0 <= now_s - self._now_s <= self._settings.lost_s
        self._now_s = now_s
        port, sample = self._port, self._sample
        data = port.read(now_s)
        if port.openings != self._openings:
            self._openings = port.openings
            self._scanner.reset()
        self._frames.advance(now_s)
        self._damaged.advance(now_s)
        if data:
            self._take(now_s, data, stalled)
        if is_lost(now_s, self._channels_s, self._quality, self._settings.lost_s):
            self._let_go()
        sample.age_s = math.inf if self._quality == 0 else now_s - self._channels_s
        if now_s - self._shown_s >= self._settings.screen_s and self._screen is not None:
            self._send(now_s, self._screen)
        return sample

    def show(self, screen: HandsetScreen) -> None:
        """Send a screen to the handset as soon as the link has room."""
        self._screen = screen
        self._menu.show(screen)

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the receiver; a handset that is off is no fault."""
        troubles = self._port.troubles()
        if troubles:
            return bearable(troubles)
        if not self._now_s - self._bytes_s <= _QUIET_S:
            text = "sends nothing; check its cable and supply, and that it is set to CRSF"
            return (Trouble(DEVICE, text),)
        if self._damaged.last > _MOST_DAMAGED:
            text = "sends damaged bytes; check its cable, and its speed of 420000 baud"
            return (Trouble(DEVICE, text),)
        return ()

    def _take(self, now_s: float, data: bytes, stalled: bool) -> None:
        """Process received bytes.

        Of several channel frames in one read, a press in any of them counts; the dead-man counts
        only
        if all of them hold it.
        """
        pressed, held = 0, True
        found = False
        if stalled:
            # after a missed read the states in between are unknown
            self._controls = channels.NEUTRAL
        frames, came_s = self._arrival.feed(data, now_s)
        for frame in frames:
            self._bytes_s = now_s
            kind = kind_of(frame)
            if kind == Type.CHANNELS:
                self._frames.now += 1
                self._controls = channels.read(packed.decode(frame), self._controls, self._layout)
                pressed |= self._controls.buttons
                held = held and self._controls.dead_man
                found = True
            elif kind == Type.LINK_STATISTICS:
                statistics = decode_link_statistics(frame)
                if statistics is not None:
                    self._quality, self._statistics_s = min(statistics.up_quality, 100), came_s
            elif kind >= Type.PING:
                answer = self._menu.answer(frame)
                if answer:
                    self._port.write(answer)
        self._damaged.now += self._scanner.bad - self._bad
        self._bad = self._scanner.bad
        if not found:
            return
        self._channels_s = came_s
        if self._quality == 0:
            self.refused += 1
            return
        sample = self._sample
        self._holds = True
        sample.dead_man = held
        for bit in range(BUTTONS):
            sample.buttons[bit] = pressed >> bit & 1
        sample.sticks[:] = self._controls.sticks
        told = now_s - self._statistics_s <= _TOLD_S and self._quality is not None
        arrived = max(self._frames.last, self._frames.now) / self._settings.rate_hz
        sample.quality = (self._quality or 0) / 100.0 if told else min(arrived, 1.0)

    def _let_go(self) -> None:
        """Release all controls; the dead-man must pass its upper threshold again."""
        if self._holds:
            sample = self._sample
            self._holds = False
            self._controls = channels.NEUTRAL
            sample.dead_man = False
            sample.buttons.fill(False)
            sample.sticks.fill(0.0)
            sample.quality = 0.0

    def _send(self, now_s: float, shown: HandsetScreen) -> None:
        self._shown_s = now_s
        line = shown.alarm or shown.mode
        if line != self._line:
            self._line, self._began_s = line, now_s
        charge = shown.charge if 0.0 <= shown.charge <= 1.0 else 0.0
        battery = Battery(shown.battery_v, 0.0, 0, round(100.0 * charge))
        elapsed_s = now_s - self._began_s
        self._port.write(screen.frames(shown.mode, shown.alarm, elapsed_s, battery))
