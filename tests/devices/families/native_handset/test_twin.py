"""The emulated native handset against the robot's end of its protocol."""

from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.wire.layout import Kind
from devices.families.native_handset.messages import HandsetInput, HandsetScreen
from devices.families.native_handset.twin import NativeHandset
from devices.families.native_handset.wire import RobotEnd
from devices.twin.operator import Operator
from devices.wire.frame import FrameStream

KEY = bytes(range(32))


class Air:
    """A handset and a robot that hear each other."""

    def __init__(self, key: bytes = KEY) -> None:
        self.operator = Operator()
        self.handset = NativeHandset(self.operator, KEY, boot=7)
        self.robot = RobotEnd(key, 0x01)
        self.inputs: list[HandsetInput] = []
        self.hellos = 0
        self.now_us = 0
        self._stream = FrameStream()

    def go(self, milliseconds: int, screens: bool = True) -> None:
        for _ in range(milliseconds):
            self.now_us += 1000
            for frame in self._stream.feed(self.handset.tell(self.now_us)):
                if frame.kind == Kind.HANDSET_HELLO:
                    self.hellos += 1
                    answer = self.robot.challenge(frame, self.now_us)
                    if answer is not None:
                        self.handset.take(answer.encode(), self.now_us)
                elif (found := self.robot.receive(frame)) is not None:
                    self.inputs.append(found)
            if screens and self.now_us % 200_000 == 0:
                shown = HandsetScreen(2, 1.0, 0.5, "READY", "left knee 92 °C")
                frame_ = self.robot.screen(shown, self.now_us)
                if frame_ is not None:
                    self.handset.take(frame_.encode(), self.now_us)


def test_it_begins_a_session_and_sends_the_controls() -> None:
    air = Air()
    air.operator.buttons, air.operator.dead_man = 5, True
    air.operator.sticks[1] = 1.0
    air.go(1000)
    assert len(air.inputs) > 35
    assert (air.inputs[-1].buttons, air.inputs[-1].dead_man) == (5, True)
    assert air.inputs[-1].axes[1] == 1.0
    assert air.handset.screen.lines == {"mode": "READY", "alarm": "left knee 92 °C"}
    assert (air.handset.screen.charge, air.handset.screen.severity) == (0.5, 2)
    hellos = air.hellos
    air.go(2000)
    assert air.hellos == hellos  # it has a session


def test_a_robot_that_began_anew_gets_a_new_session() -> None:
    air = Air()
    air.go(1000)
    air.robot = RobotEnd(KEY, 0x01)
    air.inputs.clear()
    air.go(1500)
    assert len(air.inputs) > 5


def test_another_s_key_gets_nothing() -> None:
    air = Air(key=bytes(32))
    air.go(2000)
    assert air.hellos >= 9
    assert not air.inputs
    assert air.handset.screen.updates == 0


def test_a_handset_that_is_off_is_silent_and_deaf() -> None:
    air = Air()
    air.go(500)
    air.operator.present = False
    count, updates = len(air.inputs), air.handset.screen.updates
    air.go(500)
    assert (len(air.inputs), air.handset.screen.updates) == (count, updates)


@given(st.lists(st.binary(max_size=80)))
def test_noise_is_borne(found: list[bytes]) -> None:
    air = Air()
    for noise in found:
        air.handset.take(noise, 0)
    air.handset.take(b"\0", 0)
    air.go(500)
    assert air.inputs
    assert not air.handset.asked
    assert air.handset.answer() == b""


@given(st.integers(1, 100))
def test_so_many_frames_arrive_as_the_quality_says(quality: int) -> None:
    air = Air()
    air.go(500)
    air.operator.link_quality = quality
    air.inputs.clear()
    air.go(2000)
    assert len(air.inputs) == quality
