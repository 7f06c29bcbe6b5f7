"""The bench of phrases: from a press to the first sample at the monitor of a null sink."""

import math
import os
import random
import socket
import subprocess
import tempfile
import time
import wave
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import numpy as np

from app.console.bench.bench import ConsoleBenchError
from app.console.bench.ear import RATE_HZ, Ear, delays_ms
from app.console.bench.lateness import spread
from app.console.bench.phrase_probe import Place
from app.console.bench.probe import FILE, ORDER, Probed, ProbeOrder, begun
from app.console.bench.sound_server import SoundServer
from app.console.bench.x_hand import XHand
from app.keeper import console_environment
from core.link.client import Client
from core.link.commands import LoadShow
from core.link.handset import BUTTONS, STOP, HandsetMap
from core.link.status import Status
from shows.document import Show, Trigger
from shows.folders import user_folder
from shows.storage import save_show

BAR_MS = 60.0
DEVICE = "hall"  # of the sound server
PHRASE, KEY, BUTTON = "tone", "F5", 2
TONE_S, TONE_HZ = 0.1, 1000.0
STATE_S = 120.0
LONGEST_S = 0.3  # after which a sound belongs to no press
APART_S = (0.35, 0.45)
HANDSET_HELD_S = 0.15  # of its frames, every 20 ms of the twin's time, some must have the press
ORDERS_SOCKET = "orders.sock"


@contextmanager
def studio(folder: Path) -> Iterator[dict[str, str]]:
    """Run a sound server for all processes that are started meanwhile; give its environment.

    Settings of the operator are left alone: the handset's layout is kept in the folder.
    """
    with tempfile.TemporaryDirectory(prefix="snd") as short:  # a socket's path must be short
        server = SoundServer(Path(short))
        server.start()
        names = {name: server.environment[name] for name in ("HOME", "PULSE_SERVER")}
        for name in ("CONFIG", "STATE", "CACHE"):
            names[f"XDG_{name}_HOME"] = str(folder / name.lower())
        before = {name: os.environ.get(name) for name in names}
        os.environ.update(names)
        try:
            yield {**os.environ, **names}
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
            server.kill()


def write_layout(robot: str) -> None:
    """Keep a layout of the robot's handset that says the phrase, before its core starts."""
    uses = [STOP, *["none"] * (BUTTONS - 1)]
    uses[BUTTON - 1] = f"phrase:{PHRASE}"
    folder = user_folder("XDG_CONFIG_HOME", ".config") / "robots" / robot
    folder.mkdir(parents=True)
    layout = msgspec.json.encode(HandsetMap(buttons=tuple(uses)))
    (folder / "handset.json").write_bytes(layout)


def keep_in_time(twin: int, priority: int) -> None:
    """Give the process of a twin a real-time priority, if the system permits it.

    Its handset stands for one whose frames no other program delays.
    """
    with suppress(OSError):
        os.sched_setscheduler(twin, os.SCHED_FIFO, os.sched_param(priority))


