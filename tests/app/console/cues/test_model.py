"""The model tells Qt what changed and no more, and lets no bad value through."""

import msgspec
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.console.cues.cells import COLUMNS, PLACE, Key
from app.console.cues.model import CueModel
from shows.document import Cue, Show
from tests.app.console.cues.conftest import STAGED, Desk, small_show
from tests.app.console.rig import LineCore

Role = Qt.ItemDataRole


def model_of(desk: Desk) -> CueModel:
    return CueModel(desk.context, desk.caller)


def cell(model: CueModel, number: str, key: Key) -> QModelIndex:
    row = model.row_of(number)
    assert row is not None
    return model.index(row, PLACE[key])


def text(model: CueModel, number: str, key: Key) -> str:
    return str(cell(model, number, key).data())


def test_qt_finds_nothing_wrong_with_it(lone_desk: Desk) -> None:
    model = model_of(lone_desk)
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode)
    model.fold(1)
    model.set_query("walk")
    lone_desk.context.document.undo.undo()
    assert tester.model() is model


@pytest.mark.parametrize(
    ("number", "key", "value", "words"),
    [
        ("1", "number", "4", "Cue 4 exists already"),
        ("1", "pre_wait_s", "soon", "is no time"),
        ("1", "pre_wait_s", "1:00:01", "0 to 3600"),
        ("2", "hotkey", "H", "already fires cue 1"),
        ("2", "hotkey", "Space", "belongs to the console"),
        ("1", "colour", "pink", "pink"),
        ("5", "continue_mode", "x", "continue mode"),
    ],
)
def test_a_bad_value_is_one_sentence_and_the_cell_stays(
    lone_desk: Desk, number: str, key: Key, value: str, words: str
) -> None:
    model = model_of(lone_desk)
    before = lone_desk.context.document.show
    assert not model.setData(cell(model, number, key), value)
    assert lone_desk.context.document.show is before
    (said,) = lone_desk.said
    assert words in said


def test_every_editable_column_is_edited_and_undone(lone_desk: Desk) -> None:
    model, document = model_of(lone_desk), lone_desk.context.document
    values: dict[Key, tuple[str, object]] = {
        "name": ("Good day", "Good day"),
        "pre_wait_s": ("1:01.5", 61.5),
        "post_wait_s": ("0,5", 0.5),
        "continue_mode": ("auto_continue", "auto_continue"),
        "armed": ("False", False),
        "colour": ("blue", "blue"),
        "hotkey": ("f7", "F7"),
        "notes": (" two\nlines ", " two\nlines "),
        "number": ("0.5", "0.5"),
    }
    assert {column.key for column in COLUMNS if column.editable} == set(values)
    before = document.show
    for key, (typed, kept) in values.items():
        number = document.show.cues[0].number
        assert model.setData(cell(model, number, key), typed)
        assert getattr(document.show.cues[0], key) == kept
    for _ in values:
        document.undo.undo()
    assert document.show == before
    assert text(model, "1", "name") == "Hello"


def test_show_locks_every_cell(lone_desk: Desk) -> None:
    model = model_of(lone_desk)
    lone_desk.context.lock.set_locked(True)
    for column in range(len(COLUMNS)):
        assert not model.flags(model.index(0, column)) & Qt.ItemFlag.ItemIsEditable
        assert not model.setData(model.index(0, column), "x")
    assert not model.change(["1"], "name", "x")
    assert lone_desk.cue("1").name == "Hello"
    assert "choose EDIT" in lone_desk.said[-1]


def test_an_edit_touches_its_row_only(lone_desk: Desk, qtbot: QtBot) -> None:
    model = model_of(lone_desk)
    touched: list[int] = []
    model.dataChanged.connect(lambda first, last: touched.extend((first.row(), last.row())))
    with qtbot.assertNotEmitted(model.modelReset):
        model.change(["3"], "name", "About")
    assert touched == [3, 3]  # below the header


