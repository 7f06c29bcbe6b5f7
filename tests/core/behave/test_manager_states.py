"""The whole machine under random requests: what must hold whatever was asked."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.behave.clip import Clip
from core.behave.reference import MotionState
from tests.core.behave.upper import LIMBS, columns, manager, snapshot, upper_joints, wave
from tests.draws import share

limbs = st.lists(st.sampled_from(LIMBS), min_size=1, max_size=5, unique=True).map(tuple)
some_limbs = st.none() | limbs
JOINTS = upper_joints()
assert JOINTS.gaze is not None
GAZE = JOINTS.gaze


class Behaviour(RuleBasedStateMachine):
    """Asks anything at any time."""

    @initialize(seed=st.integers(0, 5), idle=st.booleans())
    def start(self, seed: int, idle: bool) -> None:
        self.body = manager(idle=idle, seed=seed)
        self.now_s = 10.0
        self.last = snapshot(self.body.update(self.now_s))
        self.frozen_since: dict[str, float] = {}
        self.held: dict[str, list[float]] = {}

    def asked(self, names: tuple[str, ...]) -> None:
        """Limbs of which something was asked need not stay frozen."""
        for name in names:
            self.frozen_since.pop(name, None)
            self.held.pop(name, None)
        self.check_no_jump()

    def check_no_jump(self) -> None:
        before, after = self.last, snapshot(self.body.update(self.now_s))
        assert np.abs(after[0] - before[0]).max() < 1e-9
        assert np.abs(after[1] - before[1]).max() < 1e-9
        self.last = after

    @rule(
        groups=limbs,
        speed=st.floats(0.3, 2.0),
        loop=st.booleans(),
        mirror=st.booleans(),
        blend_s=st.none() | st.floats(0.0, 3.0),
        start_s=st.floats(0.0, 1.4),
    )
    def play(
        self,
        groups: tuple[str, ...],
        speed: float,
        loop: bool,
        mirror: bool,
        blend_s: float | None,
        start_s: float,
    ) -> None:
        clip = wave(*groups, length_s=1.5)
        started = self.body.play(
            self.now_s, clip, None, speed, loop, mirror, blend_s, blend_s, start_s
        )
        self.asked(started)

    @rule(groups=some_limbs)
    def cancel(self, groups: tuple[str, ...] | None) -> None:
        steered = self.body._owners.steered(GAZE.limb) is not None
        self.body.cancel(self.now_s, groups)
        # A head in a hand stays where it is: only releasing it is asking.
        self.asked(tuple(n for n in groups or LIMBS if not (steered and n == "head")))

    @rule()
    def rest(self) -> None:
        self.body.rest(self.now_s)
        self.asked(LIMBS)
        assert {self.body.state(limb) for limb in LIMBS} <= {
            MotionState.REST,
            MotionState.TRANSITION,
        }

    @rule(groups=some_limbs)
    def freeze(self, groups: tuple[str, ...] | None) -> None:
        for name in self.body.freeze(self.now_s, groups):
            self.frozen_since[name] = self.now_s
        self.check_no_jump()

    @rule(groups=some_limbs)
    def unfreeze(self, groups: tuple[str, ...] | None) -> None:
        self.asked(self.body.unfreeze(self.now_s, groups))

    @rule(yaw=st.floats(-2.0, 2.0), pitch=st.floats(-1.0, 1.0))
    def joystick(self, yaw: float, pitch: float) -> None:
        taken = self.body.sticks.lead_gaze(self.now_s, yaw, pitch)
        assert taken == ("head" not in self.frozen_since)
        self.check_no_jump()

    @rule()
    def release(self) -> None:
        self.body.sticks.release_gaze(self.now_s)
        self.check_no_jump()

    @rule(wait_s=st.sampled_from([0.001, 0.05, 0.149]))
    def wait(self, wait_s: float) -> None:
        self.let_pass(wait_s)

    @rule(wait_s=st.sampled_from([0.5, 1.0, 2.5]))
    def wait_long(self, wait_s: float) -> None:
        self.let_pass(wait_s)

    @rule(wait_s=st.floats(0.1, 1.2))
    def wait_until_something_happens(self, wait_s: float) -> None:
        self.let_pass(wait_s)

    def let_pass(self, wait_s: float) -> None:
        step_s = 0.002
        for _ in range(max(1, round(wait_s / step_s))):
            self.now_s += step_s
            now = snapshot(self.body.update(self.now_s))
            middle = 0.5 * step_s * (now[1] + self.last[1])
            assert np.abs(now[0] - self.last[0] - middle).max() < 1e-4
            assert np.abs(now[1] - self.last[1]).max() < 0.5
            self.last = now

    @invariant()
    def one_owner_a_limb(self) -> None:
        owned = [limb for part in self.body._owners.parts for limb in part.limbs]
        assert sorted(owned) == list(range(len(LIMBS)))

    @invariant()
    def states_are_those_of_the_owners(self) -> None:
        states = self.body.update(self.now_s).states
        assert [MotionState(s) for s in states] == [self.body.state(limb) for limb in LIMBS]

    @invariant()
    def limits_are_kept_and_numbers_are_numbers(self) -> None:
        q, dq, ddq = self.last
        assert np.isfinite(q).all()
        assert np.isfinite(dq).all()
        assert np.isfinite(ddq).all()
        assert (q >= JOINTS.lower).all()
        assert (q <= JOINTS.upper).all()

    @invariant()
    def what_is_stopped_stays_until_asked(self) -> None:
        for name, since_s in self.frozen_since.items():
            assert self.body.state(name) is MotionState.STOP
            if self.now_s - since_s > 0.151:
                own = list(columns(name))
                here = self.last[0][own].tolist()
                assert here == self.held.setdefault(name, here)
                assert not self.last[1][own].any()

    @invariant()
    def a_limb_in_action_is_where_its_clip_says(self) -> None:
        for part in self.body._owners.parts:
            clip: Clip | None = getattr(part.piece, "clip", None)
            if clip is None:
                continue
            playing = self.body.playing(LIMBS[part.limbs[0]])
            assert playing is not None
            out = np.zeros((3, len(clip.joints)))
            clip.sample(playing[1], out[0], out[1], out[2])
            for limb in part.limbs:
                expected = out[0, part.piece.columns[limb]]
                assert (self.body._owners.raw[0, JOINTS.columns[limb]] == expected).all()


TestBehaviour = Behaviour.TestCase
TestBehaviour.settings = settings(
    max_examples=share(60),
    stateful_step_count=30,
)


def test_a_stick_that_is_flicked_and_let_go_does_not_throw_the_head_into_its_limit() -> None:
    body = Behaviour()
    body.start(seed=0, idle=False)
    for yaw, pitch, held_s, free_s in (
        (0.0, 0.55, 0.2, 0.0),
        (0.0, 0.9, 0.05, 0.19),
        (0.0, -0.11, 0.18, 0.0),
        (0.0, -0.56, 0.11, 0.1),
    ):
        body.joystick(yaw=yaw, pitch=pitch)
        body.let_pass(held_s)
        body.release()
        body.let_pass(free_s)
