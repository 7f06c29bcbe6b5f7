"""Draws measurements as figures like those of the papers, and the temperatures of a long show."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from core.behave.reference import MotionState
from core.lab.experiments.push import IMPULSES
from core.lab.experiments.walk import PARTS
from core.lab.measure.pyplot import load_pyplot
from core.lab.measure.stride_plots import changing, jumping, running
from devices.interface import Floats

Curves: TypeAlias = Mapping[str, Floats]

_STATE_COLOURS = {
    MotionState.REST: "#b9a3d6",
    MotionState.ACTION: "#8cc28c",
    MotionState.TRANSITION: "#dd8c8c",
    MotionState.STOP: "#bbbbbb",
    MotionState.JOYSTICK: "#8cb4dd",
    MotionState.LIVE: "#e3c35a",
}
_PART_COLOURS = ("#dddddd", "#f6cf9c", "#f3bcd6")  # idle, thumbs-up, waving
_DASHES = ("-", "--", ":")
_INK = ("#1f5fa8", "#c2571a", "#2f8f4e", "#7a3fa0", "#444444")


def check_plotting() -> None:
    """Refuse to draw before anything is measured, not after.

    Raises:
        FigureError: matplotlib is missing.
    """
    load_pyplot()


def draw(curves: Mapping[str, Curves], folder: Path) -> list[Path]:
    """Draw a figure of every experiment that has one and return their paths.

    Args:
        curves: of the first seed, by experiment.
        folder: where to write; made if it is missing.

    Raises:
        FigureError: matplotlib is missing.
        OSError: the folder cannot be written.
    """
    pyplot = load_pyplot()
    folder.mkdir(exist_ok=True)
    drawers = {
        "walk": ("walking.png", _walking),
        "push": ("push_recovery.png", _push_recovery),
        "step-torque": ("step_torque.png", _step_torque),
        "gestures": ("motion_states.png", _motion_states),
        "energy/show": ("heat.png", _heat),
        "draco/push": ("push_for_4_s.png", _long_push),
        "draco/sway": ("sway.png", _sway),
        "strides/jump": ("jumping.png", jumping),
        "strides/run": ("running.png", running),
        "strides/transitions": ("changes_of_gait.png", changing),
    }
    paths: list[Path] = []
    for name, (file, drawer) in drawers.items():
        if curves.get(name):
            figure = drawer(pyplot, curves[name])
            figure.savefig(folder / file, dpi=150)
            pyplot.close(figure)
            paths.append(folder / file)
    return paths


def _named(curves: Curves, prefix: str) -> dict[str, Floats]:
    """Return the curves whose name begins with a prefix, by the rest of the name in words."""
    chosen = ((name, curve) for name, curve in curves.items() if name.startswith(prefix))
    return {name.removeprefix(prefix).replace("_", " "): curve for name, curve in chosen}


def _panels(pyplot: Any, count: int, height: float) -> tuple[Any, Any]:
    figure, axes = pyplot.subplots(
        count, 1, sharex=True, figsize=(9.0, height), layout="constrained", squeeze=False
    )
    for panel in axes[:, 0]:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(alpha=0.25, linewidth=0.5)
    return figure, axes[:, 0]


def _step_torque(pyplot: Any, curves: Curves) -> Any:
    """Torques of the right leg while stepping, as the paper's figure 11."""
    torques = _named(curves, "torque_")
    figure, panels = _panels(pyplot, len(torques), 8.0)
    for i, (panel, (joint, torque)) in enumerate(zip(panels, torques.items(), strict=True)):
        panel.plot(curves["t"], torque, color=_INK[i % len(_INK)], linewidth=0.8)
        panel.set_ylabel(f"{joint}\n[N·m]")
    panels[0].set_title("Torques of the right leg, stepping in place")
    panels[-1].set_xlabel("time [s]")
    return figure


