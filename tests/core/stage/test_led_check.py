"""A live clip is tested by the takes that play its person: as they are followed, never refused."""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from assets.takes.scenes import bow, raise_arms
from core.link.partner import Follow
from core.stage.finding import Finding, PreflightSettings
from core.stage.led_check import LedCheck, takes_of
from core.stage.led_run import LedRuns
from core.stage.preflight import _limbs, preflight
from core.stage.prepared import PreparedShow
from shows.bvh_human import save_bvh
from shows.human import HumanTake
from shows.live import PERFORMER
from tests.core.stage.cues import cue, live
from tests.core.stage.robot import body, profile

ARMS = ("left_arm", "right_arm")


@cache
def runs() -> LedRuns:
    return LedRuns(profile())


def check(**takes: HumanTake) -> LedCheck:
    judge = partial(_limbs, body=body(), settings=PreflightSettings())
    return LedCheck(runs(), {"": takes}, judge)


def test_the_arms_go_where_the_person_leads_them_within_their_limits() -> None:
    upper = body().upper
    run = runs().run(Follow(limbs=ARMS, mirror_sides=False), raise_arms())
    pitch = upper.index["left_shoulder_pitch"]
    rest = body().rest_q[list(upper.table_index)]
    assert np.ptp(run.q[:, pitch]) > 1.0
    assert np.abs(run.q[0] - rest).max() < 0.05 and np.abs(run.q[-1] - rest).max() < 0.05
    assert ((run.q >= upper.lower - 1e-9) & (run.q <= upper.upper + 1e-9)).all()
    head = upper.index["head_yaw"]
    assert np.ptp(run.q[:, head]) < 1e-9  # nobody leads it
    mirrored = runs().run(Follow(limbs=ARMS), raise_arms())
    assert np.ptp(mirrored.q[:, upper.index["right_shoulder_pitch"]]) > 1.0
    still = runs().run(Follow(limbs=("body",)), bow()).q
    assert np.abs(still - rest).max() < 1e-9  # the body has its own plan


def test_the_worst_take_warns_and_refuses_nothing() -> None:
    calm, wild = bow(), raise_arms()
    found = list(check(calm=calm, wild=wild).findings(Follow(limbs=ARMS)))
    assert found and all(one.text.startswith("led as in wild: ") for one in found)
    assert all(not one.fails for one in found)
    alone = list(check(wild=wild).findings(Follow(limbs=ARMS)))
    assert alone == found
    assert any("% of torque" in one.text or "inside the" in one.text for one in found)
    shown = PreparedShow("test", cues=(cue("1", live(0.5, *ARMS)), cue("2", live(0.5, *ARMS))))
    with_takes = preflight(shown, body(), led=check(wild=wild).findings)
    assert all(result.passed and "led as in wild" in result.reason for result in with_takes)
    assert all(result.reason == "" for result in preflight(shown, body()))


def test_takes_count_for_their_repertoire_and_the_performer_for_all(tmp_path: Path) -> None:
    assert takes_of(tmp_path) == {}
    (tmp_path / PERFORMER).parent.mkdir()
    save_bvh(bow(), tmp_path / PERFORMER)
    assert takes_of(tmp_path)[""]["performer"].duration_s == pytest.approx(bow().duration_s)
    told: list[str] = []

    class Runs(LedRuns):
        def __init__(self) -> None:
            pass

        def run(self, order: Follow, take: HumanTake) -> str:  # type: ignore[override]
            return take.name

    def judge(name: object) -> Iterator[Finding]:
        told.append(str(name))
        yield Finding("x", 0.0, 0.9)

    takes = {"": {"performer": bow()}, "duel": {"a": raise_arms()}, "other": {"b": bow()}}
    list(LedCheck(Runs(), takes, judge).findings(Follow(repertoire="duel")))
    assert told == ["bow", "raise_arms"]
