"""Every board's message: round trips, any bytes, and what is refused."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.wire.battery import Battery
from devices.families.boards.wire.contacts import Contacts
from devices.families.boards.wire.hand import HandCommand, HandMode, HandStatus, MotorTarget
from devices.families.boards.wire.supervisor import PowerCommand, PowerRequest
from devices.families.native_handset.messages import HandsetInput, HandsetScreen
from devices.wire.errors import WireError
from tests.devices.families.boards.wire.examples import EXAMPLES, MESSAGES, Message


@pytest.mark.parametrize("name", MESSAGES)
@given(st.data())
def test_a_message_comes_back(name: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[name])
    payload = message.encode()
    assert type(message).of(payload) == message


@pytest.mark.parametrize("name", MESSAGES)
@given(st.data())
def test_any_bytes_are_a_message_or_refused(name: str, data: st.DataObject) -> None:
    kind = type(EXAMPLES[name])
    payload = data.draw(
        st.one_of(
            st.binary(max_size=80),
            st.builds(
                lambda p, place, value: p[:place] + bytes((value,)) + p[place + 1 :],
                MESSAGES[name].map(lambda message: message.encode()),
                st.integers(0, 30),
                st.integers(0, 255),
            ),
        )
    )
    try:
        message = kind.of(payload)
    except WireError:
        return
    assert message.encode() == payload


@pytest.mark.parametrize("message", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_a_message_of_another_size_is_refused(message: Message) -> None:
    payload = message.encode()
    for other in (payload[:-1], payload + b"\0", b""):
        with pytest.raises(WireError):
            type(message).of(other)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("Identity", 0, 9),  # a board of another kind
        ("Identity", 1, 5),  # a start for another reason
        ("Contacts", 0, 0b100),  # a third sensor of two
        ("Contacts", 2, 8),  # a reserved fault
        ("Contacts", 3, 0),  # no sensor
        ("HandCommand", 0, 3),  # a fourth mode
        ("HandCommand", 1, 3),  # a third motor of two
        ("HandCommand", 2, 101),  # too long a watchdog
        ("HandCommand", 2, 9),
        ("HandStatus", 2, 32),  # a reserved fault
        ("HandStatus", 23, 1),  # a reserved byte
        ("HandStatus", 22, 32),  # a reserved fault of a motor
        ("Battery", 3, 1),  # a reserved fault
        ("Battery", 11, 4),  # more than full
        ("PowerCommand", 0, 5),  # a sixth request
        ("PowerCommand", 1, 1),  # a reserved byte
        ("PowerCommand", 2, 201),  # too long a watchdog
        ("PowerStatus", 2, 64),  # a reserved input
        ("PowerStatus", 3, 1),  # a reserved byte
        ("PowerStatus", 5, 2),  # a reserved fault
        ("HandsetInput", 10, 1),  # a dead-man switch that is neither
        ("HandsetInput", 11, 1),  # a reserved byte
        ("HandsetScreen", 0, 4),
        ("HandsetScreen", 1, 101),
        ("HandsetScreen", 4, 0xC3),  # half a letter
        ("HandsetScreen", 4, 0x0A),  # a letter that cannot be shown
    ],
)
def test_reserved_values_are_refused(name: str, place: int, value: int) -> None:
    message = EXAMPLES[name]
    payload = bytearray(message.encode())
    payload[place] = value
    with pytest.raises(WireError):
        type(message).of(bytes(payload))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3.3])
def test_a_position_that_does_not_fit_is_refused(value: float) -> None:
    command = HandCommand(HandMode.HOLD, 100, (MotorTarget(value, 1.0, 1.0),))
    with pytest.raises(WireError, match="position"):
        command.encode()


def test_values_that_make_no_sense_are_refused() -> None:
    battery, contacts = EXAMPLES["Battery"], EXAMPLES["Contacts"]
    assert isinstance(battery, Battery) and isinstance(contacts, Contacts)
    with pytest.raises(WireError, match="charge"):
        msgspec.structs.replace(battery, charge=float("nan"))
    with pytest.raises(WireError, match="cells"):
        msgspec.structs.replace(battery, cells_v=())
    with pytest.raises(WireError, match="sensors"):
        msgspec.structs.replace(contacts, touching=4)
    with pytest.raises(WireError, match="watchdog"):
        PowerCommand(PowerRequest.HOLD, 1000, 0)
    with pytest.raises(WireError, match="axis"):
        HandsetInput(0, (1.01, 0.0, 0.0, 0.0), False, 4.0).encode()


def test_a_long_text_is_cut_between_letters() -> None:
    screen = HandsetScreen(0, 1.0, 1.0, "x" * 11 + "é", "")
    assert HandsetScreen.of(screen.encode()).mode == "x" * 11


def test_the_boards_stop_within_a_tenth_of_a_second() -> None:
    """devices/families/boards/wire: no command can ask for a longer watchdog of the motors."""
    with pytest.raises(WireError, match="100"):
        HandCommand(HandMode.HOLD, 101, (MotorTarget(0.0, 1.0, 1.0),))
    assert HandStatus.LAYOUT.size + HandStatus.EACH.size * 8 <= 200
