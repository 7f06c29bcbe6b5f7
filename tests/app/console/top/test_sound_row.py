"""The row of the sound: the voice's echo, the operator's hand, and whose volume holds."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.preferences.store import Preferences
from app.console.top.sound_row import UNSET, SoundRow
from core.link.client import Client
from core.link.commands import Mute, UseSound, Volume
from core.link.sound import SoundReport
from tests.app.console.rig import ROBOT, LineCore

SET = SoundReport("voice-1", device="hall", volume=0.5)


class Voice:
    """Says the same thing again and again, as the voice does."""

    def __init__(self, endpoint: str) -> None:
        self.report: SoundReport | None = SET
        self._client = Client(endpoint, ROBOT, "voice")
        self._timer = QTimer(interval=50)
        self._timer.timeout.connect(self._say)
        self._timer.start()

    def _say(self) -> None:
        if self.report is not None:
            self._client.publish(self.report)

    def set(self, **fields: object) -> None:
        """Change what it says."""
        self.report = msgspec.structs.replace(SET, **fields)

    def close(self) -> None:
        """Fall silent."""
        self._timer.stop()
        self._client.close()


@pytest.fixture
def voice(core: LineCore) -> Iterator[Voice]:
    found = Voice(core.endpoint)
    yield found
    found.close()


@pytest.fixture
def row(context: Context, voice: Voice, qtbot: QtBot) -> SoundRow:
    found = SoundRow(context)
    qtbot.addWidget(found)
    found.show()
    qtbot.waitUntil(lambda: found.mute.isEnabled())
    return found


def volumes(core: LineCore) -> list[float]:
    return [command.level for command in core.commands if isinstance(command, Volume)]


def test_what_the_voice_says_is_shown_and_nothing_is_asked(
    row: SoundRow, voice: Voice, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: (row.volume.value(), row.word.text()) == (50, "● hall"))
    voice.set(muted=True, volume=0.8)
    qtbot.waitUntil(lambda: row.mute.isChecked() and row.volume.value() == 80)
    assert core.commands == []


@pytest.mark.parametrize(("lost", "mark"), [(True, "■"), (False, "▲")])
def test_why_there_is_no_sound_is_said(
    row: SoundRow, voice: Voice, qtbot: QtBot, lost: bool, mark: str
) -> None:
    voice.set(trouble="the sound device hall is gone", lost=lost)
    qtbot.waitUntil(lambda: row.word.text() == f"{mark} the sound device hall is gone")


def test_the_hand_sets_volume_and_mute_and_the_volume_is_kept(
    row: SoundRow, voice: Voice, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    row.volume.setValue(70)
    row.mute.click()
    qtbot.waitUntil(lambda: Mute(True) in core.commands)
    assert volumes(core) == [pytest.approx(0.7)]
    assert context.preferences.value.volume == pytest.approx(0.7)
    voice.set(volume=0.7, muted=True)
    qtbot.waitUntil(lambda: row.mute.text().endswith("Muted"))
    row.mute.click()
    qtbot.waitUntil(lambda: Mute(False) in core.commands)


def test_a_core_where_nobody_has_set_anything_is_told_the_preferences_once(
    row: SoundRow, voice: Voice, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    context.preferences.change(Preferences(volume=0.3))
    voice.set(volume=None)
    qtbot.waitUntil(lambda: len(volumes(core)) == 1)
    qtbot.wait(50 * 3 * UNSET)
    assert volumes(core) == [0.3]


def test_a_device_that_is_saved_is_asked_for(
    row: SoundRow, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    context.preferences.change(Preferences(sound_device="booth"))
    qtbot.waitUntil(lambda: UseSound("booth") in core.commands)
    context.preferences.change(Preferences(sound_device="booth", volume=0.2))
    context.preferences.change(Preferences())
    qtbot.waitUntil(lambda: core.commands == [UseSound("booth"), UseSound("")])


def silenced(voice: Voice, core: LineCore) -> None:
    voice.report = None


def stopped(voice: Voice, core: LineCore) -> None:
    core.stop()


@pytest.mark.parametrize("vanish", [silenced, stopped])
def test_without_a_voice_nothing_can_be_set(
    row: SoundRow,
    voice: Voice,
    core: LineCore,
    qtbot: QtBot,
    vanish: Callable[[Voice, LineCore], None],
) -> None:
    vanish(voice, core)
    qtbot.waitUntil(lambda: not row.mute.isEnabled() and not row.volume.isEnabled())
    assert "%" not in row.word.text()
