"""The user's folders are those that the environment names, and there is always one."""

import tempfile
from pathlib import Path

import pytest

from shows.folders import user_folder


def test_the_users_folder_is_the_one_that_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert user_folder("XDG_STATE_HOME", ".local/state") == tmp_path / "footlight"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert user_folder("XDG_STATE_HOME", ".local/state").parts[-3:] == (
        ".local",
        "state",
        "footlight",
    )


def test_a_user_without_a_home_has_the_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    folder = user_folder("XDG_CACHE_HOME", ".cache")
    assert folder == Path(tempfile.gettempdir()) / ".cache" / "footlight"
