"""Telemetry there and back, and on published figures."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire import frame, telemetry
from devices.families.crsf.wire.telemetry import Attitude, Battery, LinkStatistics

CODECS: dict[int, tuple[Callable[[bytes], Any], Callable[[Any], bytes]]] = {
    0x08: (telemetry.decode_battery, telemetry.encode_battery),
    0x0D: (telemetry.decode_temperatures, lambda group: telemetry.encode_temperatures(*group)),
    0x14: (telemetry.decode_link_statistics, telemetry.encode_link_statistics),
    0x1E: (telemetry.decode_attitude, telemetry.encode_attitude),
    0x21: (telemetry.decode_flight_mode, telemetry.encode_flight_mode),
}
u8 = st.integers(0, 255)
i8 = st.integers(-128, 127)
dbm = st.integers(-255, 0)
turns = st.floats(-1e3, 1e3) | st.sampled_from([math.inf, -math.inf, math.nan])
links = st.builds(LinkStatistics, dbm, dbm, u8, i8, u8, u8, u8, dbm, u8, i8)


def _payload(made: bytes) -> bytes:
    assert frame.scanner().feed(made) == [made]
    return frame.payload_of(made)


def test_published_battery() -> None:
    # betaflight, src/test/unit/telemetry_crsf_unittest.cc: 33, 296, 1234, 67
    made = telemetry.encode_battery(Battery(3.3, 29.6, 1234, 67))
    assert made[:3] == b"\xc8\x0a\x08"
    assert _payload(made) == bytes.fromhex("0021 0128 0004D2 43".replace(" ", ""))
    assert telemetry.decode_battery(made) == (3.3, 29.6, 1234, 67)


def test_published_attitude() -> None:
    # betaflight, likewise: 67.8°, 149.5°, -179.9° as 11833, 26092, -31398 (which truncates)
    made = telemetry.encode_attitude(Attitude(1.1833, 2.6092, -3.1398))
    assert made[:3] == b"\xc8\x08\x1e"
    assert _payload(made) == (
        (11833).to_bytes(2, "big")
        + (26092).to_bytes(2, "big")
        + (0x10000 - 31398).to_bytes(2, "big")
    )


def test_published_flight_mode() -> None:
    # betaflight, likewise
    made = telemetry.encode_flight_mode("ACRO*")
    assert made[:3] == b"\xc8\x08\x21"
    assert _payload(made) == b"ACRO*\0"
    assert telemetry.decode_flight_mode(made) == "ACRO*"


PUBLISHED = [
    ("C80C14414262F90103054663F7EB", LinkStatistics(-65, -66, 98, -7, 1, 3, 5, -70, 99, -9)),
    ("C80A0800A8007B0005DC4E02", Battery(16.8, 12.3, 1500, 78)),
    ("C8081EE18804B03D5481", Attitude(-0.78, 0.12, 1.57)),
    ("C807 0D 0B 00FD FF87 7F", (11, (25.3, -12.1))),
    ("C80821414E474C450087", "ANGLE"),
]


@pytest.mark.parametrize(("packet", "values"), PUBLISHED)
def test_published_frames(packet: str, values: object) -> None:
    # Tellicious/ADV-RCProtocols, tests/test_CRSF.c: frames with what they mean beside them
    whole = bytes.fromhex(packet)
    assert frame.scanner().feed(whole) == [whole]
    decode, encode = CODECS[whole[2]]
    decoded = decode(whole)
    if isinstance(values, Attitude):
        assert decoded == pytest.approx(values, abs=1e-9)
    else:
        assert decoded == values
    assert encode(decoded) == whole


def test_link_statistics_follow_the_specification() -> None:
    link = LinkStatistics(-60, -72, 100, 9, 1, 5, 3, -55, 98, -4)
    made = telemetry.encode_link_statistics(link)
    assert _payload(made).hex() == "3c4864090105033762fc"


@given(links)
def test_link_statistics_there_and_back(link: LinkStatistics) -> None:
    assert telemetry.decode_link_statistics(telemetry.encode_link_statistics(link)) == link


@given(st.floats(0, 6553), st.floats(0, 6553), st.integers(0, 0xFFFFFF), st.integers(0, 100))
def test_battery_there_and_back(volts: float, amperes: float, used: int, percent: int) -> None:
    back = telemetry.decode_battery(
        telemetry.encode_battery(Battery(volts, amperes, used, percent))
    )
    assert back is not None
    assert back[:2] == pytest.approx((volts, amperes), abs=0.051)
    assert back[2:] == (used, percent)


@given(st.floats(), st.floats(), st.integers(), st.integers())
def test_no_battery_is_too_odd(volts: float, amperes: float, used: int, percent: int) -> None:
    made = telemetry.encode_battery(Battery(volts, amperes, used, percent))
    back = telemetry.decode_battery(made)
    assert back is not None
    assert 0 <= back.percent <= 100


@given(turns, turns, turns)
def test_attitude_there_and_back(pitch: float, roll: float, yaw: float) -> None:
    back = telemetry.decode_attitude(telemetry.encode_attitude(Attitude(pitch, roll, yaw)))
    assert back is not None
    for angle, decoded in zip((pitch, roll, yaw), back, strict=True):
        if math.isfinite(angle):
            assert abs(math.remainder(decoded - angle, math.tau)) < 6e-5
        else:
            assert decoded == 0.0


@given(st.text(max_size=40))
def test_any_text_fits_the_line(text: str) -> None:
    made = telemetry.encode_flight_mode(text)
    payload = _payload(made)
    assert len(payload) <= 16
    assert payload.index(0) == len(payload) - 1
    assert len(telemetry.decode_flight_mode(made)) == min(len(text), 15)


@given(u8, st.lists(st.floats(-3000, 3000), max_size=20))
def test_temperatures_there_and_back(source: int, celsius: list[float]) -> None:
    back = telemetry.decode_temperatures(telemetry.encode_temperatures(source, celsius))
    assert back is not None
    assert back[0] == source
    assert back[1] == pytest.approx(celsius, abs=0.051)


@given(u8, st.lists(st.floats(0, 65), max_size=29))
def test_cells_there_and_back(source: int, volts: list[float]) -> None:
    back = telemetry.decode_cells(telemetry.encode_cells(source, volts))
    assert back is not None
    assert back[0] == source
    assert back[1] == pytest.approx(volts, abs=0.00051)


def test_cells_follow_the_specification() -> None:
    # tbs-crsf-spec, crsf.md, 0x0E: u8 source, then u16 millivolts, as 3.850 V and 4.200 V
    assert _payload(telemetry.encode_cells(2, (3.85, 4.2))) == bytes.fromhex("020F0A1068")


def test_more_than_fits_is_left_out() -> None:
    back = telemetry.decode_temperatures(telemetry.encode_temperatures(1, [20.0] * 40))
    assert back == (1, (20.0,) * 20)


@given(st.sampled_from([0x08, 0x0D, 0x0E, 0x14, 0x1E, 0x21]), st.binary(max_size=60))
def test_any_payload_can_be_read(kind: int, payload: bytes) -> None:
    whole = frame.frame(kind, payload)
    telemetry.decode_battery(whole)
    telemetry.decode_link_statistics(whole)
    telemetry.decode_attitude(whole)
    telemetry.decode_flight_mode(whole)
    telemetry.decode_temperatures(whole)
    telemetry.decode_cells(whole)
