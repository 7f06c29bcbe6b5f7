"""Opens sources of human motion: ports and cameras."""

from collections.abc import Callable

from devices.capture.camera import CameraSource, cameras
from devices.capture.source import Protocol, Source


class Sources:
    """Opens sources."""

    def cameras(self) -> dict[int, str]:
        """Return the names of this computer's cameras, by number."""
        return cameras()

    def open_port(
        self, protocol: Protocol, host: str, port: int, now_s: Callable[[], float], group: str
    ) -> Source:
        """Open an UDP port; see `Source`."""
        return Source(protocol, host, port, now_s, group)

    def open_camera(self, camera: str, now_s: Callable[[], float]) -> CameraSource:
        """Open a camera or a video file; see `CameraSource`."""
        return CameraSource(camera, now_s)
