"""Conversion of the IMU's clock to the computer's clock."""

_SPAN_S = 1.0  # device time of which one arrival, the earliest against its clock, is kept
_SPANS = 16  # spans in the fit
_SETTLED = 4  # spans below which a drift is noise
_MAX_DRIFT = 5e-4  # ten times a crystal's drift
_JUMP_S = 0.25  # largest delay; a packet is never early
_PATIENCE = 50  # packets in a row with a larger delay mean a restart of the unit


class DeviceClock:
    """Computes the time of a measurement from its device time, whatever the delay of its packet.

    A packet arrives at a = offset + (1 + drift) d + delay, with its device time d and a delay of at
    least that of an empty line. USB collects packets and a busy computer reads them late, so that
    only the earliest arrivals determine the clock. The earliest of each second is kept; the line
    through the lower convex hull of these, at its middle, is the clock [Moon, Skelly & Towsley,
    "Estimation and removal of clock skew from network delay measurements", INFOCOM 1999].

    Attributes:
        drift: relative excess of the computer's seconds over the unit's; 1e-6 is one part in a
            million.
        restarts: number of restarts or jumps of the unit's clock.
    """

    def __init__(self, transit_s: float = 0.0) -> None:
        """Initialise without measurements.

        Args:
            transit_s: the least time from a measurement to its arrival, which is subtracted [s].
        """
        self.drift = 0.0
        self.restarts = 0
        self._transit_s = transit_s
        self._newest_ns = -1
        self._origin_ns = 0
        self._offset_s = 0.0
        self._stamp_s = 0.0
        self._late = 0
        self._span_end_s = 0.0
        self._earliest = (0.0, 0.0)
        self._points: list[tuple[float, float]] = []

    def feed(self, device_ns: int, arrival_s: float) -> float:
        """Add a packet's arrival; return the time of its measurement on the computer's clock [s].

        Times never run backward and never lie after the arrival. A device time that stands still
        has
        one time, which ages: it is no restart of the unit.

        Args:
            device_ns: device time of the packet [ns].
            arrival_s: time of the reading, on the computer's clock [s].
        """
        if device_ns == self._newest_ns:  # nothing newer, however often it is sent
            return self._stamp_s - self._transit_s
        device_s = (device_ns - self._origin_ns) * 1e-9
        late_s = arrival_s - device_s * (1.0 + self.drift) - self._offset_s
        unknown = self._newest_ns < 0
        self._late = self._late + 1 if late_s > _JUMP_S else 0
        jumped = late_s < -_JUMP_S or self._late > _PATIENCE
        if unknown or jumped or device_ns < self._newest_ns:
            self.restarts += not unknown
            self._begin(device_ns, arrival_s)
            device_s = late_s = 0.0
        self._newest_ns = device_ns
        if late_s < 0.0:
            self._offset_s += late_s
        if device_s >= self._span_end_s:
            self._fit()
            self._span_end_s = device_s + _SPAN_S
            self._earliest = (device_s, arrival_s - device_s)
        elif arrival_s - device_s < self._earliest[1]:
            self._earliest = (device_s, arrival_s - device_s)
        measured_s = min(self._offset_s + device_s * (1.0 + self.drift), arrival_s)
        self._stamp_s = max(measured_s, self._stamp_s)
        return self._stamp_s - self._transit_s

    def _begin(self, device_ns: int, arrival_s: float) -> None:
        """Reset the offset; the drift is the crystal's and is kept."""
        self._origin_ns = device_ns
        self._newest_ns = device_ns
        self._late = 0
        self._offset_s = arrival_s
        self._stamp_s = arrival_s
        self._span_end_s = _SPAN_S
        self._earliest = (0.0, arrival_s)
        self._points = []

    def _fit(self) -> None:
        """Fit the line below the earliest arrivals of the last spans."""
        points = self._points
        points.append(self._earliest)
        if len(points) > _SPANS:
            del points[0]
        if len(points) >= _SETTLED:
            self.drift = max(-_MAX_DRIFT, min(_slope_below(points), _MAX_DRIFT))
        drift = self.drift
        self._offset_s = min(offset - drift * device for device, offset in points)


def _slope_below(points: list[tuple[float, float]]) -> float:
    """Return the slope of the lower convex hull at the mean of the points' abscissas."""
    hull: list[tuple[float, float]] = []
    for x, y in points:
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2], hull[-1]
            if (y1 - y0) * (x - x1) < (y - y1) * (x1 - x0):
                break
            del hull[-1]
        hull.append((x, y))
    middle = sum(x for x, _ in points) / len(points)
    at = 1
    while hull[at][0] < middle:
        at += 1
    (x0, y0), (x1, y1) = hull[at - 1], hull[at]
    return (y1 - y0) / (x1 - x0)
