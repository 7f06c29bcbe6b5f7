"""The loss of a person's input leads to standing, and nothing resumes by itself."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.link.catalogue.partner import PARTNER_UNHEARD
from core.partner.presence import LOST_S, SILENT_S, Attendance, Presence


def started(now_s: float = 0.0) -> Attendance:
    attendance = Attendance()
    attendance.hear(now_s, now_s)
    assert attendance.start(now_s) is None
    return attendance


def test_input_alone_starts_nothing() -> None:
    attendance = Attendance()
    for step in range(100):
        attendance.hear(0.01 * step, 0.01 * step)
        assert attendance.at(0.01 * step) is Presence.AWAY
    assert not attendance.lost


def test_who_is_silent_cannot_be_started() -> None:
    attendance = Attendance()
    assert attendance.start(0.0) == PARTNER_UNHEARD()
    attendance.hear(0.0, 0.0)
    assert attendance.start(SILENT_S) == PARTNER_UNHEARD()
    assert attendance.at(SILENT_S) is Presence.AWAY


def test_silence_holds_then_ends_and_only_a_start_leads_back() -> None:
    attendance = started()
    assert attendance.at(0.099) is Presence.FOLLOWED
    assert attendance.at(SILENT_S) is Presence.HELD
    attendance.hear(0.15, 0.16)
    assert attendance.at(0.17) is Presence.FOLLOWED
    assert attendance.at(0.449) is Presence.HELD
    assert (attendance.at(0.46), attendance.lost) == (Presence.AWAY, True)
    for step in range(50, 100):
        attendance.hear(0.01 * step, 0.01 * step)
        assert (attendance.at(0.01 * step), attendance.lost) == (Presence.AWAY, True)
    assert attendance.start(1.0) is None
    assert (attendance.at(1.0), attendance.lost) == (Presence.FOLLOWED, False)
    attendance.end()
    assert (attendance.at(1.0), attendance.lost) == (Presence.AWAY, False)


def test_a_stamp_of_the_future_or_none_does_not_feign_presence() -> None:
    attendance = started()
    attendance.hear(1e9, 0.01)
    attendance.hear(math.nan, 0.02)
    assert attendance.at(0.05) is Presence.FOLLOWED
    assert attendance.at(0.4) is Presence.AWAY
    assert attendance.at(math.nan) is Presence.AWAY


@given(
    st.lists(
        st.tuples(st.floats(0.0, 0.4), st.sampled_from("hla"), st.floats(0.0, 0.2)), max_size=60
    )
)
def test_away_stays_away_until_a_start(steps: list[tuple[float, str, float]]) -> None:
    attendance, now_s, heard_s = started(), 0.0, 0.0
    away = False
    for passed_s, what, age_s in steps:
        now_s += passed_s
        if what == "h":
            attendance.hear(now_s - age_s, now_s)
            heard_s = max(heard_s, now_s - age_s)
        presence = attendance.at(now_s)
        away = away or now_s - heard_s >= LOST_S
        assert (presence is Presence.AWAY) == away
        assert away or (presence is Presence.FOLLOWED) == (now_s - heard_s < SILENT_S)
