"""The command and its console as they are, but that the console answers a test.

It tells what a person at the screen sees and a test cannot: what has the focus, what is written,
where the picture of the robot is. And it plugs game controllers, which SDL makes for the process
that asks for them, and for no other.
"""

import json
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

import app.keeper
from app.__main__ import main

ADDRESS = "FOOTLIGHT_TEST_ADDRESS"
MODULE = "tests.system.inside"
PATIENCE_S = 20.0


class Asker:
    """A test's end of it.

    Attributes:
        name: of the console's end; it goes into the environment before the start.
    """

    def __init__(self) -> None:
        self.name = f"footlight-test-{os.getpid()}-{id(self):x}"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("")  # any name; neither has a file
        self._socket.settimeout(PATIENCE_S)

    def ask(self, what: str, *words: Any) -> Any:
        """Return what the console answers.

        Raises:
            ConnectionRefusedError: there is none yet.
        """
        self._socket.sendto(json.dumps([what, *words]).encode(), b"\0" + self.name.encode())
        return json.loads(self._socket.recv(1 << 20))

    def close(self) -> None:
        """Leave."""
        self._socket.close()


def console_command(real: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """Return what makes the command line of a console that answers."""

    def command(*particulars: Any) -> list[str]:
        return [MODULE if word == "app" else word for word in real(*particulars)]

    return command


def open_ears() -> None:
    """Let the console listen as soon as its window begins to work."""
    from app.console.window.window import Window
    from tests.system.inside_console import Ear

    begin: Callable[[Window], None] = Window.begin

    def listen(self: Window) -> None:
        begin(self)
        Ear(os.environ[ADDRESS], self)

    Window.begin = listen  # type: ignore[method-assign]


if __name__ == "__main__":
    if "console" in sys.argv[1:2]:
        open_ears()
    app.keeper.console_command = console_command(app.keeper.console_command)
    sys.exit(main())
