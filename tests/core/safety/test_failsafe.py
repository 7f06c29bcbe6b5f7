"""The failsafe function: each rule alone, rules together, delays, and the end of actions."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.safety.failsafe import Failsafe, Release, calm_memory, judge
from core.safety.flags import HEALTHY, Flag, Flags
from core.safety.rules import RULES, Action, Clears, Rule
from tests.draws import share


def named(rule: Rule) -> str:
    return f"{rule.flag.name}-{rule.action.name}"


def strongest(flag: Flag, after_s: float) -> Action:
    return max(
        (r.action for r in RULES if r.flag is flag and r.after_s <= after_s), default=Action.NONE
    )


@pytest.mark.parametrize("one", RULES, ids=named)
def test_a_rule_acts_at_its_time_and_not_before(one: Rule) -> None:
    failsafe, flags = Failsafe(), Flags.of(one.flag)
    failsafe.update(100.0, flags)
    if one.after_s > 0.0:
        before = failsafe.update(100.0 + one.after_s - 1e-6, flags)
        assert before == strongest(one.flag, one.after_s - 1e-6)
        assert before < one.action
    assert failsafe.update(100.0 + one.after_s + 1e-6, flags) == one.action
    assert failsafe.worst is one


@pytest.mark.parametrize("one", [r for r in RULES if r.after_s > 0.0], ids=named)
def test_a_break_begins_the_wait_anew(one: Rule) -> None:
    failsafe, flags = Failsafe(), Flags.of(one.flag)
    for i in range(10):
        start_s = 100.0 + i * one.after_s
        failsafe.update(start_s, flags)
        action = failsafe.update(start_s + 0.9 * one.after_s, flags)
        assert action < one.action
        failsafe.acknowledge()
        failsafe.update(start_s + 0.95 * one.after_s, HEALTHY)


@pytest.mark.parametrize("release", Release)
@pytest.mark.parametrize("one", RULES, ids=named)
def test_what_ends_an_action_and_what_does_not(one: Rule, release: Release) -> None:
    rules = (one,)
    memory = judge(calm_memory(rules), 1.0, Flags.of(one.flag), rules=rules)
    memory = judge(memory, 1.0 + one.after_s + 0.1, Flags.of(one.flag), rules=rules)
    assert memory.action is one.action
    # Nothing a person does helps while the flag is raised.
    stays = judge(memory, 50.0, Flags.of(one.flag), release, rules)
    assert stays.action is one.action
    ends = {
        Clears.WHEN_HEALTHY: True,
        Clears.BY_OPERATOR: release is not Release.NONE,
        Clears.ON_RESET: release is Release.RESET,
    }[one.clears]
    after = judge(memory, 50.0, HEALTHY, release, rules)
    assert after.action is (Action.NONE if ends else one.action)


def test_the_worst_wins_whatever_the_order() -> None:
    flags = Flags.of(Flag.WINDING_WARM, Flag.QP_FAILED, Flag.TICK_LATE)
    for rules in (RULES, RULES[::-1]):
        failsafe = Failsafe(rules)
        assert failsafe.update(1.0, flags) is Action.DAMP
        assert [rule.action for rule in failsafe.active] == [
            Action.DAMP,
            Action.HOLD,
            Action.WARN,
        ]


def test_a_returning_link_resumes_nothing() -> None:
    failsafe, silent = Failsafe(), Flags.of(Flag.OPERATOR_SILENT)
    failsafe.update(10.0, silent)
    assert failsafe.update(10.3, silent) is Action.HOLD
    for t in range(11, 40):
        assert failsafe.update(float(t), HEALTHY) is Action.HOLD
    failsafe.acknowledge()
    assert failsafe.update(41.0, HEALTHY) is Action.NONE


def test_a_link_that_is_lost_again_is_still_held_from_before() -> None:
    failsafe, silent = Failsafe(), Flags.of(Flag.OPERATOR_SILENT)
    failsafe.update(10.0, silent)
    failsafe.update(10.3, silent)
    failsafe.update(11.0, HEALTHY)
    assert failsafe.update(11.1, silent) is Action.HOLD


def test_a_reset_that_comes_too_early_is_forgotten() -> None:
    failsafe = Failsafe()
    failsafe.update(1.0, Flags.of(Flag.FALLEN))
    failsafe.reset()
    assert failsafe.update(2.0, Flags.of(Flag.FALLEN)) is Action.DAMP
    assert [rule.flag for rule in failsafe.stuck] == [Flag.FALLEN]
    assert failsafe.update(3.0, HEALTHY) is Action.DAMP
    assert failsafe.stuck == ()
    failsafe.reset()
    assert failsafe.update(4.0, HEALTHY) is Action.NONE
    assert failsafe.worst is None


def test_a_clock_that_jumps_back_extends_nobodys_grace() -> None:
    failsafe, silent = Failsafe(), Flags.of(Flag.HANDSET_SILENT)
    failsafe.update(1000.0, silent)
    failsafe.update(0.0, silent)
    assert failsafe.update(0.26, silent) is Action.HOLD


@given(
    st.lists(
        st.tuples(st.floats(0.0, 3.0), st.sets(st.sampled_from(Flag), max_size=3)), max_size=15
    )
)
def test_the_function_is_pure(story: list[tuple[float, set[Flag]]]) -> None:
    memory, now_s = calm_memory(), 5.0
    for wait_s, raised in story:
        now_s += wait_s
        flags = Flags.of(*raised)
        copy = replace(memory)
        first, second = judge(memory, now_s, flags), judge(memory, now_s, flags)
        assert first == second
        assert memory == copy
        memory = first


class Story(RuleBasedStateMachine):
    """Flags rise and fall, operators acknowledge and reset, time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.failsafe = Failsafe()
        self.now_s = 0.0
        self.raised: dict[Flag, float] = {}
        self.last = Action.NONE
        self.latched: set[Flag] = set()
        self.released = Release.NONE

    @rule(flag=st.sampled_from(Flag))
    def rise(self, flag: Flag) -> None:
        self.raised.setdefault(flag, self.now_s)
        self.judge()

    @precondition(lambda self: self.raised)
    @rule(data=st.data())
    def fall(self, data: st.DataObject) -> None:
        del self.raised[data.draw(st.sampled_from(sorted(self.raised)))]
        self.judge()

    @rule(wait_s=st.sampled_from([0.001, 0.1, 0.3, 1.0, 5.0, 40.0]))
    def wait(self, wait_s: float) -> None:
        self.now_s += wait_s
        self.judge()

    @rule()
    def acknowledge(self) -> None:
        self.failsafe.acknowledge()
        self.released = max(self.released, Release.ACKNOWLEDGE)
        self.judge()

    @rule()
    def reset(self) -> None:
        self.failsafe.reset()
        self.released = Release.RESET
        self.judge()

    def judge(self) -> None:
        before = self.last
        self.last = self.failsafe.update(self.now_s, Flags.of(*self.raised))
        if before >= Action.DAMP and self.released is not Release.RESET:
            assert self.last >= before, "latched stays latched"
        if before >= Action.HOLD and self.released is Release.NONE:
            assert self.last >= Action.HOLD, "nothing resumes by itself"
        self.released = Release.NONE

    @invariant()
    def what_is_due_is_done(self) -> None:
        for flag, since_s in self.raised.items():
            assert self.last >= strongest(flag, self.now_s - since_s - 1e-9)

    @invariant()
    def nothing_acts_without_a_reason(self) -> None:
        assert (self.last is Action.NONE) == (self.failsafe.active == ())
        if not self.raised:
            assert all(r.clears is not Clears.WHEN_HEALTHY for r in self.failsafe.active)


TestStory = Story.TestCase
TestStory.settings = settings(max_examples=share(60), stateful_step_count=30)
