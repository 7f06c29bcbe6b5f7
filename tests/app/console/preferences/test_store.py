"""Settings are kept, checked when they are read, and a bad file costs nothing but a sentence."""

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.console.preferences import store as preferences
from app.console.preferences.store import Preferences, PreferencesStore, config_folder


def test_settings_come_back(tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "config" / "preferences.json"
    store = PreferencesStore(path)
    assert store.load() == ""
    store.change(Preferences(go_minimum_s=1.5, recent=("/a",)))
    store.close()
    again = PreferencesStore(path)
    with qtbot.waitSignal(again.changed):
        assert again.load() == ""
    assert again.value == Preferences(go_minimum_s=1.5, recent=("/a",))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"go_minimum": 1}', "go_minimum"),
        ('{"go_minimum_s": 99}', "10"),
        ('{"go_key_up": true', "ends too early"),
        ("\xff", ""),
    ],
)
def test_a_bad_file_is_told_kept_and_replaced_by_the_usual(
    text: str, word: str, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "preferences.json"
    path.write_bytes(text.encode("latin-1"))
    store = PreferencesStore(path)
    sentence = store.load()
    assert word in sentence
    assert "\n" not in sentence
    assert store.value == Preferences()
    (kept,) = tmp_path.glob("preferences.bad-*.json")
    assert kept.read_bytes() == text.encode("latin-1")
    store.change(Preferences(go_key_up=False))
    store.close()
    assert PreferencesStore(path).load() == ""


def test_a_disk_that_refuses_is_told_and_the_settings_hold(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "file").write_text("")
    store = PreferencesStore(tmp_path / "file" / "preferences.json")
    with qtbot.waitSignal(store.refused) as refused:
        store.change(Preferences(go_key_up=False))
    assert "for this run only" in (refused.args or [""])[0]
    assert not store.value.go_key_up


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_folder() == tmp_path / "footlight"


def test_a_slow_disk_holds_nobody_up_and_gets_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    written: list[bytes] = []
    disk = threading.Event()

    def write(path: Path, data: bytes) -> None:
        assert disk.wait(10.0)
        written.append(data)

    monkeypatch.setattr(preferences, "write_atomically", write)
    store = PreferencesStore(tmp_path / "preferences.json")
    for percent in range(1, 50):  # a slider is drawn
        store.change(Preferences(walk_speed_share=percent / 100))
    assert not written
    disk.set()
    store.close()
    assert b"0.49" in written[-1]
    assert len(written) <= 2
