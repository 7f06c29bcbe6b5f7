"""What system tests of the console begin with."""

from collections.abc import Iterator

import pytest

from tests.system import inside
from tests.system.screen import Screen


@pytest.fixture
def screen() -> Iterator[Screen]:
    """A screen of its own."""
    found = Screen()
    yield found
    found.close()


@pytest.fixture
def asker(monkeypatch: pytest.MonkeyPatch) -> Iterator[inside.Asker]:
    """Whom a console that is started with `inside.MODULE` answers."""
    found = inside.Asker()
    monkeypatch.setenv(inside.ADDRESS, found.name)
    yield found
    found.close()
