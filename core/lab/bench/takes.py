"""Size of a ten-minute take, and the CPU time in which it opens."""

import tempfile
import time
from pathlib import Path

import numpy as np

from core.behave.joints import UpperJoints
from core.lab.bench.benchmark import Found, Listing, Order, Pacer, Part, Tell, uncollected
from core.lab.experiment import Bar
from core.lab.laboratory import Laboratory
from core.robot.joint_table import joint_table
from core.robot.model import joint_limits
from core.robot.profile import REST
from shows.motion import Motion
from shows.overdub import read_whole
from shows.take import TakeHead, TakeWriter, read_take

TAKE_S = 600.0
BLOCK_S = 0.05  # ticks that the recorder writes at a time
NOISE_RAD = 3e-4  # of an encoder
SWAY_HZ, SWAY_RAD = 0.3, 0.4
MARK_EVERY_S = 5.0
OPENINGS = 5
MB = 1e6


def write_take(lab: Laboratory, path: Path, seconds: float, seed: int, pacer: Pacer) -> TakeHead:
    """Write a take in which every joint moves and measures with noise; return its description."""
    profile, random = lab.profile, np.random.default_rng(seed)
    table = joint_table(profile)
    limbs = UpperJoints.from_table(table).limb_names
    head = TakeHead(
        robot=profile.name,
        body="sim",
        joint_names=profile.joint_names,
        limb_names=limbs,
        limbs=limbs,
    )
    rest, (lower, upper) = profile.posture(REST), joint_limits(profile)
    phases = random.uniform(0.0, 2.0 * np.pi, len(rest))
    count = round(BLOCK_S * head.rate_hz)
    with path.open("xb", buffering=0) as stream:
        writer = TakeWriter(stream, head)
        for block in range(round(seconds / BLOCK_S)):
            rows = np.zeros(count, dtype=head.dtype)
            rows["t"] = (block * count + np.arange(count)) / head.rate_hz
            angles = 2.0 * np.pi * SWAY_HZ * rows["t"][:, None] + phases
            noise = random.normal(0.0, NOISE_RAD, (count, len(rest)))
            rows["q"] = np.clip(rest + SWAY_RAD * np.sin(angles) + noise, lower, upper)
            writer.samples(rows)
            at_s = float(rows["t"][0])
            if at_s % MARK_EVERY_S < 0.5 * BLOCK_S:
                writer.mark(at_s, f"mark {at_s:.0f}")
            pacer.reach(at_s + BLOCK_S)
        writer.end("ended")
    return head


def open_take(lab: Laboratory, path: Path) -> tuple[float, float, Motion]:
    """Return the CPU time of reading a take, that of its motion as well [s], and the motion."""
    table = joint_table(lab.profile)
    start_s = time.thread_time()
    read_take(path)
    read_s = time.thread_time() - start_s
    start_s = time.thread_time()
    motion, _ = read_whole(path, table)
    return read_s, time.thread_time() - start_s, motion


def run(lab: Laboratory, order: Order, tell: Tell, seconds: float = TAKE_S) -> Found:
    """Write a take, and open it some times as the console does."""
    with tempfile.TemporaryDirectory(prefix="footlight-") as folder, uncollected():
        path = Path(folder) / "long.take"
        write_take(lab, path, seconds, order.seed, Pacer(tell, seconds, "s", 5))
        size_bytes = path.stat().st_size
        opened = []
        for opening in range(OPENINGS):
            opened.append(open_take(lab, path))
            tell(f"opened {opening + 1} times")
    reading, opening_s = (float(np.median([one[i] for one in opened])) for i in (0, 1))
    motion = opened[0][2]
    figures = {
        "size": size_bytes / MB,
        "opens": opening_s,
        "reads": reading,
        "seconds": motion.duration_s,
        "markers": float(len(motion.markers)),
    }
    listing = Listing(
        "A take of every joint",
        ("length [s]", "size [MB]", "read [s]", "opened [s]"),
        ((f"{seconds:.0f}", f"{figures['size']:.1f}", f"{reading:.3f}", f"{opening_s:.3f}"),),
    )
    report = {"takes": figures}
    return Found(figures, report, (listing,))


PART = Part(
    "takes",
    "a take of ten minutes",
    run,
    (
        Bar("size", "size of its file", "MB", at_most=50.0),
        Bar("opens", "opens, processor time, median", "s", at_most=1.0),
        Bar("reads", "of that, reading the file", "s"),
        Bar("seconds", "length of the motion", "s", at_least=TAKE_S - 0.1),
        Bar("markers", "markers in it", at_least=TAKE_S / MARK_EVERY_S),
    ),
)
