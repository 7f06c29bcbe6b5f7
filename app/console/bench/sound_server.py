"""A sound server without a sound card, for benches and tests that really play."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

NEEDED = ("pulseaudio", "pactl")

ALSA = """
pcm.hall { type pulse device cap hint { show on description "Hall" } }
pcm.booth { type pulse device booth hint { show on description "Booth" } }
pcm.ear { type pulse device cap.monitor hint { show on description "Ear" } }
"""
"""Names for two outputs, as sound cards have them, and for an input that hears the first."""


def why_not() -> str | None:
    """Say why no sound can be played here, or None."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed (apt install pulseaudio libasound2-plugins)"
    try:
        import sounddevice  # noqa: F401
    except (ImportError, OSError) as error:
        return f"no PortAudio here: {error} (apt install libportaudio2)"
    places = ("lib*/*/alsa-lib", "lib*/alsa-lib")
    plugin = "libasound_module_pcm_pulse.so"
    if not any(list(Path("/usr").glob(f"{place}/{plugin}")) for place in places):
        return "ALSA cannot reach PulseAudio (apt install libasound2-plugins)"
    return None


class SoundServer:
    """A private PulseAudio whose only output is a null sink; programs know it as `hall`, too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = folder / "native"
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_SERVER": f"unix:{self._socket}",
        }
        (folder / ".asoundrc").write_text(ALSA)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._socket.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [
                "pulseaudio",
                "-n",
                "--exit-idle-time=-1",
                "--daemonize=no",
                "--use-pid-file=no",
                "--disable-shm=yes",
                f"-Lmodule-native-protocol-unix socket={self._socket} auth-anonymous=1",
                "-Lmodule-null-sink sink_name=cap rate=48000 channels=2 norewinds=1",
            ],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 10.0
        while self._ask().returncode != 0:
            if time.monotonic() > deadline:
                raise TimeoutError("PulseAudio did not start within 10 s")
            time.sleep(0.05)

    def kill(self) -> None:
        """Take it away, as when a USB speaker is unplugged."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Let it stand still, as one whose device does not answer."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def plug(self, sink: str) -> None:
        """Add an output."""
        self._do(
            "load-module",
            "module-null-sink",
            f"sink_name={sink}",
            "rate=48000",
            "channels=2",
            "norewinds=1",
        )

    def unplug(self, sink: str) -> None:
        """Take an output away."""
        for line in self._do("list", "short", "modules").splitlines():
            number, _, words = line.partition("\t")
            if f"sink_name={sink}" in words.split():
                self._do("unload-module", number)

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            ["pactl", *words], env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def _ask(self) -> "subprocess.CompletedProcess[bytes]":
        """Ask it for its name."""
        return subprocess.run(["pactl", "info"], env=self.environment, capture_output=True)