def test_a_status_touches_only_the_rows_that_it_changes_and_time_only_a_cell(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    model = model_of(desk)
    touched: set[tuple[int, int, int]] = set()
    with qtbot.waitSignal(model.dataChanged):
        core.set(standby_cue="3", next_cue="4")
    qtbot.wait(60)
    model.dataChanged.connect(
        lambda first, last: touched.add((first.row(), first.column(), last.column()))
    )
    with qtbot.assertNotEmitted(model.modelReset):
        core.set(running_cues=("1",), running_cue="1", cue_elapsed_s=1.0, cue_length_s=4.0)
        qtbot.waitUntil(lambda: bool(touched))
        qtbot.wait(100)
    assert touched == {(0, 0, len(COLUMNS) - 1)}  # the whole row is in bold now
    touched.clear()
    core.set(cue_elapsed_s=2.0)
    qtbot.waitUntil(lambda: bool(touched))
    assert touched == {(0, PLACE["state"], PLACE["state"])}


def test_states_are_told_in_words(desk: Desk, core: LineCore, qtbot: QtBot) -> None:
    model = model_of(desk)
    core.set(
        standby_cue="3", next_cue="4", running_cues=("1", "5"), running_cue="1", show_s=1.0,
        cue_elapsed_s=1.0, cue_length_s=4.0,
    )  # fmt: skip
    qtbot.waitUntil(lambda: text(model, "1", "state") == "▶ 3.0 left")
    assert text(model, "3", "state") == "● STANDBY"
    assert text(model, "4", "state") == "→ next"
    assert text(model, "5", "state") == "… pre-wait"
    core.set(paused=True)
    qtbot.waitUntil(lambda: text(model, "1", "state") == "‖ paused 3.0")


def test_verdicts_are_told_in_words_with_their_reason(
    lone_desk: Desk, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    assert text(model_of(lone_desk), "1", "verdict") == "? untested"
    model = model_of(desk)
    core.load(small_show(), STAGED, cue_3="right elbow 112 %")
    qtbot.waitUntil(lambda: text(model, "3", "verdict") == "■ refused")
    assert text(model, "1", "verdict") == "● passed"
    tip = cell(model, "3", "verdict").data(Role.ToolTipRole)
    assert tip == "Cue 3: right elbow 112 %"


def test_an_unknown_length_is_a_question_mark(lone_desk: Desk) -> None:
    from shows.document import GestureClip, GestureTrack

    model = model_of(lone_desk)
    track = GestureTrack(clips=(GestureClip(motion="gone"),))
    show = Show(name="x", cues=(Cue(number="1", tracks=(track,)),))
    lone_desk.context.document.open(show, None, {}, {})
    assert text(model, "1", "duration") == "?"
    assert "missing" in cell(model, "1", "duration").data(Role.ToolTipRole)


def test_a_folded_group_says_what_happens_in_it(desk: Desk, core: LineCore, qtbot: QtBot) -> None:
    model = model_of(desk)
    model.fold(1)
    assert model.rowCount() == 4
    assert model.row_of("2") == model.row_of("3") == 1
    core.set(standby_cue="3", running_cues=("2",))
    qtbot.waitUntil(lambda: "cue 3 on standby" in model.header_text(1))
    assert "cue 2 waits" in model.header_text(1)
    assert model.reveal("3") == 3


def test_a_header_renames_its_group(lone_desk: Desk) -> None:
    model = model_of(lone_desk)
    assert model.index(1, 0).data(Role.EditRole) == "Act"
    assert model.setData(model.index(1, 0), "First act")
    assert [cue.group for cue in lone_desk.context.document.show.cues[1:3]] == ["First act"] * 2
    assert not model.setData(model.index(1, PLACE["name"]), "x")


def test_another_order_is_another_list(lone_desk: Desk, qtbot: QtBot) -> None:
    model, document = model_of(lone_desk), lone_desk.context.document
    cues = tuple(reversed(document.show.cues))
    with qtbot.waitSignal(model.modelReset):
        document.edit("turn", msgspec.structs.replace(document.show, cues=cues))
    assert [row.number for row in model.rows if not row.is_header] == ["5", "4", "3", "2", "1"]


def test_columns_have_titles_and_explain_themselves(lone_desk: Desk) -> None:
    model = model_of(lone_desk)
    for i, column in enumerate(COLUMNS):
        assert model.headerData(i, Qt.Orientation.Horizontal) == column.title
        tip = model.headerData(i, Qt.Orientation.Horizontal, Role.ToolTipRole)
        assert tip == column.tip
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.data(QModelIndex()) is None
