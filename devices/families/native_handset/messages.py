"""Messages of the native handset inside its authenticated frames, see wire.py beside this file."""

from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import Kind, Layout, check_range, check_size
from devices.wire.errors import WireError

PRESSED = 0x5A  # range of the dead-man switch: no short circuit reads this
AXIS_END = 32767
ALARM_SIZE = 32
MODE_SIZE = 12


class HandsetInput(msgspec.Struct, frozen=True):
    """State of the operator's controls.

    Attributes:
        buttons: one bit each, 1 << its number (16).
        axes: left x, left y, right x, right y, -1 to 1 (4).
        dead_man: the dead-man switch is held.
        battery_v: the handset's own battery, in steps of 1 mV [V].
    """

    KIND: ClassVar = Kind.HANDSET_INPUT
    LAYOUT: ClassVar = Layout(
        ("buttons", "u16", ""),
        ("left_x", "i16", "1/32767"),
        ("left_y", "i16", "1/32767"),
        ("right_x", "i16", "1/32767"),
        ("right_y", "i16", "1/32767"),
        ("dead_man", "u8", ""),
        ("zero", "u8", ""),
        ("battery", "u16", "mV"),
    )

    buttons: int
    axes: tuple[float, float, float, float]
    dead_man: bool
    battery_v: float

    def encode(self) -> bytes:
        """Return the content.

        Raises:
            WireError: a value does not fit.
        """
        for axis in self.axes:
            check_range("axis", axis, -1.0, 1.0)
        ticks = (AXIS_END * axis for axis in self.axes)
        held = PRESSED if self.dead_man else 0
        return self.LAYOUT.pack(self.buttons, *ticks, held, 0, 1e3 * self.battery_v)

    @classmethod
    def of(cls, content: bytes) -> Self:
        """Decode a content.

        Raises:
            WireError: the content is no such message.
        """
        check_size(content, cls.LAYOUT.size)
        buttons, a, b, c, d, held, zero, battery = cls.LAYOUT.unpack(content)
        if zero or held not in (0, PRESSED) or min(a, b, c, d) < -AXIS_END:
            raise WireError("an input holds values that no handset sends")
        axes = (a / AXIS_END, b / AXIS_END, c / AXIS_END, d / AXIS_END)
        return cls(buttons, axes, held == PRESSED, battery / 1e3)


class HandsetScreen(msgspec.Struct, frozen=True):
    """Content of the handset's screen.

    Attributes:
        severity: severity of the alarm, 0 for none to 3 for the worst.
        link: fraction of the last second's inputs received, 0 to 1, in steps of 0.01.
        charge: charge of the robot's battery, 0 to 1, in steps of 0.001.
        mode: mode of the robot, at most 12 bytes.
        alarm: the worst alarm, at most 32 bytes.
    """

    KIND: ClassVar = Kind.HANDSET_SCREEN
    LAYOUT: ClassVar = Layout(
        ("severity", "u8", ""),
        ("link", "u8", "0.01"),
        ("charge", "u16", "0.001"),
        ("mode", f"text{MODE_SIZE}", ""),
        ("alarm", f"text{ALARM_SIZE}", ""),
    )

    severity: int
    link: float
    charge: float
    mode: str
    alarm: str

    def encode(self) -> bytes:
        """Return the content; texts that are too long are cut.

        Raises:
            WireError: a value does not fit.
        """
        check_range("severity", self.severity, 0, 3)
        check_range("link", self.link, 0.0, 1.0)
        check_range("charge", self.charge, 0.0, 1.0)
        mode, alarm = _cut(self.mode, MODE_SIZE), _cut(self.alarm, ALARM_SIZE)
        return self.LAYOUT.pack(self.severity, 100 * self.link, 1000 * self.charge, mode, alarm)

    @classmethod
    def of(cls, content: bytes) -> Self:
        """Decode a content.

        Raises:
            WireError: the content is no such message.
        """
        check_size(content, cls.LAYOUT.size)
        severity, link, charge, *texts = cls.LAYOUT.unpack(content)
        check_range("severity", severity, 0, 3)
        check_range("link", link, 0, 100)
        check_range("charge", charge, 0, 1000)
        try:
            mode, alarm = (text.rstrip(b"\0").decode() for text in texts)
        except UnicodeDecodeError:
            raise WireError("a text is no UTF-8") from None
        if not (mode.isprintable() and alarm.isprintable()):
            raise WireError("a text cannot be shown")
        return cls(severity, link / 100, charge / 1000, mode, alarm)


def _cut(text: str, size: int) -> bytes:
    """Return a text as UTF-8, cut between characters to at most `size` bytes."""
    return text.encode()[:size].decode(errors="ignore").encode()