def _motion_states(pyplot: Any, curves: Curves) -> Any:
    """The state of each limb through three gestures, as the paper's figure 12."""
    figure, panels = _panels(pyplot, 2, 5.0)
    t, limbs = curves["t"], _named(curves, "state_")
    for row, states in enumerate(limbs.values()):
        edges = np.flatnonzero(np.diff(states, prepend=-1.0))
        ends = np.append(edges[1:], states.size - 1)
        for start, end in zip(edges, ends, strict=True):
            colour = _STATE_COLOURS[MotionState(int(states[start]))]
            panels[0].barh(row, t[end] - t[start], left=t[start], color=colour, height=0.8)
    panels[0].set_yticks(range(len(limbs)), list(limbs))
    panels[0].invert_yaxis()
    shown = sorted({int(state) for states in limbs.values() for state in np.unique(states)})
    patches = [pyplot.Rectangle((0, 0), 1, 1, color=_STATE_COLOURS[MotionState(s)]) for s in shown]
    names = [MotionState(state).name for state in shown]
    panels[0].legend(patches, names, loc="lower center", ncols=len(names), fontsize=8)
    panels[0].set_title("Thumbs-up, cheering and waving while standing")
    for ink, (joint, angle) in zip(_INK, _named(curves, "angle_").items(), strict=False):
        panels[1].plot(t, angle, color=ink, label=joint, linewidth=1.0)
    panels[1].set_ylabel("angle [°]")
    panels[1].legend(fontsize=8)
    panels[1].set_xlabel("time [s]")
    return figure


def _push_recovery(pyplot: Any, curves: Curves) -> Any:
    """The centre of mass under pushes, as the paper's figure 13."""
    figure, panels = _panels(pyplot, 4, 8.0)
    for row, axis in enumerate("xy"):
        t, com = curves[f"t_{axis}"], curves[f"com_{axis}"]
        force, velocity = curves[f"force_{axis}"], curves[f"velocity_{axis}"]
        place, speed = panels[2 * row], panels[2 * row + 1]
        for panel in (place, speed):
            _shade(panel, t, force, "#cccccc" if axis == "x" else "#b9dcb9")
        for column, name in enumerate("xy"):
            style = {"color": _INK[column], "linestyle": _DASHES[column], "label": name}
            place.plot(t, 100.0 * (com[:, column] - com[0, column]), **style)
            speed.plot(t, velocity[:, column], **style)
        low, high = place.get_ylim()
        place.set_ylim(low, high + 0.15 * (high - low))  # room for the names
        for start_s, impulse in zip(_starts(t, force), IMPULSES, strict=False):
            _name(place, start_s, f"{impulse:g} N·s")
        place.set_ylabel(f"pushed along {axis}\nCoM [cm]")
        speed.set_ylabel("velocity [m/s]")
        place.legend(fontsize=8, loc="center left", ncols=2)
    panels[0].set_title("Pushes of 2 to 12 N·s on the standing robot")
    panels[-1].set_xlabel("time [s]")
    return figure


def _name(panel: Any, t: float, text: str) -> None:
    """Label the beginning of a section at the upper edge of a panel."""
    across = panel.get_xaxis_transform()
    panel.text(t, 0.97, text, transform=across, va="top", fontsize=8)


def _starts(t: Floats, force: Floats) -> Floats:
    """Return when each push begins [s]."""
    return t[np.flatnonzero(np.diff((force != 0.0).astype(int), prepend=0) == 1)]


def _shade(panel: Any, t: Floats, force: Floats, colour: str) -> None:
    edges = np.flatnonzero(np.diff((force != 0.0).astype(int), prepend=0, append=0))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        panel.axvspan(t[start], t[min(end, t.size - 1)], color=colour)


