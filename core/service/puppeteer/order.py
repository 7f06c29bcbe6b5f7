"""What the puppeteer plays: one frozen struct, passed as JSON in argv."""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from core.errors import CoreError
from core.link.message import Sequence
from core.run.launch import Argument
from shows.bvh_human import load_bvh
from shows.errors import ShowError
from shows.files import read_capped
from shows.joints import Floats

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
MOST_BYTES = 64 * 2**20
RECORDING = "recording"


class PuppeteerOrder(Argument, frozen=True):
    """What is played, to whom, and what the network does to it.

    Attributes:
        file: a BVH file of a person, or a recording of datagrams.
        source: what it is played as; a recording is played as it is.
        host: receiver.
        port: its port.
        loss: share of the datagrams that are lost.
        jitter_s: longest delay of a datagram [s].
        reorder: share of the datagrams that others overtake.
        seed: of the network's faults.
        rate_hz: frames by time [Hz].
        loops: how often it is played.
        t_pose_s: time for which the person first stands in the T-pose [s].
        waits: a take begins when the standard input ends; until then its first posture is held.
    """

    what = "puppeteer's order"
    file: Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
    source: Literal["vmc", "mvn", "natnet", "recording"]
    host: Annotated[str, msgspec.Meta(min_length=1, max_length=253)]
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    loss: Share = 0.0
    jitter_s: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] = 0.0
    reorder: Share = 0.0
    seed: Sequence = 0
    rate_hz: Annotated[float, msgspec.Meta(ge=1.0, le=240.0)] = 60.0
    loops: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1
    t_pose_s: Annotated[float, msgspec.Meta(ge=0.0, le=60.0)] = 0.0
    waits: bool = False

    @property
    def plays_take(self) -> bool:
        """Whether the file is a take; else it is a recording."""
        return self.source != RECORDING

    def take(self) -> tuple[float, Floats, Floats]:
        """Return rate [Hz], positions (k, 22, 3) and orientations (k, 22, 3, 3) of the take.

        Raises:
            CoreError: the file is no take of a person.
        """
        try:
            take = load_bvh(Path(self.file)).take
        except ShowError as error:
            raise CoreError(str(error)) from error
        return take.rate_hz, take.positions, take.orientations

    def recorded(self) -> bytes:
        """Return the bytes of the recording.

        Raises:
            CoreError: the file cannot be read.
        """
        try:
            return read_capped(Path(self.file), MOST_BYTES, Path(self.file).name)
        except ShowError as error:
            raise CoreError(str(error)) from error

    def playing(self) -> dict[str, Any]:
        """Return how the content is played."""
        names = ("source", "rate_hz", "loops", "t_pose_s", "waits")
        return {name: getattr(self, name) for name in names}

    def faults(self) -> dict[str, Any]:
        """Return what the network does."""
        return {name: getattr(self, name) for name in ("loss", "jitter_s", "reorder", "seed")}

    @property
    def address(self) -> tuple[str, int]:
        """Host and port of the receiver."""
        return self.host, self.port
