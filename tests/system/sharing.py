"""One rehearsal with its screen, which several tests use one after the other."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.system import inside
from tests.system.screen import Rehearsal, Screen

FAILED = pytest.StashKey[bool]()


@dataclass(frozen=True, slots=True)
class Session:
    """A rehearsal with a console that answers a test.

    Attributes:
        screen: where its window is.
        rehearsal: listened to.
        asker: asks the console.
        home: the folder of its files.
        show: that it opened; None is the sample show.
    """

    screen: Screen
    rehearsal: Rehearsal
    asker: inside.Asker
    home: Path
    show: Path | None

    @property
    def runs(self) -> bool:
        """Whether the command and its core are alive."""
        alive = self.rehearsal.process.poll() is None
        return alive and self.rehearsal.member("loop") is not None


class Shared:
    """Owns a session; starts another where a test ended it or failed in it."""

    def __init__(
        self, make_folder: Callable[[], Path], save: Callable[[Path], Path] | None = None
    ) -> None:
        """Prepare, and start nothing.

        Args:
            make_folder: makes a folder for the files of a session.
            save: writes a show into it and returns where; None opens the sample show.
        """
        self._make_folder, self._save = make_folder, save
        self._stack = ExitStack()
        self._session: Session | None = None

    def lend(self, test: pytest.Item) -> Iterator[Session]:
        """Yield the session to a test, which puts back what it changes."""
        if self._session is None or not self._session.runs:
            self.close()
            self._session = self._start()
        yield self._session
        if test.stash.get(FAILED, False):
            self.close()

    def close(self) -> None:
        """End the session, if there is one."""
        self._session = None
        self._stack.close()

    def _start(self) -> Session:
        home = self._make_folder()
        show = None if self._save is None else self._save(home)
        screen = self._stack.enter_context(closing(Screen()))
        asker = self._stack.enter_context(closing(inside.Asker()))
        options = () if show is None else (str(show),)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(inside.ADDRESS, asker.name)
            rehearsal = Rehearsal(screen, home, *options, module=inside.MODULE)
        self._stack.enter_context(rehearsal)
        rehearsal.listen()
        return Session(screen, rehearsal, asker, home, show)
