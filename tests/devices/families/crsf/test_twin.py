"""The emulated CRSF receiver and its handset's screen."""

from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.twin import Receiver
from devices.families.crsf.wire import frame as crsf
from devices.families.crsf.wire import menu, packed, screen, telemetry
from devices.families.crsf.wire.channels import NEUTRAL, Layout, read
from devices.families.crsf.wire.frame import Type
from devices.twin.operator import Operator


def said(receiver: Receiver, start_ms: int, stop_ms: int) -> list[tuple[int, bytes]]:
    """Return frames and when they were sent [ms]."""
    scanner = crsf.scanner()
    return [
        (tick, checked)
        for tick in range(start_ms, stop_ms)
        for checked in scanner.feed(receiver.tell(1000 * tick))
    ]


def kinds(found: list[tuple[int, bytes]], kind: Type) -> list[int]:
    return [tick for tick, checked in found if crsf.kind_of(checked) == kind]


@given(
    st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4),
    st.integers(0, 1023),
    st.booleans(),
)
def test_a_driver_reads_the_operators_controls(
    sticks: list[float], buttons: int, dead_man: bool
) -> None:
    operator = Operator(buttons, sticks, dead_man)
    (frame,) = (
        checked
        for _, checked in said(Receiver(operator, Layout()), 0, 1)
        if crsf.kind_of(checked) == Type.CHANNELS
    )
    controls = read(packed.decode(frame), NEUTRAL, Layout())
    assert (controls.buttons, controls.dead_man) == (buttons, dead_man)
    assert all(abs(a - b) < 0.01 for a, b in zip(controls.sticks, sticks, strict=True))


def test_a_handset_that_goes_ends_its_channels_at_once_and_the_link_s_figures_later() -> None:
    operator = Operator()
    receiver = Receiver(operator, Layout())
    there = said(receiver, 0, 1000)
    assert kinds(there, Type.CHANNELS) == list(range(0, 1000, 20))
    assert len(kinds(there, Type.LINK_STATISTICS)) == 5
    operator.present = False
    gone = said(receiver, 1000, 6000)
    assert kinds(gone, Type.CHANNELS) == []
    assert kinds(gone, Type.LINK_STATISTICS)[-1] < 3600
    for _, checked in gone:
        link = telemetry.decode_link_statistics(checked)
        assert link is not None
        assert link.up_quality == 0
    operator.present = True
    assert kinds(said(receiver, 6000, 6100), Type.CHANNELS) == list(range(6000, 6100, 20))


def test_its_screen_shows_the_robots_telemetry_while_linked() -> None:
    operator = Operator()
    receiver = Receiver(operator, Layout())
    battery = telemetry.Battery(22.8, 11.0, 900, 71)
    receiver.take(screen.frames("READY", "", 0.0, battery), 0)
    assert receiver.screen.lines == {"mode": "READY"}
    assert (receiver.screen.battery_v, receiver.screen.charge) == (22.8, 0.71)
    operator.present = False
    receiver.take(screen.frames("FAULT", "fell", 0.0, battery), 0)
    assert receiver.screen.lines == {"mode": "READY"}
    operator.present = True
    receiver.take(screen.frames("FAULT", "fell", 0.0, battery), 0)
    assert receiver.screen.lines == {"mode": "!fell"}
    assert receiver.screen.updates == 4


def test_the_handset_s_menu_goes_both_ways() -> None:
    receiver = Receiver(Operator(), Layout())
    receiver.asking.append(menu.ping())
    assert kinds(said(receiver, 0, 2), Type.PING) == [0]
    device = menu.Device("Footlight", 1, 1, 1, 3, 0)
    for _ in range(100):
        receiver.take(menu.encode_device(device), 0)
    assert len(receiver.told) == Receiver.MOST_TOLD
    assert menu.decode_device(receiver.told[0]) == device


@given(st.lists(st.binary(max_size=80)))
def test_noise_is_borne(found: list[bytes]) -> None:
    receiver = Receiver(Operator(), Layout())
    for noise in found:
        receiver.take(noise, 0)
    assert not receiver.asked
    assert receiver.answer() == b""


@given(st.integers(0, 100))
def test_so_many_packets_arrive_as_the_quality_says(quality: int) -> None:
    operator = Operator(link_quality=quality)
    receiver = Receiver(operator, Layout())
    found = kinds(said(receiver, 0, 2000), Type.CHANNELS)
    assert len(found) == quality
    gaps = [after - before for before, after in zip(found, found[1:], strict=False)]
    assert not gaps or max(gaps) <= 20 * -(-100 // quality)  # evenly, not in one go
