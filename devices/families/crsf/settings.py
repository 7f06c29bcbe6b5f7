"""Settings of the receiver of a CRSF handset."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from devices.families.crsf.wire.channels import Layout, Stick, Threshold
from devices.families.crsf.wire.packed import HIGH, LOW, MIDDLE
from devices.real.handset import Hertz, Pause, Silence
from devices.real.tables import Name, Table

Channel: TypeAlias = Annotated[int, Meta(ge=1, le=16)]
Value: TypeAlias = Annotated[int, Meta(ge=0, le=0x7FF)]


class Axis(Table, frozen=True):
    """One axis of a stick on a channel; values as the handset was calibrated.

    Attributes:
        channel: 1 to 16.
        low: value at one end.
        middle: value of the released stick.
        high: value at the other end.
        reversed: the low end is right, or up.
    """

    channel: Channel
    low: Value = LOW
    middle: Value = MIDDLE
    high: Value = HIGH
    reversed: bool = False


class Receiver(Table, frozen=True):
    """The radio receiver of a CRSF handset.

    Attributes:
        line: line that the receiver is connected to.
        rate_hz: channel frames a second over a good link.
        lost_s: the longest silence [s].
        screen_s: period of the messages to the handset's screen [s].
        left_x: left stick, horizontal. The four axes are in the order of most handsets: aileron,
            elevator, throttle, rudder. A throttle without a spring cannot command walking, because
            nothing moves before all sticks were neutral.
        left_y: left stick, vertical.
        right_x: right stick, horizontal.
        right_y: right stick, vertical.
        buttons: channels of the ten buttons.
        dead_man: its channel; 5, which ExpressLRS sends in every packet.
        press: value from which a button, or the dead-man, is pressed.
        release: value up to which it is released; in between it keeps its state.
    """

    line: Name = "receiver"
    rate_hz: Hertz = 50.0
    lost_s: Silence = 0.25
    screen_s: Pause = 0.35
    left_x: Axis = Axis(channel=4)
    left_y: Axis = Axis(channel=3)
    right_x: Axis = Axis(channel=1)
    right_y: Axis = Axis(channel=2)
    buttons: Annotated[tuple[Channel, ...], Meta(min_length=10, max_length=10)] = tuple(
        range(6, 16)
    )
    dead_man: Channel = 5
    press: Value = 1400
    release: Value = 1200

    def __post_init__(self) -> None:
        """Refuse inconsistent channels.

        Raises:
            ValueError: two controls are on one channel, or values contradict each other.
        """
        axes = [axis.channel for axis in self.axes]
        channels = [*axes, *self.buttons, self.dead_man]
        doubled = {channel for channel in channels if channels.count(channel) > 1}
        if doubled:
            raise ValueError(f"channel {min(doubled)} has two controls; give each its own")
        self.layout()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Left x, left y, right x, right y."""
        return self.left_x, self.left_y, self.right_x, self.right_y

    def layout(self) -> Layout:
        """Return the channels of the controls; the mapping applies the dead zones.

        Raises:
            ValueError: values contradict each other.
        """
        sticks = [
            Stick(axis.channel, axis.low, axis.middle, axis.high, 0.0, axis.reversed)
            for axis in self.axes
        ]
        buttons = [Threshold(channel, self.press, self.release) for channel in self.buttons]
        dead_man = Threshold(self.dead_man, self.press, self.release)
        return Layout(tuple(sticks), tuple(buttons), dead_man)
