"""The E-stop circuit as it is watched: in doubt it is open."""

import math

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from devices.interface import StopChannel
from devices.real.stop_chain import UNKNOWN, Radio, Reading, StopChain, StopChainSettings

SETTINGS = StopChainSettings()
ALL = ("wired A", "wired B", "wireless contact", "wireless receiver", "agreement")


def closed(now_s: float) -> Reading:
    return Reading(True, now_s)


def opened(now_s: float) -> Reading:
    return Reading(False, now_s)


def runs(now_s: float) -> Radio:
    return Radio(True, False, now_s)


def well(chain: StopChain, now_s: float) -> bool:
    return chain.update(now_s, closed(now_s), closed(now_s), closed(now_s), runs(now_s))


def test_it_is_open_before_anything_is_known() -> None:
    chain = StopChain(SETTINGS, radio=True)
    assert not chain.closed and chain.channels == ()
    assert not chain.update(1.0, UNKNOWN, UNKNOWN, UNKNOWN)
    assert chain.channels[:4] == tuple(StopChannel(name, False) for name in ALL[:4])


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("how", ["open", "unknown", "stale", "from the future", "no time"])
def test_one_doubtful_channel_opens_it(which: int, how: str) -> None:
    chain = StopChain(SETTINGS, radio=True)
    assert well(chain, 10.0)
    stamp_s = {"stale": 9.0, "from the future": 10.5, "no time": math.nan}.get(how, 10.001)
    bad = UNKNOWN if how == "unknown" else Reading(how != "open", stamp_s)
    a, b, contact = (bad if which == i else closed(10.001) for i in range(3))
    radio: Radio | None = runs(10.001)
    if which == 3:
        radio = None if how == "unknown" else Radio(how != "open", False, stamp_s)
    assert not chain.update(10.001, a, b, contact, radio)
    assert [channel.closed for channel in chain.channels] == [i != which for i in range(5)]
    assert well(chain, 10.002)  # it was no lasting difference


def test_a_robot_without_a_receivers_line_has_its_contact() -> None:
    chain = StopChain(SETTINGS, radio=False)
    assert chain.update(1.0, closed(1.0), closed(1.0), closed(1.0))
    assert tuple(channel.name for channel in chain.channels) == (*ALL[:3], "agreement")
    assert not chain.update(1.001, closed(1.001), closed(1.001), opened(1.001))


def test_a_lasting_difference_is_latched_until_both_were_open_and_closed() -> None:
    chain = StopChain(SETTINGS, radio=True)

    def see(now_s: float, a: bool, b: bool) -> bool:
        wired = (Reading(a, now_s), Reading(b, now_s))
        return chain.update(now_s, *wired, closed(now_s), runs(now_s))

    assert see(1.0, True, True)
    assert not see(1.01, True, False)
    assert not see(1.10, True, False)
    assert chain.troubles() == ()
    assert not see(1.12, True, False)
    (told,) = chain.troubles()
    assert told.grave and "disagreed" in told.text
    assert not see(1.2, True, True)  # closing alone mends nothing
    assert chain.channels[:2] == (StopChannel("wired A", True), StopChannel("wired B", True))
    assert chain.channels[-1] == StopChannel("agreement", False)
    assert not see(1.3, False, True)
    assert not see(1.35, True, True)
    assert not see(1.4, False, False)
    assert see(1.5, True, True)
    assert chain.troubles() == ()


def test_a_difference_does_not_end_while_one_channel_is_unknown() -> None:
    chain = StopChain(SETTINGS, radio=False)
    chain.update(1.0, closed(1.0), opened(1.0), closed(1.0))
    chain.update(1.05, closed(1.05), UNKNOWN, closed(1.05))
    chain.update(1.2, closed(1.2), opened(1.2), closed(1.2))
    assert chain.troubles()


def test_a_clock_that_runs_backward_is_no_agreement() -> None:
    chain = StopChain(SETTINGS, radio=False)
    chain.update(5.0, closed(5.0), opened(5.0), closed(5.0))
    chain.update(1.0, closed(1.0), opened(1.0), closed(1.0))
    assert chain.troubles()


