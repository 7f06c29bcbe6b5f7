"""Listens to the microphone that a console or a take has chosen, and reports its level."""

import math
from collections import deque

import numpy as np

from core.link import topics
from core.link.client import Client
from core.link.take import MAX_DEVICES, MicrophoneReport
from devices.interface import HeardBlock, SoundInput

WISH_S = 3.0  # a console repeats its wish once a second; the microphone closes without one
LEVEL_S = 0.1  # between two reports of the level
FULL = 0.999  # a sample beyond it is clipped
SILENCE_DB = -200.0
RECENT_BLOCKS = 64
LONGEST_NAME, LONGEST_TROUBLE = 200, 500


class Listener:
    """Chooses the microphone and reports its level; closes it if nobody needs it.

    Args:
        client: connection to the core; subscribed before the first heartbeat.
        microphone: the microphone.

    Attributes:
        recent: the newest blocks, for a take that has begun before its order arrives.
    """

    def __init__(self, client: Client, microphone: SoundInput) -> None:
        self._client, self._microphone = client, microphone
        self.recent: deque[HeardBlock] = deque(maxlen=RECENT_BLOCKS)
        self._wishes = client.subscribe(topics.WISH)
        self._wished: str | None = None
        self._wished_s = self._reported_s = -math.inf
        self._peak = self._power = 0.0
        self._count = 0

    def step(self, now_s: float, chosen: str | None) -> tuple[list[HeardBlock], str]:
        """Return the blocks since the last call, and the reason why nothing is heard or empty.

        Args:
            now_s: time on the host's monotonic clock [s].
            chosen: microphone of the take that is recorded; None without one.
        """
        for wish in self._wishes.poll():
            self._wished, self._wished_s = wish.device, now_s
        wished = now_s - self._wished_s < WISH_S
        device = chosen
        if device is None and wished:
            device = self._wished
        microphone = self._microphone
        microphone.choose(device, wished)
        blocks = microphone.read()
        self.recent.extend(blocks)
        for block in blocks:
            if len(block.samples):
                self._peak = max(self._peak, float(np.abs(block.samples).max()))
                self._power += float(np.square(block.samples, dtype=np.float64).sum())
                self._count += len(block.samples)
        if (wished or device is not None) and now_s - self._reported_s >= LEVEL_S:
            self._reported_s = now_s
            self._report(device)
        return blocks, microphone.trouble

    def close(self) -> None:
        """Close the microphone."""
        self._microphone.close()

    def _report(self, device: str | None) -> None:
        microphone = self._microphone
        mean = self._power / self._count if self._count else 0.0
        self._client.publish(
            MicrophoneReport(
                open=microphone.hears,
                device=(device or "")[:LONGEST_NAME],
                devices=tuple(name[:LONGEST_NAME] for name in microphone.devices[:MAX_DEVICES]),
                peak_db=_decibels(self._peak),
                rms_db=_decibels(math.sqrt(mean)),
                clipped=self._peak >= FULL,
                trouble=microphone.trouble[:LONGEST_TROUBLE],
            )
        )
        self._peak = self._power = 0.0
        self._count = 0


def _decibels(level: float) -> float:
    """Return a level relative to full scale [dB]; NaN and infinity become full scale."""
    if not math.isfinite(level):
        return 0.0
    return max(SILENCE_DB, 20.0 * math.log10(level)) if level > 0.0 else SILENCE_DB
