"""The figures at the end of a run."""

from core.link.message import Outbound
from core.link.statement import Statement


class Report(Outbound, frozen=True):
    """The end of a run in figures, sent once by the core before it leaves.

    Attributes:
        completed: what was asked was done, without a fall.
        reason: how the run ended.
        duration_s: length on the core's clock [s].
        wall_s: length on the host's clock [s].
        cues_played: how many cues ended.
        distance_m: distance walked [m].
        falls: how often it fell.
        worst_tracking_rad: largest joint position error [rad].
        worst_tracking_joint: the joint that had it.
        worst_load: largest joint torque as a fraction of stall.
        worst_load_joint: the joint that had it.
        tick_median_us: median time of a tick [µs].
        tick_p99_us: 99th percentile [µs].
        tick_p99_9_us: 99.9th percentile [µs].
        overruns: ticks that ended after their deadline.
    """

    completed: bool
    reason: Statement
    duration_s: float = 0.0
    wall_s: float = 0.0
    cues_played: int = 0
    distance_m: float = 0.0
    falls: int = 0
    worst_tracking_rad: float = 0.0
    worst_tracking_joint: str = ""
    worst_load: float = 0.0
    worst_load_joint: str = ""
    tick_median_us: float = 0.0
    tick_p99_us: float = 0.0
    tick_p99_9_us: float = 0.0
    overruns: int = 0