def write_show(folder: Path) -> Path:
    """Write a show with one trigger, which says a tone; return its path."""
    sound, show = folder / f"{PHRASE}.wav", folder / "phrases"
    times_s = np.arange(round(TONE_S * RATE_HZ)) / RATE_HZ
    tone = np.round(16_000.0 * np.cos(2.0 * np.pi * TONE_HZ * times_s)).astype("<i2")
    with wave.open(str(sound), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(tone.tobytes())
    trigger = Trigger(use=f"phrase:{PHRASE}", hotkey=KEY, button="a")
    save_show(Show(name="Phrases", triggers=(trigger,)), show, (), {PHRASE: sound})
    return show


class PhraseBench:
    """Presses what says a phrase, on a core that runs.

    Args:
        endpoint: the core's.
        robot: name of the robot.
        environment: in which the sound server is known.
        presses: of each control.

    Attributes:
        twin_pace: simulated time of a twin by real time, while its handset was pressed; frames come
            later where it is below 1. NaN before.
    """

    def __init__(
        self, endpoint: str, robot: str, environment: Mapping[str, str], presses: int
    ) -> None:
        self._endpoint, self._robot = endpoint, robot
        self._environment, self._presses = environment, presses
        self.twin_pace = math.nan

    def by_console(
        self, folder: Path, command: Callable[[Path], Sequence[str]]
    ) -> dict[str, list[float]]:
        """Press key, pad and controller of a console; return the delays of each [ms].

        Raises:
            ConsoleBenchError: the console did not come up, or died.
            OSError: there is no X server, or a program is missing.
        """
        show, file = write_show(folder), folder / "probe.json"
        environment = console_environment() | {
            FILE: str(file),
            ORDER: msgspec.json.encode(ProbeOrder(phrases=self._presses)).decode(),
        }
        process = subprocess.Popen(list(command(show)), env=environment, stderr=subprocess.DEVNULL)
        try:
            with self._client() as client, Ear(self._environment) as ear:
                place_file = begun(file)
                alive = lambda: process.poll() is None  # noqa: E731
                _await(client, "the console shows its pads", place_file.exists, alive)
                _await(client, "the monitor is heard", lambda: ear.hears, alive)
                place = msgspec.json.decode(place_file.read_bytes(), type=Place)
                hand = XHand()
                hand.focus(place.window)
                _pause(client, 1.0)
                keys_s = [self._wait_and(client, lambda: hand.key(KEY)) for _ in self._times()]
                pads_s = [
                    self._wait_and(client, lambda: hand.click(place.x, place.y))
                    for _ in self._times()
                ]
                hand.close()
                place_file.unlink()
                _await(client, "the controller is pressed", lambda: process.poll() is not None)
                begins_s = ear.begins_s()
        finally:
            process.kill()
            process.wait()
        if not file.exists():
            raise ConsoleBenchError(f"the console died with status {process.returncode}")
        controller_s = msgspec.json.decode(file.read_bytes(), type=Probed).controller_s
        pressed = {"key": keys_s, "cart": pads_s, "controller": controller_s}
        return {name: delays_ms(when, begins_s, LONGEST_S) for name, when in pressed.items()}

    def by_handset(self, folder: Path, ports: Path) -> dict[str, list[float]]:
        """Press a button of a twin's handset; return the delays [ms].

        A press is the order to the twin, whose handset sends it with its next frame.

        Raises:
            ConsoleBenchError: the twin's handset was not heard.
            OSError: the twin takes no orders.
        """
        show = write_show(folder)
        with self._client() as client, Ear(self._environment) as ear:
            _await(client, "the handset is heard", lambda: _hears_handset(client))
            client.send(LoadShow(str(show)))
            _await(client, "the show is loaded", lambda: _status(client).show == "Phrases")
            _await(client, "the monitor is heard", lambda: ear.hears)
            _pause(client, 3.0)  # the voice has loaded the phrase
            with socket.socket(socket.AF_UNIX) as orders:
                orders.connect(str(ports / ORDERS_SOCKET))
                orders.settimeout(5.0)

                def press() -> float:
                    at_s = time.monotonic()
                    for words in ("press", "release"):
                        orders.sendall(f"{words} {BUTTON}\n".encode())
                        orders.recv(4096)
                        _pause(client, HANDSET_HELD_S)
                    return at_s

                before = _status(client)
                pressed_s = [self._wait_and(client, press) for _ in self._times()]
            _pause(client, LONGEST_S)
            after = _status(client)
            elapsed_s = after.host_stamp_s - before.host_stamp_s
            if elapsed_s <= 0.0:
                raise ConsoleBenchError("the core fell silent while it was measured; measure again")
            self.twin_pace = (after.stamp_s - before.stamp_s) / elapsed_s
            return {"handset": delays_ms(pressed_s, ear.begins_s(), LONGEST_S)}

    def _times(self) -> range:
        return range(self._presses)

    def _client(self) -> Client:
        return Client(self._endpoint, self._robot, "bench", True, STATE_S)

    def _wait_and(self, client: Client, press: Callable[[], float]) -> float:
        _pause(client, random.uniform(*APART_S))
        return press()


def found_of(
    found: Mapping[str, Sequence[float]], presses: int
) -> tuple[list[tuple[str, str]], dict[str, object], bool]:
    """Return the rows, the content of the JSON, and whether every bar holds.

    Args:
        found: delays by control [ms].
        presses: of each control; a press without a sound breaks the bar.
    """
    rows, holds = [], True
    report: dict[str, object] = {"bar_ms": BAR_MS, "presses": presses}
    for name, delays in found.items():
        told = spread([1e-3 * delay for delay in delays])
        held = bool(told) and told["p99"] <= BAR_MS and len(delays) == presses
        holds = holds and held
        report[name] = {**told, "heard": len(delays)}
        words = " / ".join(f"{value:.1f}" for value in told.values()) or "none"
        verdict = "pass" if held else "FAIL"
        rows.append(
            (f"{name}, {len(delays)} of {presses} heard", f"{words}   p99 ≤ {BAR_MS:g}   {verdict}")
        )
    return rows, report, holds


def _status(client: Client) -> Status:
    return client.status() or Status(0.0)


def _hears_handset(client: Client) -> bool:
    handset = _status(client).handset
    return handset is not None and handset.heard


def _pause(client: Client, seconds: float) -> None:
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        client.beat()
        time.sleep(min(0.02, max(0.0, end_s - time.monotonic())))


def _await(
    client: Client,
    what: str,
    holds: Callable[[], bool],
    alive: Callable[[], bool] = lambda: True,
) -> None:
    deadline = time.monotonic() + STATE_S
    while not holds():
        if not alive():
            raise ConsoleBenchError(f"the console died before {what}")
        if time.monotonic() > deadline:
            raise ConsoleBenchError(f"not within {STATE_S:g} s: {what}")
        client.beat()
        time.sleep(0.02)
