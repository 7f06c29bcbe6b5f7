"""A handset under the test's control, and the robot's state for it."""

from dataclasses import dataclass, field

import numpy as np

from core.handset.hands import Hands
from core.link.commands import Command
from core.link.handset import HandsetMap
from core.link.stick import HeadRange
from core.safety.modes import Mode
from devices.interface import HandsetSample, HandsetScreen, Trouble
from shows.document import WalkBounds

USES = (
    "stop",
    "hold",
    "settle",
    "go",
    "cancel",
    "freeze",
    "sideways",
    "gesture:wave",
    "stand_up",
    "reset",
)
BUTTON = {use: place for place, use in enumerate(USES)}
LAYOUT = HandsetMap(buttons=USES)
RUNS = WalkBounds(forward=0.4, backward=0.1, sideways=0.05, turning=0.2)
BOUNDS = WalkBounds(forward=0.2, backward=0.1, sideways=0.1, turning=0.3)
REACH = HeadRange(right=-1.5, left=1.5, up=-0.5, down=0.5)
LOST_S = 0.25
FRAME_S = 0.02


@dataclass
class Robot:
    """The robot's state for the hands."""

    mode: Mode = Mode.READY
    held: bool = False
    frozen: bool = False
    console: bool = True
    records: bool = False
    take_moves: bool = False
    idles: bool = True
    holds_point: bool = False


class HeldHandset:
    """A handset with frames from the test; it stores its screen."""

    def __init__(self, authenticated: bool = True) -> None:
        self.authenticated = authenticated
        self.sample = HandsetSample.silent()
        self.on = False
        self.shown: list[HandsetScreen] = []
        self.wrong: tuple[Trouble, ...] = ()
        self._heard_s = -np.inf

    def read(self, now_s: float) -> HandsetSample:
        if self.on:
            self._heard_s = now_s
        self.sample.age_s = now_s - self._heard_s
        return self.sample

    def show(self, screen: HandsetScreen) -> None:
        self.shown.append(screen)

    def troubles(self) -> tuple[Trouble, ...]:
        return self.wrong


@dataclass
class Bench:
    """Hands, their handset, and a robot; a frame every 20 ms."""

    robot: Robot = field(default_factory=Robot)
    authenticated: bool = True
    layout: HandsetMap = LAYOUT

    def __post_init__(self) -> None:
        self.hands = Hands(self.layout, BOUNDS, RUNS, REACH, self.authenticated, LOST_S)
        self.sample = HandsetSample.silent()
        self.now_s = 100.0
        self.hands.update(self.now_s, self.sample, self.robot)

    def is_neutral(self) -> bool:
        """Return whether no held control keeps the robot from standing up."""
        return self.hands.neutral

    def hold(self, *uses: str, dead_man: bool = False, **axes: float) -> None:
        """Hold these controls and no others; axes are left_x, left_y, right_x, right_y."""
        self.sample.buttons[:] = [use in uses for use in self.layout.buttons]
        self.sample.dead_man = dead_man
        names = ("left_x", "left_y", "right_x", "right_y")
        self.sample.sticks[:] = [axes.get(name, 0.0) for name in names]

    def frame(self, after_s: float = FRAME_S) -> list[Command]:
        """Receive one frame, and return its commands."""
        self.now_s += after_s
        self.sample.age_s = 0.0
        return list(self.hands.update(self.now_s, self.sample, self.robot))

    def frames(self, time_s: float) -> list[Command]:
        """Receive frames for a time."""
        return [command for _ in range(round(time_s / FRAME_S)) for command in self.frame()]

    def silence(self, time_s: float) -> list[Command]:
        """Receive no frames for a time; ticks of 10 ms."""
        asked: list[Command] = []
        for _ in range(round(time_s / 0.01)):
            self.now_s += 0.01
            self.sample.age_s += 0.01
            asked += self.hands.update(self.now_s, self.sample, self.robot)
        return asked

    def rest(self) -> None:
        """Release all controls, so that the handset may request motion."""
        self.hold()
        assert self.frames(0.5) == []
        assert self.hands.ready
