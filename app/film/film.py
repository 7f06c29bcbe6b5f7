"""A motion as an animated picture or as a picture strip."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from app.film.moments import Pose, even_times, poses_at, telling_times
from app.film.studio import Angle, Image, Paper, Studio
from app.picture.robot_tree import RobotError, tree_of
from core.link.figure import Figure
from shows.errors import ShowError
from shows.motion import Motion

SMOOTH_STRIP, SMOOTH_FILM = 3, 2
"""Each pixel is the mean of so many by so many."""
MOST_PIXELS = 200_000_000  # of all pictures of a film
COLOURS_FROM = 8  # pictures by which the colours of a film are chosen
DRAWN = "pictures drawn"
MOST_THREADS = 4
LAST_CS = 60  # for which the last picture stays before it begins again [0.01 s]


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures look.

    Attributes:
        size: width and height of a picture [pixels].
        view: side of the robot that is seen.
        paper: light or dark.
    """

    size: tuple[int, int]
    view: Angle
    paper: Paper


class Film:
    """Draws one motion of one robot.

    Args:
        motion: the motion.
        figure: figure of the robot.
        resting: positions of the joints that the motion does not move [rad].
        look: size, side and paper.
        progress: is told how many pictures are done, of how many, and what they are.

    Raises:
        ShowError: the robot cannot be drawn.
    """

    def __init__(
        self,
        motion: Motion,
        figure: Figure,
        resting: Mapping[str, float],
        look: Look,
        progress: Callable[[int, int, str], None],
    ) -> None:
        try:
            tree = tree_of(figure)
        except RobotError as error:
            raise ShowError(motion.name, "", str(error)) from error
        self._motion, self._look, self._progress = motion, look, progress
        self._studio = Studio(tree, resting, look.paper)

    def animated(self, fps: float) -> tuple[bytes, str]:
        """Return a GIF, and what it is.

        Args:
            fps: pictures a second.

        Raises:
            ShowError: it would be too large.
        """
        from app.film.gif import durations, encode_gif

        times = even_times(0.0, self._motion.duration_s, fps)
        wide, high = self._look.size
        most = MOST_PIXELS // (wide * high)
        if len(times) > most:
            reason = f"needs {len(times)} pictures of {wide}x{high}, more than {most}"
            advice = "choose a shorter span, fewer pictures a second, or a smaller size"
            raise ShowError(self._motion.name, "", reason, advice)
        shown = durations(len(times), fps)
        shown[-1] += LAST_CS
        some = times[:: max(1, len(times) // COLOURS_FROM)]
        samples = list(self._drawn(some, 1, times, "pictures for the colours"))
        data = encode_gif(samples, self._drawn(times, SMOOTH_FILM, times, DRAWN), shown)
        return data, f"{len(times)} pictures, {sum(shown) / 100:.2f} s"

    def strip(self, count: int, title: str, robot: str) -> tuple[bytes, str]:
        """Return a picture strip as PNG, and what it is.

        Args:
            count: number of pictures.
            title: its heading.
            robot: title of the robot.
        """
        from app.film.strip import draw_strip, png_of, writing

        length_s = self._motion.duration_s
        times = telling_times(self._motion, 0.0, length_s, count)
        pictures = list(self._drawn(times, SMOOTH_STRIP, times, DRAWN))
        captions = [f"{time_s:.2f} s" for time_s in times]
        note = f"{robot}, {length_s:.2f} s"
        with writing():
            image = draw_strip(pictures, captions, title, note, self._look.paper)
            return png_of(image), f"{count} pictures, {image.width()} x {image.height()} pixels"

    def _drawn(
        self, times: Sequence[float], smooth: int, framed: Sequence[float], what: str
    ) -> Iterator[Image]:
        """Draw the pictures of times, some at once; yield them in their order.

        Args:
            times: the moments [s].
            smooth: see `Studio.draw`.
            framed: the moments whose poses are inside the picture [s].
            what: they are, for the progress.
        """
        poses = poses_at(self._motion, times)
        wide, high = self._look.size
        shown = poses_at(self._motion, framed)
        camera = self._studio.camera(self._look.view, shown, wide, high)

        def draw(pose: Pose) -> Image:
            return self._studio.draw(pose, camera, wide, high, smooth)

        threads = max(1, min(MOST_THREADS, len(os.sched_getaffinity(0))))
        with ThreadPoolExecutor(threads) as pool:
            for done, picture in enumerate(pool.map(draw, poses), 1):
                self._progress(done, len(times), what)
                yield picture
