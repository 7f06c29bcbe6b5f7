"""One message of each kind, as packaging/wiring/protocols.md shows it, and strategies for more."""

from hypothesis import strategies as st

from devices.families.boards.wire.battery import Battery, BatteryFault
from devices.families.boards.wire.contacts import ContactFault, Contacts
from devices.families.boards.wire.hand import (
    HandCommand,
    HandFault,
    HandMode,
    HandStatus,
    MotorFault,
    MotorState,
    MotorTarget,
)
from devices.families.boards.wire.identity import Board, Identity, Start
from devices.families.boards.wire.supervisor import (
    PowerCause,
    PowerCommand,
    PowerFault,
    PowerInput,
    PowerRequest,
    PowerState,
    PowerStatus,
)
from devices.families.native_handset.messages import HandsetInput, HandsetScreen

Message = (
    Identity
    | Contacts
    | HandCommand
    | HandStatus
    | Battery
    | PowerCommand
    | PowerStatus
    | HandsetInput
    | HandsetScreen
)

EXAMPLES: dict[str, Message] = {
    "Identity": Identity(Board.CONTACTS, Start.POWER_ON, 2, (1, 4, 0), 1, 1017, 90),
    "Contacts": Contacts(0b01, 0b10, ContactFault(0), 180, (2950, 4095)),
    "HandCommand": HandCommand(
        HandMode.HOLD, 100, (MotorTarget(0.5, 3.0, 0.4), MotorTarget(-1.2, 1.0, 0.25))
    ),
    "HandStatus": HandStatus(
        HandMode.HOLD,
        HandFault(0),
        100,
        8,
        350,
        7.42,
        36.5,
        (
            MotorState(0.498, 0.02, 0.11, 41.0),
            MotorState(-1.2, 0.0, 0.25, 44.5, MotorFault.STALLED),
        ),
    ),
    "Battery": Battery(
        0, BatteryFault(0), 23.1, 12.5, 0.72, 1.4, 31.5, 20, (3.851, 3.849, 3.85, 3.85, 3.85, 3.85)
    ),
    "PowerCommand": PowerCommand(PowerRequest.HOLD, 100, 0x1234),
    "PowerStatus": PowerStatus(
        PowerState.LATCHED,
        PowerCause.STOP_CHAIN,
        PowerInput.CHANNEL_A | PowerInput.WIRELESS,
        PowerFault.CHANNELS_DISAGREE,
        0x1235,
        100,
        12,
        800,
        0xFFFF,
        23.1,
        0.4,
        5.02,
        0.3,
        33.0,
    ),
    "HandsetInput": HandsetInput(0b100000001, (0.0, 1.0, -1.0, 0.0), True, 3.9),
    "HandsetScreen": HandsetScreen(2, 0.98, 0.72, "READY", "left knee 92 °C"),
}

millis = st.integers(0, 0xFFFF).map(lambda n: n / 1e3)
signed_millis = st.integers(-0x8000, 0x7FFF).map(lambda n: n / 1e3)
angles = st.integers(-0x8000, 0x7FFF).map(lambda n: n / 1e4)
tenths = st.integers(-0x8000, 0x7FFF).map(lambda n: n / 10)
words = st.integers(0, 0xFFFF)
octets = st.integers(0, 255)
axes = st.integers(-32767, 32767).map(lambda n: n / 32767)


def some(kind: type, most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most).map(kind)


MESSAGES: dict[str, st.SearchStrategy[Message]] = {
    "Identity": st.builds(
        Identity,
        st.sampled_from(Board),
        st.sampled_from(Start),
        octets,
        st.tuples(octets, octets, octets),
        octets,
        st.integers(0, 0xFFFFFFFF),
        st.integers(0, 0xFFFFFFFF),
    ),
    "Contacts": st.integers(1, 8).flatmap(
        lambda n: st.builds(
            Contacts,
            st.integers(0, 2**n - 1),
            st.integers(0, 2**n - 1),
            some(ContactFault, 7),
            words,
            st.lists(words, min_size=n, max_size=n).map(tuple),
        )
    ),
    "HandCommand": st.builds(
        HandCommand,
        st.sampled_from(HandMode),
        st.integers(10, 100),
        st.lists(st.builds(MotorTarget, angles, millis, millis), min_size=1, max_size=8).map(tuple),
    ),
    "HandStatus": st.builds(
        HandStatus,
        st.sampled_from(HandMode),
        some(HandFault, 31),
        st.integers(0, 100),
        words,
        words,
        millis,
        tenths,
        st.lists(
            st.builds(
                MotorState, angles, signed_millis, signed_millis, tenths, some(MotorFault, 31)
            ),
            min_size=1,
            max_size=8,
        ).map(tuple),
    ),
    "Battery": st.builds(
        Battery,
        octets,
        some(BatteryFault, 255),
        millis,
        st.integers(-(2**31), 2**31 - 1).map(lambda n: n / 1e3),
        st.integers(0, 1000).map(lambda n: n / 1e3),
        st.integers(0, 2**32 - 1).map(lambda n: n / 1e3),
        tenths,
        words,
        st.lists(millis, min_size=1, max_size=14).map(tuple),
    ),
    "PowerCommand": st.builds(
        PowerCommand, st.sampled_from(PowerRequest), st.integers(20, 200), words
    ),
    "PowerStatus": st.builds(
        PowerStatus,
        st.sampled_from(PowerState),
        st.sampled_from(PowerCause),
        some(PowerInput, 63),
        some(PowerFault, 511),
        words,
        st.integers(0, 200),
        words,
        words,
        words,
        millis,
        millis,
        millis,
        st.integers(-(2**31), 2**31 - 1).map(lambda n: n / 1e3),
        tenths,
    ),
    "HandsetInput": st.builds(
        HandsetInput, words, st.tuples(axes, axes, axes, axes), st.booleans(), millis
    ),
    "HandsetScreen": st.builds(
        HandsetScreen,
        st.integers(0, 3),
        st.integers(0, 100).map(lambda n: n / 100),
        st.integers(0, 1000).map(lambda n: n / 1000),
        st.text("READY WALKé", max_size=6),
        st.text("abc 92 °C", max_size=16),
    ),
}
