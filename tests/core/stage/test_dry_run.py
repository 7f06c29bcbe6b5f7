"""A cue run dry is what the player and the motion manager make of it."""

import numpy as np

from core.behave.clip import Clip
from core.stage.dry_run import STEP_S, TAIL_S, CueRun, run_cue
from core.stage.timeline import CueTimeline
from tests.core.stage.cues import cue, gesture, walk
from tests.core.stage.robot import body


def dry(timeline: CueTimeline, clips: dict[str, Clip]) -> CueRun:
    return run_cue(timeline, clips, body().table, body().rest_q, body().motion)


def test_a_disarmed_and_refused_cue_is_run_all_the_same() -> None:
    elbow = body().upper.index["left_elbow"]
    clip = Clip.from_positions("wave", (elbow,), 50.0, np.full((101, 1), 1.0))
    timeline = cue("1", gesture(1.0), walk(0.0, 0.0, 0.1), armed=False, pre_wait_s=9.0)
    run = dry(timeline, {"wave": clip})
    assert run.time_s[-1] == 4.0 + TAIL_S
    assert abs(run.velocity[100, 0] - 0.1) < 1e-9
    before, during = round(0.9 / STEP_S), round(2.8 / STEP_S)
    assert abs(run.q[before, elbow] - np.deg2rad(15.0)) < 1e-6
    assert abs(run.q[during, elbow] - 1.0) < 1e-6
    assert not run.velocity[-1].any()


def test_velocities_and_accelerations_belong_to_the_positions() -> None:
    elbow = body().upper.index["left_elbow"]
    clip = Clip.from_positions("wave", (elbow,), 50.0, np.full((101, 1), 1.0))
    run = dry(cue("1", gesture(0.5)), {"wave": clip})
    np.testing.assert_allclose(
        np.gradient(run.q[:, elbow], STEP_S)[1:-1], run.dq[1:-1, elbow], atol=0.15
    )


def test_what_is_refused_on_the_way_is_noted() -> None:
    run = dry(cue("1", gesture(0.5, "nothing")), {})
    assert run.notes == ("the show has no motion nothing",)
