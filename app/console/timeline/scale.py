"""The scale between time and pixels."""

from dataclasses import dataclass

LEAST_PX_PER_S, MOST_PX_PER_S = 0.05, 4000.0
_STEPS_S = (
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0,
    1200.0, 3600.0,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """Which time is at which pixel.

    Attributes:
        start_s: time at the left edge [s].
        px_per_s: zoom [px/s].
    """

    start_s: float = 0.0
    px_per_s: float = 60.0

    def x(self, time_s: float) -> float:
        """Return where a time is [px]."""
        return (time_s - self.start_s) * self.px_per_s

    def s(self, x_px: float) -> float:
        """Return the time at a pixel [s]."""
        return self.start_s + x_px / self.px_per_s

    def end_s(self, width_px: float) -> float:
        """Return the time at the right edge of a width [s]."""
        return self.s(width_px)

    def zoomed(self, factor: float, x_px: float) -> "Scale":
        """Return the scale after a zoom that keeps the time at a pixel in place."""
        zoom = min(max(self.px_per_s * factor, LEAST_PX_PER_S), MOST_PX_PER_S)
        return Scale(max(0.0, self.s(x_px) - x_px / zoom), zoom)

    def scrolled(self, by_s: float) -> "Scale":
        """Return the scale after a scroll; it never begins before the cue."""
        return Scale(max(0.0, self.start_s + by_s), self.px_per_s)

    def fitting(self, from_s: float, to_s: float, width_px: float) -> "Scale":
        """Return the scale that shows a span in a width, with a small margin."""
        span_s = max(to_s - from_s, 0.5)
        zoom = min(max(0.94 * width_px / span_s, LEAST_PX_PER_S), MOST_PX_PER_S)
        return Scale(max(0.0, from_s - 0.03 * width_px / zoom), zoom)

    def step_s(self, least_px: float) -> float:
        """Return the time between two labelled ticks that are at least so far apart [s]."""
        return next((s for s in _STEPS_S if s * self.px_per_s >= least_px), _STEPS_S[-1])


def time_text(time_s: float, digits: int = 2) -> str:
    """Return a time as minutes:seconds; below a minute, as seconds."""
    sign = "-" if time_s < 0.0 else ""
    total = round(abs(time_s), digits)
    minutes, seconds = divmod(total, 60.0)
    width = digits + 3 if digits else 2
    if minutes < 60.0:
        return f"{sign}{int(minutes)}:{seconds:0{width}.{digits}f}"
    hours, minutes = divmod(int(minutes), 60)
    return f"{sign}{hours}:{minutes:02d}:{seconds:0{width}.{digits}f}"
