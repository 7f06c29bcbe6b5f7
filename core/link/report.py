"""The statistics of a run."""

from core.link.message import Outbound
from core.link.statement import Statement


class Report(Outbound, frozen=True):
    """The result and statistics of a run, sent once by the core before it exits.

    Attributes:
        completed: the run completed its task without a fall.
        reason: how the run ended.
        duration_s: length on the core's clock [s].
        wall_s: length on the host's clock [s].
        cues_played: number of cues that ended.
        distance_m: distance walked [m].
        falls: number of falls.
        worst_tracking_rad: largest joint position error [rad].
        worst_tracking_joint: joint with the largest position error.
        worst_load: largest joint torque as a fraction of stall.
        worst_load_joint: joint with the largest load.
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
