"""The picture process: `python -m app.picture SOCKET MEMORY`, two inherited file descriptors."""

import os
import signal
import socket
import sys
import time

from PySide6.QtCore import QSocketNotifier
from PySide6.QtGui import QGuiApplication

from app.picture.figure import coloured
from app.picture.frames import Frames
from app.picture.painter import Painter, PainterError, is_software
from app.picture.protocol import Answer, Cast, Failure, Frame, Order, ProtocolError, Shot, Stream
from app.picture.quality import Quality
from app.picture.robot_tree import RobotError, RobotTree, tree_of
from app.picture.stage import Stage

NICENESS = 10  # the picture waits for the core and for the console


class Process:
    """Answers each shot with a frame, until the console closes its end.

    Args:
        end: this process's end of the socket.
        frames: the shared memory.
        painter: draws.
    """

    def __init__(self, end: socket.socket, frames: Frames, painter: Painter) -> None:
        end.setblocking(False)
        self._end = end
        self._stream = Stream(end, Order)
        self._frames, self._painter = frames, painter
        self._quality = Quality(is_software(painter.renderer))
        self._cast: Cast | None = None
        self._tree: RobotTree | None = None
        self._stage: Stage | None = None
        self._drawn: tuple[bool, int, int] | None = None  # simple, width, height
        self._notifier = QSocketNotifier(end.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)

    def _read(self) -> None:
        try:
            orders = self._stream.receive()
            if orders is None:
                QGuiApplication.quit()
                return
            for order in orders:
                if isinstance(order, Cast):
                    self._take(order)
                elif isinstance(order, Shot):
                    self._answer(self._draw(order))
        except (RobotError, PainterError, ProtocolError) as error:
            self._answer(Failure(reason=str(error)))
            QGuiApplication.quit()
        except OSError:  # the console is gone
            QGuiApplication.quit()

    def _take(self, cast: Cast) -> None:
        self._tree = tree_of(cast.figure)
        self._cast, self._stage = cast, None

    def _draw(self, shot: Shot) -> Frame:
        begun_s = time.perf_counter()
        level = self._quality.level(shot.simple)
        stage = self._stage
        if self._cast is None or self._tree is None:
            raise ProtocolError("a shot came before the robot")
        if stage is None or self._drawn is None or self._drawn[0] is not level.simple:
            coloured(self._tree, level.simple)
            stage = Stage(self._cast, self._tree, self._painter.build(level.simple))
            self._stage, self._drawn = stage, None
            begun_s = time.perf_counter()  # a frame is judged, not the start
        width = max(1, round(shot.width * level.resolution))
        height = max(1, round(shot.height * level.resolution))
        size = (level.simple, width, height)
        changed = stage.update(shot) or self._drawn != size
        if changed:
            self._painter.draw(width, height, self._frames.slot(shot.slot, width, height))
            self._drawn = size
            self._quality.note(time.perf_counter() - begun_s)
        return Frame(
            number=shot.number, changed=changed, width=width, height=height, simple=level.simple
        )

    def _answer(self, answer: Answer) -> None:
        self._end.setblocking(True)
        self._stream.send(answer)
        self._end.setblocking(False)


def main() -> int:
    """Run the process until its console closes the socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the console ends it
    os.nice(NICENESS)
    end = socket.socket(fileno=int(sys.argv[1]))
    memory = int(sys.argv[2])
    frames = Frames(memory)
    os.close(memory)
    application = QGuiApplication(["footlight-picture"])
    try:
        painter = Painter()
    except PainterError as error:
        Stream(end, Order).send(Failure(reason=str(error)))
        return 1
    process = Process(end, frames, painter)
    status = application.exec()
    del process
    painter.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
