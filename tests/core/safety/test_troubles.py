"""Events of device troubles: each begin and each end once."""

from hypothesis import given
from hypothesis import strategies as st

from core.link.catalogue.safety import DEVICE_RECOVERED, DEVICE_REPORTED
from core.link.statement import Severity, Statement, Value
from core.safety.troubles import REPEAT_S, TroubleBook
from devices.interface import Trouble

BUS = Trouble("left leg bus", "unplugged; check the adapter's USB plug", grave=True)
TIMER = Trouble("head bus", "its adapter holds replies back")
IMU = Trouble("IMU", "is silent; check its cable", grave=True)


class Told:
    def __init__(self) -> None:
        self.lines: list[tuple[str, Statement, Severity | None]] = []
        self.book = TroubleBook(lambda *line: self.lines.append(line))

    def after(self, now_s: float, *found: Trouble) -> list[tuple[str, Statement, Severity | None]]:
        self.lines.clear()
        self.book.update(now_s, found)
        return list(self.lines)


def test_a_trouble_is_told_when_it_begins_and_when_it_is_over() -> None:
    told = Told()
    assert told.after(0.0) == []
    assert told.after(1.0, BUS) == [("left leg bus", DEVICE_REPORTED(text=BUS.text), "error")]
    assert told.after(1.1, BUS) == []
    assert told.after(2.0, BUS, TIMER) == [
        ("head bus", DEVICE_REPORTED(text=TIMER.text), "warning")
    ]
    assert told.after(3.0, TIMER) == [("left leg bus", DEVICE_RECOVERED(text=BUS.text), None)]


def test_the_grave_ones_come_first() -> None:
    told = Told()
    told.after(0.0, TIMER, BUS)
    assert told.book.troubles == (BUS, TIMER)


def test_one_that_comes_and_goes_does_not_flood_the_log() -> None:
    told = Told()
    lines = []
    for tick in range(2000):
        lines += told.after(0.01 * tick, *((BUS,) if tick % 2 else ()))
    begun = [line for line in lines if line[2] == "error"]
    assert 2 <= len(begun) <= 1 + 20.0 / REPEAT_S
    assert len(lines) <= 2 * len(begun)
    assert told.after(1000.0, BUS) == [("left leg bus", DEVICE_REPORTED(text=BUS.text), "error")]


def test_one_that_comes_back_soon_and_stays_is_told_again() -> None:
    told = Told()
    told.after(0.0, BUS)
    told.after(0.1)
    assert told.after(0.2, BUS) == []
    assert told.after(REPEAT_S, BUS) == [("left leg bus", DEVICE_REPORTED(text=BUS.text), "error")]


@given(st.lists(st.tuples(st.floats(0.0, 3.0), st.sets(st.sampled_from([BUS, TIMER, IMU])))))
def test_what_is_told_to_be_over_was_told_and_is_over(
    story: list[tuple[float, set[Trouble]]],
) -> None:
    told = Told()
    now_s = 0.0
    open_texts: set[tuple[str, Value]] = set()
    for pause_s, found in story:
        now_s += pause_s
        for device, said, _ in told.after(now_s, *found):
            text = said.fields["text"]
            if said.code == DEVICE_RECOVERED.code:
                open_texts.remove((device, text))
            else:
                assert (device, text) not in open_texts
                open_texts.add((device, text))
        assert open_texts <= {(trouble.device, trouble.text) for trouble in found}
        assert set(told.book.troubles) == found
