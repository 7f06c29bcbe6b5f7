"""Figures are drawn, from curves of the right shape, or refused in one sentence."""

import builtins
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.lab.measure.plots import check_plotting, draw
from core.lab.measure.pyplot import FigureError
from devices.interface import Floats

T = np.linspace(0.0, 10.0, 400)


def curves() -> dict[str, Mapping[str, Floats]]:
    wave = np.sin(T)
    states = np.zeros(T.size)
    states[100:200] = 2.0
    states[200:300] = 1.0
    push: dict[str, Floats] = {}
    for axis in "xy":
        push[f"t_{axis}"], push[f"force_{axis}"] = T, np.where((T > 3.0) & (T < 3.2), 20.0, 0.0)
        push[f"com_{axis}"] = push[f"velocity_{axis}"] = np.column_stack((wave, wave))
    heat = {"t": T, "charge": 0.95 - 0.001 * T, "warm": np.array([80.0])}
    heat["winding_left_hip_1"], heat["winding_right_knee"] = 25.0 + 5.0 * T, 25.0 + T
    body = {"com": np.column_stack((wave, wave, wave)), "rpy": np.column_stack((wave,) * 3)}
    flight = ((T > 3.0) & (T < 3.2) | (T > 9.5)).astype(np.float64)  # one ends with the curves
    two, three = np.column_stack((wave,) * 2), body["com"]
    strides = {"t": T, "com": three, "planned_com": three, "force": 30.0 + two, "pressure": two}
    strides |= {"acceleration": three, "soles": np.column_stack((three, three)), "flight": flight}
    strides |= {"true_soles": strides["soles"], "weight": np.full(T.size, 68.0)}
    return {
        **dict.fromkeys(("strides/jump", "strides/run", "strides/transitions"), strides),
        "draco/push": {"t": T, "force": 20.0 * body["com"], **body},
        "draco/sway": {"t": T, "wanted": wave, "weak_t": T, "weak": body["com"], **body},
        "walk": {
            "t": T,
            "forward_velocity": wave,
            **{f"arm_joint_{i}": wave for i in range(7)},
            "parts": np.array([1.0, 4.0, 7.0, 10.0]),
        },
        "push": push,
        "step-torque": {"t": T, **{f"torque_joint_{i}": wave for i in range(6)}},
        "gestures": {"t": T, "state_head": states, "state_arm": states, "angle_shoulder": wave},
        "energy/show": heat,
    }


def test_without_matplotlib_nothing_is_measured_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    find = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return find(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(FigureError, match="need matplotlib"):
        check_plotting()


def test_every_figure_is_drawn(tmp_path: Path) -> None:
    found = curves()
    paths = draw(found, tmp_path / "figures")
    assert len(paths) == len(found)
    for path in paths:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_what_was_not_measured_is_not_drawn(tmp_path: Path) -> None:
    assert draw({"walk": {}, "controls": {"t": T}}, tmp_path) == []
