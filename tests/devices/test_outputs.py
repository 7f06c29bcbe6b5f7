"""Sound outputs: none, and those of a real sound server; nothing is played."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.console.bench.sound_server import SoundServer, why_not
from tests.tracked import REPOSITORY

ASK = """
import sys
from devices.outputs import sound_outputs
found = sound_outputs(*sys.argv[1:])
print(found.problem, found.default, *found.outputs, sep="|")
"""


@pytest.fixture
def server() -> Iterator[SoundServer]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        server = SoundServer(Path(folder))
        server.start()
        yield server
        server.kill()


def ask(server: SoundServer, *wanted: str) -> tuple[str, str, list[str]]:
    """Ask in a process of its own: PortAudio is global to one."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, *wanted],
        cwd=REPOSITORY,
        env=server.environment,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    problem, default, *names = done.stdout.strip("\n").split("|")
    return problem, default, names


def test_no_server_no_output(server: SoundServer) -> None:
    server.kill()
    problem, _, _ = ask(server)
    assert "; plug" in problem


def test_the_default_and_every_other_output_are_named(server: SoundServer) -> None:
    problem, default, names = ask(server)
    assert problem == ""
    assert default in names


def test_an_output_by_name(server: SoundServer) -> None:
    assert ask(server, "pulse")[0] == ""
    problem, _, names = ask(server, "no such thing")
    assert problem == "" and not [name for name in names if "no such" in name]


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from devices.outputs import sound_outputs

    monkeypatch.setitem(sys.modules, "sounddevice", None)
    assert "install libportaudio2" in sound_outputs().problem
