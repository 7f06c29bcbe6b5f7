"""Whatever happens, no actuator gets its torque back by itself."""

import tempfile
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.devices.families.bear.bears import Bear
from tests.devices.real.rig import Rig
from tests.draws import share

START_S = 0.01  # the least time in which an actuator starts anew
EVENTS = st.one_of(
    st.tuples(st.sampled_from(["drive", "damp", "stop"]), st.integers(1, 40)),
    st.tuples(st.just("reset"), st.integers(10, 90)),
    st.tuples(st.just("mute"), st.integers(1, 90)),
    st.tuples(st.just("trip"), st.just(0)),
    st.tuples(st.just("unplug"), st.integers(10, 220)),
    st.tuples(st.just("noise"), st.integers(1, 600)),
    st.tuples(st.just("late"), st.integers(1, 20)),
)


class Story:
    """A line to which things happen while the core goes on with what it did last."""

    def __init__(self, folder: Path) -> None:
        self.rig = Rig(folder, (2,))
        self.doing = "stop"
        self.watched = self.rig.bears[0]
        self.limp = False  # it lost its torque, and nobody took it from the robot since

    def tick(self, times: int) -> None:
        for _ in range(times):
            self.rig.serve()
            if self.limp:
                assert 1 not in self.watched.torque, "the torque came back by itself"
            self.watched.torque.clear()
            if self.doing != "drive" and not self.watched.deaf:
                self.limp = False
            self.rig.tick(self.doing)

    def lose_torque(self, bear: Bear) -> None:
        self.rig.serve()  # what was on its way arrives before
        bear.torque.clear()
        self.limp = True

    def happen(self, what: str, amount: int) -> None:
        rig, bear = self.rig, self.watched
        port, line = rig.ports["line_0"], rig.lines[0]
        if what in ("drive", "damp", "stop"):
            self.doing = what
            self.tick(amount)
        elif what == "reset":
            self.lose_torque(bear)
            bear.deaf = True
            self.tick(amount)
            bear.power_on()
            bear.deaf = False
        elif what == "trip":
            rig.serve()
            if bear.driven:
                self.lose_torque(bear)
                bear.status[0] = bytes(4)
        elif what == "mute":
            bear.silent = True
            self.tick(amount)
            bear.silent = False
        elif what == "unplug":
            line.unplug()
            self.tick(amount)
            line.plug_in()
            line.begin(port)
        elif what == "noise" and port.descriptor >= 0:
            line.say(bytes(i * amount & 0xFF for i in range(amount)), port)
        elif what == "late":
            line.held_back = 1
            self.tick(amount)
            line.held_back = 0


@settings(max_examples=share(8), phases=[Phase.explicit, Phase.generate])
@given(st.lists(EVENTS, max_size=8))
def test_no_torque_returns_by_itself(events: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        story = Story(Path(folder))
        try:
            story.tick(60)
            for what, amount in events:
                story.happen(what, amount)
            # And none is lost for good: a robot that was let go of can be driven again.
            story.doing = "stop"
            story.tick(400)
            assert story.rig.texts() == []
            story.doing = "drive"
            story.tick(40)
            assert all(bear.driven for bear in story.rig.bears)
        finally:
            story.rig.close()
