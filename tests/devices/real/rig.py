"""A body on emulated lines, in a time that only the test moves."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from devices.families.bear.drives import Drives
from devices.interface import JointCommand, Sample, StopChannel, Trouble
from devices.real.body import RealBody
from devices.real.port import Port
from tests.devices.families.bear.bears import Bear, Line, plan

TICK_S = 0.001
SILENT_S = 0.05


class StillTime:
    """Time that stands still unless it is moved."""

    def __init__(self) -> None:
        self.time_s = 100.0

    def now_s(self) -> float:
        return self.time_s

    def wait_until(self, stamp_s: float) -> float:
        self.time_s = max(self.time_s, stamp_s)
        return 0.0

    def wait_readable(self, descriptors: Sequence[int], until_s: float) -> bool:
        self.wait_until(until_s)
        return False


class Chain:
    """An E-stop chain of two channels."""

    def __init__(self) -> None:
        self.closed = True

    def read_into(self, sample: Sample, now_s: float) -> None: ...

    def channels(self) -> tuple[StopChannel, ...]:
        return (StopChannel("mushroom", self.closed), StopChannel("wireless", True))

    def troubles(self) -> tuple[Trouble, ...]:
        return ()

    def close(self) -> None: ...


class Rig:
    """Lines with actuators, and the body on them.

    Attributes:
        lines: far ends.
        ports: near ends.
        body: the driver.
        sample: newest.
        command: that `drive` sends.
    """

    def __init__(
        self,
        folder: Path,
        counts: Sequence[int] = (3,),
        changes: Mapping[str, float] | None = None,
        **settings: object,
    ) -> None:
        self.time = StillTime()
        self.lines, self.ports, plans = [], {}, {}
        first = 0
        for number, count in enumerate(counts):
            name = f"line_{number}"
            row = [plan(first + i, id=i + 1, **(changes or {})) for i in range(count)]
            bears = [Bear(p.id, 0.1 * (first + i)) for i, p in enumerate(row)]
            self.lines.append(Line(folder / name, bears))
            self.ports[name] = Port(f"bus {number}", folder / name, 8_000_000)
            plans[name] = row
            first += count
        options = {"silent_s": SILENT_S, "patience_s": 0.00025, "firmware": ("01020304",)}
        self.drives = Drives(plans, self.ports, self.time, **{**options, **settings})  # type: ignore[arg-type]
        self.chain = Chain()
        self.body = RealBody((first, 4), self.time, [self.drives], chain=self.chain)
        self.command = JointCommand.zeros(first)
        self.command.q[:] = 0.1 * np.arange(first)
        self.command.kp[:] = 20.0
        self.command.kd[:] = 1.0
        self.sample = Sample.zeros(first, 4)

    @property
    def bears(self) -> list[Bear]:
        return [bear for line in self.lines for bear in line.bears]

    def tick(self, what: str = "drive", times: int = 1) -> Sample:
        """Read, then drive, damp or stop."""
        for _ in range(times):
            self.serve()
            self.time.time_s += TICK_S
            self.sample = self.body.read()
            if what == "drive":
                self.body.write(self.command)
            elif what == "damp":
                self.body.damp()
            else:
                self.body.stop()
        return self.sample

    def serve(self) -> None:
        for line, port in zip(self.lines, self.ports.values(), strict=True):
            line.serve(port)

    def stand(self) -> None:
        """Bring every actuator up and under torque."""
        self.tick("stop", 60)
        assert self.texts() == []
        self.tick("drive", 30)
        assert all(bear.driven for bear in self.bears)

    def texts(self) -> list[str]:
        return [f"{t.device}: {t.text}" for t in self.body.troubles()]

    def close(self) -> None:
        self.body.close()
        for line in self.lines:
            if line.path.is_symlink():
                line.unplug()
