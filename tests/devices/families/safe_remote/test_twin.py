"""The emulated wireless stop by its packets."""

from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.twin.supervisor import StopChain
from devices.families.safe_remote import wire
from devices.families.safe_remote.twin import SafeRemote
from devices.families.safe_remote.wire import Heartbeat, Mode, Type
from devices.twin.operator import Operator


class Bench:
    """A wireless stop on a bench, with a clock."""

    def __init__(self) -> None:
        self.operator, self.chain = Operator(), StopChain()
        self.remote = SafeRemote(self.operator, self.chain)
        self.now_us = 0
        self.heartbeat: Heartbeat | None = None
        self.heard_us = 0
        self.joysticks: list[wire.Joystick] = []
        self._scanner = wire.scanner()

    def go(self, milliseconds: int) -> None:
        for _ in range(milliseconds):
            self.now_us += 1000
            for checked in self._scanner.feed(self.remote.tell(self.now_us)):
                if wire.kind_of(checked) == Type.HEARTBEAT:
                    self.heartbeat, self.heard_us = wire.decode_heartbeat(checked), self.now_us
                elif (joystick := wire.decode_joystick(checked)) is not None:
                    self.joysticks.append(joystick)

    def relay(self) -> bool:
        return self.chain.wireless

    def may_run(self) -> bool:
        return wire.may_run(self.heartbeat, 1e-6 * self.now_us, 1e-6 * self.heard_us)


def test_all_is_well_until_a_stop_is_called() -> None:
    bench = Bench()
    bench.go(100)
    assert bench.may_run()
    assert bench.relay()
    bench.operator.stop = True
    bench.go(1)
    assert not bench.relay()  # its relay is faster than its word
    bench.go(50)
    assert not bench.may_run()
    assert bench.heartbeat is not None
    assert wire.stop_words(bench.heartbeat.stop) == "the handset"
    bench.operator.stop = False
    bench.go(60)
    assert bench.may_run()
    assert bench.relay()


def test_a_handset_out_of_reach_is_a_stop() -> None:
    bench = Bench()
    bench.go(100)
    bench.operator.present = False  # another radio's handset, at which nobody stops
    bench.go(600)
    assert bench.relay()
    bench.operator.remote = False
    bench.go(600)
    assert not bench.relay()
    assert bench.heartbeat is not None
    assert bench.heartbeat.mode == Mode.SEARCHING
    assert wire.stop_words(bench.heartbeat.stop) == "the vehicle controller"


def test_we_can_call_a_stop_and_take_it_back() -> None:
    bench = Bench()
    bench.remote.take(wire.our_heartbeat(True), 0)
    bench.go(60)
    assert not bench.relay()
    bench.remote.take(wire.our_heartbeat(False), 0)
    bench.go(60)
    assert bench.may_run()


def test_any_other_mode_does_not_let_it_run() -> None:
    bench = Bench()
    bench.remote.mode = Mode.PAUSE
    bench.go(100)
    assert not bench.may_run()


def test_sticks_and_display() -> None:
    bench = Bench()
    bench.operator.sticks[:] = [0.5, -1.0, 0.0, 1.0]
    bench.operator.buttons = 0b101
    bench.remote.take(wire.text(1, "READY") + wire.feedback(2, 99), 0)
    bench.go(100)
    axes = bench.joysticks[-1].axes
    assert [round(axes[i], 2) for i in (0, 1, 3, 4)] == [0.5, -1.0, 0.0, 1.0]
    assert bench.joysticks[-1].buttons == 0b101
    assert bench.remote.screen.lines == {"row 1": "READY", "figure 2": "99"}


@given(st.lists(st.binary(max_size=80)))
def test_noise_is_borne(found: list[bytes]) -> None:
    bench = Bench()
    for noise in found:
        bench.remote.take(noise, 0)
    bench.go(100)
    assert bench.heartbeat is not None
    assert not bench.remote.asked
    assert bench.remote.answer() == b""
