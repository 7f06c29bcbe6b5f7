"""The form of the next take: what is chosen stays chosen, and becomes the plan."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.console.record.plan_form import DEFAULT, NO_MICROPHONE, NOTHING, PlanForm
from core.link.take import TakePlan

PATH = Path("/takes/arm_1.take")
TAKES = (Path("/takes/nod_2.take"), Path("/takes/nod_1.take"))
GESTURES = (("wave", "Wave"),)


@pytest.fixture
def form(qtbot: QtBot) -> PlanForm:
    found = PlanForm()
    qtbot.addWidget(found)
    found.offer(TAKES, GESTURES, ("hello", "idea"))
    return found


def test_untouched_it_plans_a_plain_take(form: PlanForm) -> None:
    assert form.plan(PATH, ("left_arm",)) == TakePlan(
        path=str(PATH), limbs=("left_arm",), count_in_s=3.0
    )


def test_what_plays_meanwhile_is_an_earlier_take_or_a_gesture(form: PlanForm) -> None:
    titles = [form.backing.itemText(row) for row in range(form.backing.count())]
    assert titles == [NOTHING, "♺ nod_2", "♺ nod_1", "Wave"]
    form.backing.setCurrentIndex(2)
    form.phrase.setCurrentIndex(form.phrase.findText("idea"))
    plan = form.plan(PATH, ())
    assert (plan.backing_take, plan.backing, plan.phrase) == (str(TAKES[1]), None, "idea")
    form.backing.setCurrentIndex(3)
    plan = form.plan(PATH, ())
    assert (plan.backing_take, plan.backing) == ("", "wave")


def test_a_choice_outlives_another_offer_unless_it_is_gone(form: PlanForm) -> None:
    form.backing.setCurrentIndex(1)
    form.phrase.setCurrentIndex(1)
    new = Path("/takes/arm_1.take")
    form.offer((new, *TAKES), GESTURES, ("hello",))
    assert form.plan(PATH, ()).backing_take == str(TAKES[0])
    assert form.plan(PATH, ()).phrase == "hello"
    form.offer((new, TAKES[1]), GESTURES, ("idea",))  # deleted, each
    plan = form.plan(PATH, ())
    assert (plan.backing_take, plan.backing, plan.phrase) == ("", None, None)
    assert form.backing.currentText() == form.phrase.currentText() == NOTHING


def test_punch_times_are_seen_and_planned_while_it_is_on(form: PlanForm) -> None:
    assert form.punch_in.isHidden() and form.punch_out.isHidden()
    form.punch.setChecked(True)
    assert not form.punch_in.isHidden() and not form.punch_out.isHidden()
    form.punch_in.setValue(1.5)
    form.punch_out.setValue(4.0)
    plan = form.plan(PATH, ())
    assert (plan.punch_in_s, plan.punch_out_s) == (1.5, 4.0)
    form.punch_out.setValue(1.0)
    with pytest.raises(ValueError, match="punch"):
        form.plan(PATH, ())
    form.punch.setChecked(False)
    assert form.plan(PATH, ()).punch_in_s is None


def test_microphones_are_none_the_usual_one_and_those_by_name(form: PlanForm) -> None:
    chosen: list[str | None] = []
    form.microphone_chosen.connect(lambda: chosen.append(form.microphone))
    form.offer_microphones(("Desk", "Lapel"))
    titles = [form.microphones.itemText(row) for row in range(form.microphones.count())]
    assert titles == [NO_MICROPHONE, DEFAULT, "Desk", "Lapel"] and chosen == []
    for row in (3, 1, 0):
        form.microphones.setCurrentIndex(row)
    assert chosen == ["Lapel", "", None]
    form.microphones.setCurrentIndex(3)
    form.offer_microphones(("Lapel",))
    assert form.microphone == "Lapel" and form.microphones.count() == 3
    form.offer_microphones(("Desk",))
    assert form.microphones.currentText() == "▲ Lapel" and form.microphone == "Lapel"
    form.offer_microphones(("Desk", "Lapel"))
    assert form.microphones.currentText() == "Lapel", "it is back"
    assert chosen == ["Lapel", "", None, "Lapel"], "an offer is no choice"


def test_a_remembered_microphone_is_chosen_before_it_is_found(form: PlanForm) -> None:
    form.choose_microphone("Lapel")
    assert form.microphone == "Lapel" and form.plan(PATH, ()).microphone == "Lapel"
    form.choose_microphone(None)
    assert form.microphone is None
