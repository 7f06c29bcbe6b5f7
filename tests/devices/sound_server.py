"""A sound server without a sound card, for tests that really play."""

import os
import shutil
import subprocess
import time
from pathlib import Path

NEEDED = ("pulseaudio", "pactl")

HEAR = """
def heard(blocks):
    \"\"\"Return the monotonic times of the impulses in what was captured.

    Each time counts from the blocks around it: a starved machine loses some now and then.
    \"\"\"
    import numpy as np
    frames = np.cumsum([0] + [len(block) for _, block in blocks])
    origins = np.array([t - f / 48000 for (t, _), f in zip(blocks, frames)])
    found = np.flatnonzero(np.abs(np.concatenate([block for _, block in blocks])) > 0.3)
    places = np.searchsorted(frames, found, side="right") - 1
    near = [np.median(origins[max(place - 10, 0) : place + 11]) for place in places]
    return [float(origin + frame / 48000) for origin, frame in zip(near, found)]
"""


def why_not() -> str | None:
    """Say why no sound can be played here, or None."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed (apt install pulseaudio libasound2-plugins)"
    try:
        import sounddevice  # noqa: F401
    except (ImportError, OSError) as error:
        return f"no PortAudio here: {error} (apt install libportaudio2)"
    if not list(Path("/usr").glob("lib*/**/libasound_module_pcm_pulse.so")):
        return "ALSA cannot reach PulseAudio (apt install libasound2-plugins)"
    return None


class SoundServer:
    """A private PulseAudio whose only output is a null sink."""

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
                "-Lmodule-null-sink sink_name=cap rate=48000 channels=2",
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

    def _ask(self) -> "subprocess.CompletedProcess[bytes]":
        """Ask it for its name."""
        return subprocess.run(["pactl", "info"], env=self.environment, capture_output=True)
