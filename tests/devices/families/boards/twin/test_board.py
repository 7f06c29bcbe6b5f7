"""Emulated boards that share a line, by their frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.twin.battery_monitor import BatteryMonitor
from devices.families.boards.twin.board import BoardLine
from devices.families.boards.twin.contact_board import ContactBoard
from devices.families.boards.twin.seats import BatterySeat
from devices.families.boards.wire.battery import Battery, BatteryFault
from devices.families.boards.wire.contacts import Contacts
from devices.families.boards.wire.identity import Board, Identity, Start
from devices.families.boards.wire.layout import TO_BOARD, Kind
from devices.wire.frame import Frame, FrameStream


def feet() -> tuple[ContactBoard, ContactBoard]:
    return ContactBoard(0x60, (0, 1)), ContactBoard(0x61, (2, 3))


def test_each_board_has_its_own_sequence_and_sends_its_identity() -> None:
    line, stream = BoardLine(feet()), FrameStream()
    frames = [f for tick in range(2001) for f in stream.feed(line.tell(1000 * tick))]
    for source in (0x60, 0x61):
        mine = [frame for frame in frames if frame.source == source]
        assert [frame.sequence for frame in mine] == list(range(len(mine)))
        plates = [Identity.of(f.payload) for f in mine if f.kind == Kind.IDENTITY]
        assert [plate.uptime_s for plate in plates] == [0, 1, 2]
        assert plates[0].board is Board.CONTACTS
        assert sum(frame.kind == Kind.CONTACTS for frame in mine) == 1001
    assert stream.bad_frames == 0
    assert all(not counts.lost and not counts.restarts for counts in stream.sources.values())


def test_a_foot_tells_its_own_contacts_as_it_feels_them() -> None:
    left, right = feet()
    contacts, forces = np.array((True, False, False, True)), np.array((90.0, 2.0, 0.0, 1e6))
    found = []
    for foot in (left, right):
        foot.feel(contacts, forces)
        (frame,) = FrameStream().feed(foot.report(4000))
        found.append(Contacts.of(frame.payload))
        assert frame.t_us == 4000
    assert [told.touching for told in found] == [0b01, 0b10]
    assert found[0].raw[0] > found[0].raw[1]
    assert found[1].raw[1] == 4000  # less than a broken one reads
    left.forced[1] = True
    left.unhealthy = 0b01
    (frame,) = FrameStream().feed(left.report(6000))
    told = Contacts.of(frame.payload)
    assert (told.touching, told.unhealthy) == (0b11, 0b01)


def test_a_restarted_board_begins_its_row_and_clock_anew() -> None:
    foot, stream = feet()[0], FrameStream()
    for tick in range(100):
        stream.feed(foot.tell(1000 * tick))
    foot.restart(Start.WATCHDOG, 100_000)
    frames = stream.feed(foot.tell(100_000))
    plate = Identity.of(frames[0].payload)
    assert (plate.start, plate.uptime_s, frames[0].sequence) == (Start.WATCHDOG, 0, 0)
    assert frames[1].t_us == 0
    assert stream.sources[0x60].restarts == 1


def test_a_mute_board_says_nothing_and_its_neighbour_goes_on() -> None:
    left, right = feet()
    line = BoardLine((left, right))
    left.mute = True
    frames = FrameStream().feed(line.tell(0))
    assert {frame.source for frame in frames} == {0x61}


def test_a_command_that_a_board_does_not_take_is_counted_and_others_do_not_hear_it() -> None:
    left, right = feet()
    line = BoardLine((left, right))
    for sequence, source in enumerate((TO_BOARD | 0x60, 0x60, 0x01, TO_BOARD | 0x7F)):
        line.take(Frame(Kind.HAND_COMMAND, source, sequence, 0, b"").encode(), 0)
    assert (left.refused, right.refused) == (1, 0)
    assert not line.asked
    assert line.answer() == b""


@given(st.lists(st.binary(max_size=100)))
def test_noise_is_borne(found: list[bytes]) -> None:
    line = BoardLine(feet())
    for noise in found:
        line.take(noise, 0)
    line.take(b"\0" + Frame(1, TO_BOARD | 0x61, 0xFFF0, 0, b"").encode(), 0)
    assert line.boards[1].refused >= 1


def test_a_battery_tells_its_share_and_its_low_cells() -> None:
    seat = BatterySeat(line="boards", source=0x65, pack=1, packs=2)
    monitor = BatteryMonitor(seat, capacity_ah=10.0)
    monitor.feel(22.2, 10.0, 0.5)
    (frame,) = FrameStream().feed(monitor.report(100_000))
    told = Battery.of(frame.payload)
    assert (told.pack, told.current_a, told.charge, told.used_ah) == (1, 5.0, 0.5, 2.5)
    assert sum(told.cells_v) == pytest.approx(22.2, abs=0.003)
    assert told.cells_v[0] > told.cells_v[-1]
    assert told.faults == BatteryFault(0)
    monitor.feel(19.0, 10.0, 0.0)
    (frame,) = FrameStream().feed(monitor.report(200_000))
    assert Battery.of(frame.payload).faults == BatteryFault.CELL_LOW
    assert monitor.report(201_000) == b""


def test_packs_in_series_share_the_voltage() -> None:
    seat = BatterySeat(line="boards", source=0x64, packs=2, series=True)
    monitor = BatteryMonitor(seat, capacity_ah=10.0)
    monitor.feel(22.2, 10.0, 0.5)
    (frame,) = FrameStream().feed(monitor.report(0))
    told = Battery.of(frame.payload)
    assert (told.voltage_v, told.current_a, told.used_ah, len(told.cells_v)) == (11.1, 10.0, 5.0, 3)
