"""A frame that noise held back is not taken for a new one."""

from devices.families.safe_remote import wire as safe_remote
from devices.families.safe_remote.wire import Heartbeat, Mode
from devices.real.arrival import Arrival

GOOD = safe_remote.encode_heartbeat(Heartbeat(Mode.OPERATIONAL, 0, 0))
LONG = b"\x10\x01\x20\xf8"  # claims 254 bytes


def test_a_frame_behind_a_false_header_has_its_age() -> None:
    arrival = Arrival(safe_remote.scanner())
    assert arrival.feed(LONG, 1.0) == ([], 1.0)
    assert arrival.feed(GOOD, 1.5) == ([], 1.0)
    frames, came_s = arrival.feed(bytes(250), 9.0)
    assert (frames, came_s) == ([GOOD], 1.0)


def test_a_frame_in_pieces_has_the_time_of_its_first_piece() -> None:
    arrival = Arrival(safe_remote.scanner())
    assert arrival.feed(GOOD, 1.0) == ([GOOD], 1.0)
    assert arrival.feed(GOOD + GOOD[:5], 2.0) == ([GOOD], 2.0)
    assert arrival.feed(GOOD[5:9], 2.1) == ([], 2.0)
    assert arrival.feed(GOOD[9:] + GOOD[:3], 2.2) == ([GOOD], 2.0)
    assert arrival.feed(GOOD[3:], 2.3) == ([GOOD], 2.2)
    assert arrival.feed(GOOD, 3.0) == ([GOOD], 3.0)
