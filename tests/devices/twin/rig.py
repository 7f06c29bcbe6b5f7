"""A twin of Kid Cosmo for tests, within the process or in one of its own.

python -P -m tests.devices.twin.rig KIND FOLDER SEED SCRIPT
"""

import datetime
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from devices.families.boards.twin.seats import (
    BatterySeat,
    ContactSeat,
    HandSeat,
    Motor,
    SupervisorSeat,
)
from devices.families.interface import Seat
from devices.real.calibration import Calibrated, Calibration
from devices.real.settings import Hardware, load_hardware
from devices.twin.composition import settings_of
from devices.twin.fault_script import read_script
from devices.twin.server import run
from devices.twin.settings import ActuatorSeats, LineSettings, TwinSettings
from tests.devices.sim import rig as sim

ROOT = Path(__file__).resolve().parents[3]
HARDWARE = ROOT / "assets/robots/kid_cosmo/hardware.toml"
PLAIN, ROBOT = "plain", "robot"
BEAR_LINES = ("left_leg", "right_leg", "left_arm", "right_arm", "head")
LINES = (
    *(LineSettings(name=name, family="bear", baud=8_000_000) for name in BEAR_LINES),
    LineSettings(name="imu", family="mip", baud=921_600),
    LineSettings(name="boards", family="boards"),
    LineSettings(name="receiver", family="crsf", baud=420_000),
    LineSettings(name="native_handset", family="native_handset"),
    LineSettings(name="safe_remote", family="safe_remote", baud=115_200),
)
SWITCHES = ("left_heel", "left_toe", "right_heel", "right_toe")
KNEE = 3.0


def line_of(joint: str) -> str:
    side, _, part = joint.partition("_")
    if side == "head":
        return "head"
    limb = "arm" if part.startswith(("shoulder", "elbow")) else "leg"
    return f"{side}_{limb}"


def seats() -> tuple[Seat, ...]:
    counts: dict[str, int] = {}
    found = []
    for index, joint in enumerate(sim.JOINTS[:18]):
        line = line_of(joint)
        counts[line] = counts.get(line, 0) + 1
        found.append(
            Seat(
                joint=joint,
                line=line,
                id=counts[line],
                sign=-1 if index % 3 == 0 else 1,
                zero_rad=0.1 * index,
                gear=KNEE if joint.endswith("knee") else 1.0,
                torque_constant=sim.settings().torque_constant[index],
            )
        )
    return tuple(found)


SEATS = seats()


def settings(seed: int = 0, supervised: bool = True, **changes: Any) -> TwinSettings:
    """Return a twin with every device; without a supervisor the motors always have supply."""
    motors = tuple(Motor(joint=joint) for joint in sim.JOINTS[18:])
    left, right = motors[:5], motors[5:]
    values: dict[str, Any] = {
        "sim": sim.settings(),
        "lines": LINES,
        "actuators": (ActuatorSeats(family="bear", seats=SEATS),),
        "seed": seed,
        "contacts": (
            ContactSeat(line="boards", source=0x60, contacts=(0, 1)),
            ContactSeat(line="boards", source=0x61, contacts=(2, 3)),
        ),
        "hands": (
            HandSeat(line="boards", source=0x62, motors=left),
            HandSeat(line="boards", source=0x63, motors=right),
        ),
        "batteries": (
            BatterySeat(line="boards", source=0x64, pack=0, packs=2),
            BatterySeat(line="boards", source=0x65, pack=1, packs=2),
        ),
        "supervisor": SupervisorSeat(line="boards") if supervised else None,
    }
    return TwinSettings(**(values | changes))


def unit(hardware: Hardware) -> Calibration:
    """Return the calibration of a unit that was put together in a hurry."""
    assumed = Calibration.assumed(hardware, "kid_cosmo", "hasty", datetime.date(2026, 1, 1))
    rows = tuple(
        Calibrated(row.joint, row.id, -1 if i % 3 == 0 else 1, 0.1 * i - 0.7)
        for i, row in enumerate(assumed.rows)
    )
    return msgspec.structs.replace(assumed, rows=rows)


def gains() -> dict[str, tuple[float, float]]:
    """Return stiffness [N·m/rad] and damping [N·m·s/rad] by joint, as a posture is held with."""
    hold = sim.hold(sim.posture({}))
    return dict(zip(sim.JOINTS, zip(hold.kp.tolist(), hold.kd.tolist(), strict=True), strict=True))


def robot_settings(seed: int = 0) -> TwinSettings:
    """Return the twin of such a unit, with all that its hardware file says."""
    hardware = load_hardware(HARDWARE)
    return settings_of(hardware, unit(hardware), sim.settings(), gains(), SWITCHES, seed)


@contextmanager
def process(
    folder: Path, seed: int = 0, script: str = "", kind: str = PLAIN
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a twin in a process of its own: PLAIN has no supervisor, ROBOT is a whole unit."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    this = [sys.executable, "-P", "-m", "tests.devices.twin.rig"]
    command = [*this, kind, str(folder), str(seed), script]
    child = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, cwd=ROOT)
    try:
        yield child
    finally:
        if child.poll() is None:
            child.send_signal(signal.SIGCONT)
            child.terminate()
        try:
            child.wait(30.0)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stderr is not None:
            child.stderr.close()


def wait_for(path: Path) -> None:
    """Wait until something is at a path."""
    deadline_s = time.monotonic() + 200.0
    while not path.exists():
        assert time.monotonic() < deadline_s, f"{path} does not come"
        time.sleep(0.02)


def main(arguments: list[str]) -> None:
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: asked.append(number))
    kind, folder, seed, script = arguments
    wanted = settings(int(seed), supervised=False) if kind == PLAIN else robot_settings(int(seed))
    run(
        wanted,
        Path(folder),
        read_script(script),
        lambda: bool(asked),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
