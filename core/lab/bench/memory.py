"""Memory of the core's processes over a long show, which must not grow."""

import time
from pathlib import Path

import numpy as np

from core.errors import CoreError
from core.lab.bench.benchmark import BenchError, Found, Listing, Order, Pacer, Part, Tell, Times
from core.lab.bench.tick import GESTURES, SPEED
from core.lab.experiment import Bar
from core.lab.laboratory import Laboratory
from core.link.client import Client
from core.link.errors import LinkError
from core.link.session import free_endpoint
from core.run.launch import LaunchConfig, WalkOrder
from core.run.processes import LOOP, Supervisor

SAMPLE_S = 0.5  # between two looks, on the wall's clock
WARM_UP = 0.2  # of the run, in which caches and pools may still fill
WARM_UP_MOST_S = 600.0  # but no longer than this
TURNING = 0.1  # so that the walk stays in one place [rad/s]
# By turns: a robot that never rests warms its legs within minutes until it has to stand.
WALK_S, REST_S = 120.0, 120.0
START_S = 180.0  # to load the solvers, on a slow machine
# At this rate eight hours of shows cost 8 MB of the loop's 300 MB, which is negligible.
FLAT_MB_PER_H = 1.0


def resident_mb(process: int) -> float:
    """Return a process's resident memory [MB]; not a number once it has gone."""
    try:
        text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return float("nan")
    sizes = [line.split()[1] for line in text.splitlines() if line.startswith("VmRSS")]
    return float(sizes[0]) * 1024.0 / 1e6 if sizes else float("nan")


def growth(hours: Times, sizes: Times) -> float:
    """Return the slope of sizes over time, by Theil and Sen: the median over pairs of points.

    A single step, as when an allocator takes one more page, does not count as a slope.
    """
    t, y = np.asarray(hours, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    kept = np.isfinite(y)
    t, y = t[kept][:: 1 + t.size // 500], y[kept][:: 1 + t.size // 500]
    first, second = np.triu_indices(t.size, 1)
    apart = t[second] > t[first]
    if not apart.any():
        return float("nan")
    slopes = (y[second] - y[first])[apart] / (t[second] - t[first])[apart]
    return float(np.median(slopes))


class Watch:
    """Looks at every process of a run from time to time.

    Attributes:
        times_s: of the looks, on the core's clock [s].
        sizes: resident memory by role, one entry a look [MB].
    """

    def __init__(self, processes: dict[str, int]) -> None:
        self._processes = processes
        self.times_s: list[float] = []
        self.sizes: dict[str, list[float]] = {role: [] for role in processes}

    def look(self, now_s: float) -> None:
        """Note the sizes at a time of the core's clock [s]."""
        self.times_s.append(now_s)
        for role, process in self._processes.items():
            self.sizes[role].append(resident_mb(process))


def walks(length_s: float) -> tuple[WalkOrder, ...]:
    """Return walking and standing by turns, for so long in all [s]."""
    orders: list[WalkOrder] = []
    while length_s > 0.0:
        speed, turning, most_s = (0.0, 0.0, REST_S) if len(orders) % 2 else (SPEED, TURNING, WALK_S)
        orders.append(WalkOrder(vx=speed, yaw=turning, dur=min(most_s, length_s)))
        length_s -= orders[-1].dur
    return tuple(orders)


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Start the core's own processes, let them play, and watch their memory.

    Raises:
        BenchError: they do not start, or do not play to the end.
    """
    length_s = 3600.0 * order.hours
    config = LaunchConfig(
        endpoint=free_endpoint(),
        pace="max",
        seed=order.seed,
        walk=walks(length_s),
        gestures=GESTURES,
        log=order.log,
        headless=True,
    )
    pacer = Pacer(tell, length_s, "s simulated")
    try:
        with Supervisor(config) as supervisor:
            watch = _watch(supervisor, config, pacer)
            ending = supervisor.end()
    except (CoreError, OSError) as error:
        raise BenchError(f"memory cannot be watched: {error}") from error
    pacer.finish()
    if not watch.times_s:
        raise BenchError(f"memory cannot be watched: {ending.reason or 'the run was too short'}")
    return found_in(watch, ending.completed, ending.reason)


def _watch(supervisor: Supervisor, config: LaunchConfig, pacer: Pacer) -> Watch:
    """Follow a run to its end."""
    watch = Watch(supervisor.pids())
    deadline_s = time.monotonic() + START_S
    client: Client | None = None
    try:
        while supervisor.ended() is None:
            try:
                if client is None:
                    client = Client(config.endpoint, config.robot, "bench", timeout_s=0.0)
                status = client.status()
                if status is not None and (not watch.times_s or status.stamp_s > watch.times_s[-1]):
                    watch.look(status.stamp_s)
                    pacer.reach(status.stamp_s)
            except LinkError:
                if time.monotonic() > deadline_s:
                    raise
            time.sleep(SAMPLE_S)
    finally:
        if client is not None:
            client.close()
    return watch


def found_in(watch: Watch, completed: bool, reason: str) -> Found:
    """Return the measurements of a watch."""
    times_s = np.array(watch.times_s)
    warm_s = times_s[0] + min(WARM_UP_MOST_S, WARM_UP * float(times_s[-1] - times_s[0]))
    warm = times_s >= warm_s
    report, rows = {}, []
    for role, all_sizes in watch.sizes.items():
        sizes = np.array(all_sizes)
        slope = growth(times_s[warm] / 3600.0, sizes[warm])
        shown = (sizes[0], sizes[warm][0], sizes[warm][-1], float(np.nanmax(sizes)))
        rows.append((role, *(f"{size:.1f}" for size in shown), f"{slope:+.2f}"))
        names = ("start_mb", "warm_mb", "end_mb", "max_mb", "slope_mb_per_h")
        report[role] = dict(zip(names, (*map(float, shown), slope), strict=True))
    curve = {"t_s": watch.times_s, **watch.sizes}
    figures = {f"{role}_slope": found["slope_mb_per_h"] for role, found in report.items()}
    figures["minutes"] = float(times_s[-1] - warm_s) / 60.0
    figures["failed"] = float(not completed)
    headings = ("process", "start [MB]", "warm", "end", "max", "growth [MB/h]")
    title = "Resident memory of the core's processes, per simulated hour"
    notes = [f"The growth is that after the first {warm_s / 60.0:.1f} simulated minutes."]
    if not completed:
        notes.append(f"The run ended early: {reason}.")
    return Found(
        figures,
        {"pace": "max", "memory": report, "memory_curve": curve},
        (Listing(title, headings, tuple(rows)),),
        tuple(notes),
    )


PART = Part(
    "memory",
    "memory over a long show",
    run,
    (
        Bar(f"{LOOP}_slope", "growth of the loop's process", "MB/h", at_most=FLAT_MB_PER_H),
        Bar("minutes", "simulated time that the growth is taken from", "min"),
        Bar("failed", "runs that ended early", at_most=0.0),
    ),
)
