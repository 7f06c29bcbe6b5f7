"""Alarms neither flash by unseen nor pile up; what was seen becomes small."""

from app.console.top.alarm_book import SHOWN_S, AlarmBook, AlarmRow
from core.link.catalogue.safety import BATTERY_LEVEL
from core.link.status import Alarm

LOW = Alarm("BATTERY_LOW", "WARN")
HELD = Alarm("OPERATOR_SILENT", "HOLD")
SETTLES = Alarm("OPERATOR_SILENT", "SETTLE")
NEW = Alarm("NEWER", "EXPLODE")


def test_a_warning_that_comes_and_goes_stays_legible() -> None:
    book = AlarmBook()
    book.update((LOW,), 10.0)
    book.update((), 10.02)
    assert book.rows() == (AlarmRow(LOW, False, True),)
    book.update((LOW,), 11.0)
    assert book.rows() == (AlarmRow(LOW, False, False),)
    book.update((), 11.0 + SHOWN_S)
    assert book.rows() == ()


def test_what_stopped_the_robot_stays_until_it_was_seen() -> None:
    book = AlarmBook()
    book.update((HELD,), 10.0)
    book.update((), 1000.0)
    assert book.rows() == (AlarmRow(HELD, False, True),)
    book.acknowledge(book.rows()[0].key)
    book.update((), 1000.1)
    assert book.rows() == ()


def test_an_acknowledged_alarm_stays_while_the_core_says_it() -> None:
    book = AlarmBook()
    book.update((HELD, LOW), 10.0)
    book.acknowledge_all()
    book.update((HELD, LOW), 500.0)
    assert [row.acknowledged for row in book.rows()] == [True, True]


def test_one_that_comes_back_or_grows_worse_is_new() -> None:
    book = AlarmBook()
    book.update((HELD,), 10.0)
    book.acknowledge_all()
    book.update((SETTLES,), 11.0)
    assert book.rows() == (AlarmRow(SETTLES, False, False),)
    book.update((HELD,), 12.0)
    assert AlarmRow(HELD, False, False) in book.rows()


def test_the_worst_is_first_and_what_is_over_last() -> None:
    book = AlarmBook()
    book.update((SETTLES,), 10.0)
    book.update((LOW, HELD), 11.0)
    assert [row.alarm for row in book.rows()] == [HELD, LOW, SETTLES]
    book.update((LOW, NEW), 11.0)
    assert book.rows()[0].alarm == NEW, "an action that nobody knows is not the least"


def test_a_text_that_changes_is_not_a_new_alarm() -> None:
    book = AlarmBook()
    book.update((LOW,), 10.0)
    book.acknowledge_all()
    changed = Alarm(LOW.flag, LOW.action, BATTERY_LEVEL(voltage_v=20.1, charge=0.12))
    book.update((changed,), 11.0)
    assert book.rows() == (AlarmRow(changed, True, False),)


def test_acknowledging_what_is_not_shown_is_nothing() -> None:
    book = AlarmBook()
    book.acknowledge(("FALLEN", "DAMP"))
    assert book.rows() == ()


def test_what_comes_and_goes_while_the_robot_is_limp_needs_nobody() -> None:
    book = AlarmBook()
    book.update((HELD,), 10.0, limp=True)
    book.update((), 10.0 + SHOWN_S, limp=True)
    assert book.rows() == ()
    book.update((HELD,), 20.0, limp=True)
    book.update((HELD,), 20.1, limp=False)
    book.update((), 1000.0)
    assert book.rows() == (AlarmRow(HELD, False, True),)
