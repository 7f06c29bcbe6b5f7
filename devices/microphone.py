"""The microphone: one input stream on a device that is selected by its name.

PortAudio may wait for a sound server, so that it has a thread of its own here.
"""

import threading
import time
from collections import deque
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from devices.interface import HeardBlock
from devices.mixer import RATE_HZ
from devices.portaudio import reason, renewed

SERVICE_S = 0.1
RETRY_S = 0.5  # period of the search for a missing device
LOOK_S = 10.0  # period of the list of devices, while no stream is open
SILENT_S = 0.8  # a stream without a callback for this long has lost its device
FRESH_S = 3.0  # except a new one, which needs time to start
KEPT = 6000  # blocks that wait to be read: a minute
END_S = 1.0  # longest wait for the thread at the end; it ends with the process
Samples = npt.NDArray[np.float32]


class Microphone:
    """Hears the system's default input, or the device of a given name; see `SoundInput`.

    A missing library, a missing device and a lost one are reported in `trouble`; a device is
    searched for while it is chosen, and heard again when it is back.

    Attributes:
        devices: names of those found last.
        trouble: reason why nothing is heard, or the devices cannot be listed, one sentence; or
            empty.
        hears: the chosen device delivers sound.
    """

    def __init__(self, latency_s: float = 0.03) -> None:
        self.devices: tuple[str, ...] = ()
        self.trouble = ""
        self.hears = False
        self._latency_s = latency_s
        self._device: str | None = None
        self._looks = False
        self._blocks: deque[HeardBlock] = deque(maxlen=KEPT)
        self._library: ModuleType | None = None
        self._stream: Any = None
        self._open_device: str | None = None
        self._number = 0
        self._heard_s = self._fresh_until_s = 0.0
        self._next_try_s = self._next_look_s = 0.0
        self._hopeless = False
        self._wake, self._ended = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def choose(self, device: str | None, look: bool = False) -> None:
        """Listen to a microphone, or to none; see `SoundInput`."""
        if (device, look) == (self._device, self._looks):
            return
        if device != self._device:
            self.hears, self.trouble = False, ""
        self._device, self._looks = device, look
        self._next_try_s = 0.0
        self._wake.set()
        if self._thread is None and (look or device is not None):
            self._thread = threading.Thread(target=self._run, name="microphone", daemon=True)
            self._thread.start()

    def read(self) -> list[HeardBlock]:
        """Return the blocks since the last call."""
        found = []
        while self._blocks:
            found.append(self._blocks.popleft())
        return found

    def close(self) -> None:
        """End the stream."""
        self._ended.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(END_S)

    # ---- in the thread

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._service(time.monotonic())
            except Exception as error:  # nothing may end the thread while a microphone is chosen
                self._drop()
                self.trouble = f"{_name(self._device)} failed ({error!r}); it is tried again"
                self._next_try_s = time.monotonic() + RETRY_S
            self._wake.wait(SERVICE_S)
            self._wake.clear()
        self._drop()

    def _service(self, now_s: float) -> None:
        """Open the chosen stream, or open it again if its device is lost."""
        wanted, stream = self._device, self._stream
        if stream is not None and wanted != self._open_device:
            self._drop()
        elif stream is not None:
            silent = now_s > max(self._heard_s + SILENT_S, self._fresh_until_s)
            if silent or not stream.active:
                self._drop()
                self.trouble = f"{_name(wanted)} is gone; it is looked for again"
                self._next_try_s = now_s + RETRY_S
            elif self._heard_s > 0.0:
                self.hears, self.trouble = True, ""
        if self._stream is not None or self._hopeless:
            return
        if wanted is not None and now_s >= self._next_try_s:
            self._open(wanted)
            self._next_try_s = time.monotonic() + RETRY_S
        elif wanted is None and self._looks and now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            try:
                self._find(None)
            except LookupError as error:
                self.trouble = str(error)
            else:
                self.trouble = ""

    def _find(self, device: str | None) -> int | None:
        """List the microphones; return PortAudio's number of one, None for the default.

        Raises:
            LookupError: it is not there, its name fits several, or PortAudio does not start; one
                sentence.
        """
        found = self._query()
        hearing = [one for one in found if one["max_input_channels"] > 0]
        inputs: dict[int, str] = {one["index"]: one["name"] for one in hearing}
        self.devices = tuple(dict.fromkeys(inputs.values()))
        if device is None:
            return None
        if not inputs:
            raise LookupError("there is no microphone; plug one in")
        if not device:
            return None
        same = [number for number, name in inputs.items() if name == device]
        part = device.casefold()
        like = [number for number, name in inputs.items() if part in name.casefold()]
        if same or len(like) == 1:
            return (same or like)[0]
        what = "more than one" if like else "no"
        there = ", ".join(self.devices)
        raise LookupError(f"there is {what} microphone {device!r}; there are {there}")

    def _query(self) -> Any:
        """Return PortAudio's list of devices; an empty one without the library.

        Raises:
            LookupError: PortAudio does not start, or does not list them; one sentence.
        """
        try:
            self._library = renewed(self._library)
        except (ImportError, OSError) as error:
            self._hopeless = True
            self.trouble = f"no microphone: {error}; install libportaudio2 and python's sounddevice"
            return []
        try:
            return self._library.query_devices()
        except self._library.PortAudioError as error:
            raise LookupError(
                f"the microphones cannot be listed ({reason(error)}); it is tried again"
            ) from error

    def _open(self, device: str) -> None:
        """Try to open a stream."""
        try:
            number = self._find(device)
        except LookupError as error:
            if not self._hopeless:
                self.trouble = str(error)
            return
        library = self._library
        assert library is not None, "it has listed the devices"
        self._number += 1
        self._heard_s = 0.0
        self._fresh_until_s = time.monotonic() + FRESH_S
        try:
            self._stream = library.InputStream(
                samplerate=RATE_HZ,
                channels=1,
                dtype="float32",
                device=number,
                latency=self._latency_s,
                callback=self._take,
            )
            self._open_device = device
            self._stream.start()
        except (library.PortAudioError, ValueError) as error:
            self._drop()
            self.trouble = f"{_name(device)} cannot be opened ({reason(error)}); it is tried again"

    def _drop(self) -> None:
        """Close the stream."""
        stream, self._stream, self._open_device = self._stream, None, None
        self.hears = False
        if stream is not None:
            stream.close(ignore_errors=True)

    def _take(self, data: Samples, frames: int, times: Any, _status: Any) -> None:
        """Take one block; called by PortAudio's thread."""
        now_s = time.monotonic()
        behind_s = times.currentTime - times.inputBufferAdcTime
        if not 0.0 <= behind_s < 1.0:  # some hosts report no time
            behind_s = self._latency_s + frames / RATE_HZ
        self._blocks.append(HeardBlock(self._number, now_s - behind_s, data[:, 0].copy()))
        self._heard_s = now_s


def _name(device: str | None) -> str:
    return f"the microphone {device}" if device else "the microphone"
