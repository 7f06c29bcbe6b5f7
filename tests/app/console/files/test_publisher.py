"""The core gets what is edited, when no cue runs, and the console knows which version it has."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.files.publisher import SETTLE_MS, Publisher
from core.link.catalogue.refusals import CUE_RUNS, REFUSED
from core.link.catalogue.show import SHOW_NOT_LOADED, SHOW_REFUSED
from core.link.commands import LoadShow
from core.link.statement import Statement
from core.link.wording import event
from shows.document import Show
from tests.app.console.files.rig import SHOW, cue, motion
from tests.app.console.rig import LineCore

OTHER = Show(name="Other", cues=(cue("9"),))


@pytest.fixture
def publisher(context: Context, tmp_path: Path) -> Iterator[Publisher]:
    found = Publisher(context.link, context.document, context.notices, tmp_path / "stage")
    yield found
    found.close()


def load(core: LineCore, qtbot: QtBot, count: int) -> str:
    """Be a core that loads what it was asked; return the path."""

    def asked() -> list[str]:
        return [command.path for command in core.commands if isinstance(command, LoadShow)]

    qtbot.waitUntil(lambda: len(asked()) >= count)
    path = asked()[-1]
    assert (Path(path) / "show.json").is_file()
    core.set(show_path=path, show="Evening", standby_cue="1")
    return path


def open_show(context: Context, show: Show = SHOW, path: Path | None = None) -> None:
    context.document.open(show, path, {"mine": motion()}, {})


def rename(context: Context, name: str) -> None:
    show = context.document.show
    first = msgspec.structs.replace(show.cues[0], name=name)
    after = msgspec.structs.replace(show, cues=(first, *show.cues[1:]))
    context.document.edit("rename", after, key="rename")


def ready(qtbot: QtBot, publisher: Publisher) -> None:
    qtbot.waitUntil(lambda: publisher.current)


def test_what_is_opened_and_edited_reaches_the_core(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    told: list[bool] = []
    publisher.core_has_changed.connect(told.append)
    open_show(context)
    first = load(core, qtbot, 1)
    ready(qtbot, publisher)
    for name in ("a", "ab", "abc"):
        rename(context, name)
    assert not publisher.current
    second = load(core, qtbot, 2)  # one load for edits that follow each other
    ready(qtbot, publisher)
    assert second != first
    assert b"abc" in (Path(second) / "show.json").read_bytes()
    assert told == [True, False, True]
    context.document.undo.undo()
    assert load(core, qtbot, 3) == first
    ready(qtbot, publisher)


def test_an_edit_does_not_move_the_playhead(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    rename(context, "x")
    load(core, qtbot, 2)
    ready(qtbot, publisher)
    open_show(context, OTHER)
    load(core, qtbot, 3)
    ready(qtbot, publisher)
    kept = [command.keep_standby for command in core.commands if isinstance(command, LoadShow)]
    assert kept == [False, True, False]
    assert len(core.commands) == 3  # no command moves it afterwards


def test_the_same_show_opened_again_goes_on_where_it_was(
    context: Context, core: LineCore, publisher: Publisher, tmp_path: Path, qtbot: QtBot
) -> None:
    open_show(context, SHOW, tmp_path / "evening")
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    recovered = msgspec.structs.replace(SHOW, notes="not saved")
    open_show(context, recovered, tmp_path / "evening")  # as after a crash in the middle of it
    load(core, qtbot, 2)
    ready(qtbot, publisher)
    open_show(context, OTHER, tmp_path / "other")
    load(core, qtbot, 3)
    ready(qtbot, publisher)
    kept = [command.keep_standby for command in core.commands if isinstance(command, LoadShow)]
    assert kept[1:] == [True, False]


def test_a_deleted_standby_cue_is_told(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    said: list[Notice] = []
    context.notices.said.connect(said.append)
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    core.set(standby_cue="2")
    qtbot.waitUntil(lambda: context.link.status.standby_cue == "2")  # type: ignore[union-attr]
    context.document.edit("delete 2", msgspec.structs.replace(SHOW, cues=SHOW.cues[:1]))
    load(core, qtbot, 2)
    ready(qtbot, publisher)
    assert [notice.text for notice in said] == ["cue 2 is gone: cue 1 is on standby"]


def test_while_a_cue_runs_the_core_is_left_alone(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    core.set(running_cues=("1",))
    qtbot.waitUntil(lambda: context.link.status.running_cues == ("1",))  # type: ignore[union-attr]
    open_show(context)
    qtbot.waitUntil(lambda: publisher.state == "waiting")
    qtbot.wait(100)
    assert core.commands == []
    core.set(running_cues=())
    load(core, qtbot, 1)
    ready(qtbot, publisher)


@pytest.mark.parametrize(
    "said",
    [
        REFUSED(command="load_show", reason=CUE_RUNS(cue="1")),
        SHOW_NOT_LOADED(show="Evening", reason=CUE_RUNS(cue="1")),
    ],
)
def test_a_cue_that_starts_meanwhile_puts_the_load_off(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot, said: Statement
) -> None:
    open_show(context)
    qtbot.waitUntil(lambda: len(core.commands) == 1)
    core.set(running_cues=("1",))
    core.say(event(1.0, "core", said))
    qtbot.waitUntil(lambda: publisher.state == "waiting")
    core.set(running_cues=())
    load(core, qtbot, 2)
    ready(qtbot, publisher)


def test_a_refusal_is_told_once_and_the_next_edit_tries_again(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    said: list[Notice] = []
    context.notices.said.connect(said.append)
    open_show(context)
    qtbot.waitUntil(lambda: len(core.commands) == 1)
    refused = SHOW_REFUSED(text="Evening/show.json: no motion is named mine")
    core.say(event(1.0, "stagehand", refused))
    qtbot.waitUntil(lambda: publisher.state == "refused")
    assert "no motion is named mine" in publisher.words
    assert len(said) == 1
    qtbot.wait(100)
    assert len(core.commands) == 1
    rename(context, "mended")
    load(core, qtbot, 2)
    ready(qtbot, publisher)


def test_a_restarted_console_knows_its_version_and_leaves_the_playhead(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot, tmp_path: Path
) -> None:
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    core.set(standby_cue="2", running_cues=("1",))
    publisher.close()
    again = Publisher(context.link, context.document, context.notices, tmp_path / "stage")
    again.publish()
    ready(qtbot, again)
    assert len(core.commands) == 1
    again.close()


def test_a_restarted_core_gets_the_show_again(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    core.stop()
    qtbot.waitUntil(lambda: publisher.state == "no_core")
    with LineCore(core.endpoint) as another:
        load(another, qtbot, 1)
        ready(qtbot, publisher)


@pytest.mark.parametrize("path", ["/elsewhere/gala", ""])
def test_a_show_that_somebody_else_loads_or_takes_out_is_not_fought_over(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot, path: str
) -> None:
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    core.set(show_path=path, show_stamp_s=9.0)
    qtbot.waitUntil(lambda: publisher.state == "displaced")
    qtbot.wait(100)
    assert len(core.commands) == 1
    publisher.publish()
    load(core, qtbot, 2)
    ready(qtbot, publisher)


def test_an_edit_does_not_take_the_core_from_somebody_else(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    core.set(show_path="/elsewhere/gala", show_stamp_s=9.0)
    qtbot.waitUntil(lambda: publisher.state == "displaced")
    rename(context, "x")
    qtbot.wait(SETTLE_MS + 300)
    assert publisher.state == "displaced" and len(core.commands) == 1
    publisher.publish()
    assert b'"x"' in (Path(load(core, qtbot, 2)) / "show.json").read_bytes()
    ready(qtbot, publisher)


def test_somebody_elses_show_that_comes_during_an_edit_is_left_there(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    open_show(context)
    load(core, qtbot, 1)
    ready(qtbot, publisher)
    rename(context, "x")
    core.set(show_path="/elsewhere/gala", show_stamp_s=9.0)
    qtbot.waitUntil(lambda: publisher.state == "displaced")
    assert len(core.commands) == 1


def test_an_empty_console_leaves_the_core_its_show(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: publisher.state == "nothing")
    core.set(show_path="/elsewhere/gala")
    qtbot.waitUntil(lambda: publisher.state == "foreign")
    assert core.commands == []


def test_a_version_is_told_before_the_core_has_it(
    context: Context, core: LineCore, publisher: Publisher, qtbot: QtBot
) -> None:
    made: list[tuple[str, Show]] = []
    publisher.version_made.connect(lambda path, show: made.append((path, show)))
    open_show(context)
    path = load(core, qtbot, 1)
    assert made == [(path, context.document.show)]


def test_a_disk_that_refuses_is_a_refusal(
    context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    found = Publisher(context.link, context.document, context.notices, tmp_path / "file" / "x")
    open_show(context)
    qtbot.waitUntil(lambda: found.state == "refused")
    assert "could not be copied" in found.words
    assert core.commands == []
    found.close()
