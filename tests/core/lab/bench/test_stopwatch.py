"""Own times of nested blocks add up to the whole, whatever happens inside."""

import time

import pytest

from core.lab.bench import stopwatch
from core.lab.bench.benchmark import patched
from core.lab.bench.stopwatch import BLOCKS, REST, Stopwatch, places_of


class Machine:
    """A loop whose every piece of work takes a known time."""

    def __init__(self) -> None:
        self.now_ns = 0

    def tick(self, fails: bool = False) -> None:
        self.now_ns += 100
        self.solve(fails)
        self.now_ns += 10

    def solve(self, fails: bool) -> None:
        self.now_ns += 5
        self.finish()
        if fails:
            raise ValueError("no solution")

    def finish(self) -> None:
        self.now_ns += 2


PLACES = ((Machine, "tick", REST), (Machine, "solve", "QP solve"), (Machine, "finish", "IK"))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine()
    monkeypatch.setattr(stopwatch, "PLACES", PLACES)
    monkeypatch.setattr(time, "thread_time_ns", lambda: found.now_ns)
    return found


def own(watch: Stopwatch, tick: int) -> dict[str, int]:
    return {name: ns for name, ns in zip(BLOCKS, watch.ticks[tick], strict=True) if ns}


def test_every_block_has_its_own_time_only(machine: Machine) -> None:
    watch = Stopwatch()
    with patched(watch.around(_Bodyless())):
        machine.tick()
        machine.tick()
    machine.tick()
    assert len(watch.ticks) == 2
    assert own(watch, 0) == own(watch, 1) == {REST: 110, "QP solve": 5, "IK": 2}


def test_an_error_passes_and_its_time_counts(machine: Machine) -> None:
    watch = Stopwatch()
    with patched(watch.around(_Bodyless())):
        with pytest.raises(ValueError, match="no solution"):
            machine.tick(fails=True)
        machine.tick()
    assert own(watch, 0) == {REST: 100, "QP solve": 5, "IK": 2}
    assert own(watch, 1) == {REST: 110, "QP solve": 5, "IK": 2}


class _Bodyless:
    def read(self) -> None: ...
    def write(self) -> None: ...
    def damp(self) -> None: ...


def test_every_place_is_one_of_the_blocks() -> None:
    assert {block for _, _, block in places_of(_Bodyless())} == set(BLOCKS) - {"simulator"}
