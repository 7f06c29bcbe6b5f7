"""The faults of an idle motion, each with its place."""

import msgspec
import pytest

from core.behave.idle_settings import Idle, idle_faults

JOINTS = ("pan", "tilt")


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ({"sway": [["neck", 0.1, 3.0]]}, "idle.sway"),
        ({"weight": {"period_s": 6.0, "joints": [["hip", 0.1]]}}, "idle.weight.joints"),
        (
            {
                "breath": {
                    "period_s": 3.0,
                    "spread": 0.3,
                    "depth": 0.3,
                    "joints": [["chest", 0.1]],
                }
            },
            "idle.breath.joints",
        ),
        (
            {"fingers": [{"name": "l", "joints": ["thumb"], "amplitude": 0.1, "period_s": 3.0}]},
            "idle.fingers",
        ),
        (
            {
                "glances": {
                    "period_s": 2.0,
                    "saccade_speed": 1.5,
                    "least_s": 0.2,
                    "near": 0.1,
                    "near_chance": 0.4,
                    "far": 0.4,
                    "pitch": 0.1,
                    "pitch_by_yaw": 0.1,
                }
            },
            "idle.glances",
        ),
    ],
)
def test_joints_and_a_gaze_that_the_robot_lacks_are_refused(
    table: dict[str, object], place: str
) -> None:
    idle = msgspec.convert(table, Idle)
    assert [where for where, _ in idle_faults(idle, JOINTS, gaze=False)] == [place]


def test_glances_and_fidgets_that_follow_each_other_too_soon_are_refused() -> None:
    kind = {"name": "nod", "variants": [[["pan", 0.1]]]}
    fidgets = {"period_s": 6.0, "length_s": [3, 6], "fade_s": 0.9, "kinds": [kind]}
    idle = msgspec.convert({"fidgets": fidgets}, Idle)
    assert [place for place, _ in idle_faults(idle, JOINTS, gaze=True)] == ["idle.fidgets.period_s"]


@pytest.mark.parametrize(
    ("swing", "words"),
    [(["neck", 0.1], "neck"), (["pan", [0.1, 0.2], "size"], "size"), (["pan", 0.1, 0.1, 0.5], "")],
)
def test_a_swing_names_joints_and_draws_that_there_are(swing: list[object], words: str) -> None:
    kind = {"name": "nod", "draws": {"pace": [0.5, 0.8]}, "variants": [[swing]]}
    table = {"period_s": 8.0, "length_s": [3, 6], "fade_s": 0.9, "kinds": [kind]}
    idle = msgspec.convert({"fidgets": table}, Idle)
    found = [reason for _, reason in idle_faults(idle, JOINTS, gaze=True)]
    assert len(found) == bool(words)
    assert all(words in reason for reason in found)