def _walking(pyplot: Any, curves: Curves) -> Any:
    """Forward velocity and the gesturing arm while walking, as the paper's figure 14."""
    figure, panels = _panels(pyplot, 2, 5.5)
    t, parts = curves["t"], curves["parts"]
    for panel in panels:
        for start, end, colour in zip(parts, parts[1:], _PART_COLOURS, strict=False):
            panel.axvspan(start, end, color=colour, alpha=0.6)
    panels[0].plot(t, curves["forward_velocity"], color=_INK[0], linewidth=0.7)
    for start, name in zip(parts, PARTS, strict=False):
        _name(panels[0], start + 0.5, name.replace("_", "-"))
    panels[0].axhline(0.16, color="black", linewidth=1.0, linestyle="--")
    panels[0].set_ylabel("forward velocity\nof the CoM [m/s]")
    panels[0].set_title("Walking at 0.16 m/s: idle, thumbs-up, waving")
    for i, (joint, angle) in enumerate(_named(curves, "arm_").items()):
        ink, dash = _INK[i % len(_INK)], _DASHES[i % len(_DASHES)]
        panels[1].plot(t, angle, color=ink, label=joint, linewidth=1.2, linestyle=dash)
    panels[1].set_ylabel("gesturing arm [°]")
    panels[1].legend(fontsize=8, ncols=3)
    panels[1].set_xlabel("time [s]")
    return figure


def _heat(pyplot: Any, curves: Curves) -> Any:
    """Temperatures of the warmest windings, and the battery's charge, over a long show."""
    figure, panels = _panels(pyplot, 2, 5.5)
    minutes = curves["t"] / 60.0
    for ink, (joint, celsius) in zip(_INK, _named(curves, "winding_").items(), strict=False):
        panels[0].plot(minutes, celsius, color=ink, label=joint, linewidth=1.0)
    panels[0].axhline(float(curves["warm"][0]), color="black", linewidth=1.0, linestyle="--")
    panels[0].set_ylabel("warmest windings [°C]")
    panels[0].set_title("The sample show, again and again; derating begins at the dashed line")
    panels[0].legend(fontsize=8, ncols=3)
    panels[1].plot(minutes, 100.0 * curves["charge"], color=_INK[0], linewidth=1.0)
    panels[1].set_ylabel("charge [%]")
    panels[1].set_xlabel("time [min]")
    return figure


def _long_push(pyplot: Any, curves: Curves) -> Any:
    """The centre of mass and the torso under a constant push, as figure 5 of the knees' paper."""
    figure, panels = _panels(pyplot, 2, 5.0)
    t = curves["t"]
    for panel in panels:
        _shade(panel, t, curves["force"][:, 1], "#dddddd")
    for axis, name in enumerate("xy"):
        way = 100.0 * (curves["com"][:, axis] - curves["com"][0, axis])
        panels[0].plot(t, way, color=_INK[axis], linestyle=_DASHES[axis], label=name)
    panels[0].set_ylabel("CoM [cm]")
    panels[0].set_title(
        f"A push of {curves['force'][:, 1].max():.1f} N to the left, without a step"
    )
    _tilt(panels[1], t, curves["rpy"] - curves["rpy"][0])
    return figure


def _sway(pyplot: Any, curves: Curves) -> Any:
    """The centre of mass and the torso in a sway, as figure 5 of the knees' paper."""
    figure, panels = _panels(pyplot, 2, 5.0)
    t = curves["t"]
    weak, weak_t = curves["weak"][:, 1], curves["weak_t"]
    panels[0].plot(t, 100.0 * curves["wanted"], color="black", linewidth=1.0, label="desired")
    panels[0].plot(t, 100.0 * curves["com"][:, 1], color=_INK[0], linestyle="--", label="measured")
    label = "with friction in the ankles and the paper's gain"
    panels[0].plot(weak_t, 100.0 * weak, color=_INK[1], linestyle=":", label=label)
    panels[0].set_ylabel("CoM, y [cm]")
    panels[0].margins(y=0.2)  # room for the legend
    panels[0].set_title("A sway to the sides")
    _tilt(panels[1], t, curves["rpy"])
    return figure


def _tilt(panel: Any, t: Floats, rpy: Floats) -> None:
    """Draw the angles of the torso beside those at rest [°], and label the time."""
    for axis, name in enumerate(("roll", "pitch", "yaw")):
        panel.plot(t, rpy[:, axis], color=_INK[axis], linestyle=_DASHES[axis], label=name)
    panel.set_ylabel("torso [°]")
    panel.set_xlabel("time [s]")
    for one in panel.figure.axes:
        one.legend(fontsize=8, ncols=3, loc="upper right")