def test_a_difference_reported_by_the_supervisor_counts() -> None:
    chain = StopChain(SETTINGS, radio=False)

    def see(now_s: float, shut: bool, disagree: bool) -> bool:
        wired = Reading(shut, now_s)
        return chain.update(now_s, wired, wired, closed(now_s), disagree=disagree)

    assert see(1.0, True, False)
    assert not see(1.1, True, True)
    assert chain.troubles()
    assert not see(1.2, False, True)
    assert not see(1.3, True, True)
    assert see(1.4, True, False)  # both were open and closed meanwhile
    assert chain.troubles() == ()


def test_a_contact_that_does_not_follow_a_called_stop_is_latched() -> None:
    chain = StopChain(SETTINGS, radio=True)

    def see(now_s: float, contact: bool, called: bool) -> bool:
        shut = closed(now_s)
        radio = Radio(not called, called, now_s)
        return chain.update(now_s, shut, shut, Reading(contact, now_s), radio)

    assert see(1.0, True, False)
    assert not see(1.1, True, True)
    assert not see(1.5, True, True)
    assert chain.troubles() == ()
    assert not see(1.7, True, True)
    (told,) = chain.troubles()
    assert "wireless" in told.text
    assert not see(1.8, True, False)
    assert not see(1.9, False, True)
    assert see(2.0, True, False)


class Watched(RuleBasedStateMachine):
    """Any course of events, against a plain account of what was known when."""

    @initialize(radio=st.booleans())
    def begin(self, radio: bool) -> None:
        self.radio = radio
        self.chain = StopChain(SETTINGS, radio)
        self.now_s = 100.0
        self.seen = [UNKNOWN, UNKNOWN, UNKNOWN]
        self.said: Radio | None = None
        self.differ_since: float | None = None
        self.fault = False
        self.both_open = False
        self.disagree = False
        self.well = False

    @rule(which=st.integers(0, 2), shut=st.booleans(), late_s=st.sampled_from([0.0, 0.05, 0.3]))
    def see(self, which: int, shut: bool, late_s: float) -> None:
        self.seen[which] = Reading(shut, self.now_s - late_s)

    @rule(shut=st.booleans())
    def see_all(self, shut: bool) -> None:
        self.seen = [Reading(shut, self.now_s)] * 3
        self.said = Radio(shut, not shut, self.now_s)

    @rule(which=st.integers(0, 2))
    def lose(self, which: int) -> None:
        self.seen[which] = UNKNOWN

    @rule(shut=st.booleans(), called=st.booleans())
    def hear(self, shut: bool, called: bool) -> None:
        self.said = Radio(shut and not called, called, self.now_s)

    @rule()
    def unplug_the_receiver(self) -> None:
        self.said = None

    @rule(seconds=st.sampled_from([0.001, 0.02, 0.06, 0.2]))
    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    @rule(told=st.booleans())
    def supervisor_says(self, told: bool) -> None:
        self.disagree = told

    @rule(times=st.integers(1, 5))
    def watch(self, times: int) -> None:
        for _ in range(times):
            self.now_s += 0.001
            a, b, contact = self.seen
            self.chain.update(self.now_s, a, b, contact, self.said, self.disagree)
            self._account()

    def _account(self) -> None:
        a, b, contact = self.seen
        fresh = [0.0 <= self.now_s - reading.stamp_s <= 0.1 for reading in self.seen]
        if fresh[0] and fresh[1]:
            if a.closed != b.closed:
                self.differ_since = self.differ_since or self.now_s
                if self.now_s - self.differ_since > 0.1:
                    self.fault, self.both_open = True, False
            else:
                self.differ_since = None
                if not a.closed:
                    self.both_open = True
                elif self.both_open:
                    self.fault = False
        said = self.said
        heard = said is not None and self.now_s - said.stamp_s <= 0.25
        self.well = all(fresh) and a.closed and b.closed and contact.closed
        self.well &= not self.fault and not self.disagree
        if self.radio:
            self.well &= heard and said is not None and said.closed

    @invariant()
    def it_is_never_closed_in_doubt(self) -> None:
        if hasattr(self, "chain") and self.chain.closed:
            assert self.well
            assert all(channel.closed for channel in self.chain.channels)
            assert self.chain.troubles() == ()


TestWatched = Watched.TestCase
