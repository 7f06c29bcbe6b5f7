"""Parsers of the values of options; each refuses a bad value with one sentence."""

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

DEFAULT_PORT = 7447  # where `footlight core` listens and `footlight console` looks
_ENDPOINT = re.compile(r"\A(tcp/127\.0\.0\.1:\d{1,5}|unixsock-stream/.{1,100})\Z", re.ASCII)
_SOURCE = re.compile(r"\A(vmc|mvn|natnet)(:[0-9]{1,5})?(@[0-9]{1,3}(\.[0-9]{1,3}){3})?\Z", re.ASCII)
_CAMERA = re.compile(r"\Acamera(:[0-9]{1,3})?\Z", re.ASCII)
_NAME = re.compile(r"\A[a-z0-9_]{1,64}\Z")
_SIZE = re.compile(r"\A(\d{1,4})x(\d{1,4})\Z", re.ASCII)
SWAY_DIRECTIONS = ("left", "forward", "up")
_GRID = re.compile(r"\A(\d{1,3})x(\d{1,3})x(\d{1,3})\Z", re.ASCII)
_PLACE = re.compile(r"\A[A-Za-z0-9_.-]{1,64}(@[a-z]{1,16})?\Z", re.ASCII)
MOST_POSES = 300_000
_WALK_LIMITS = {
    "vx": (-2.0, 2.0),
    "vy": (-2.0, 2.0),
    "yaw": (-3.0, 3.0),
    "dur": (0.001, 86400.0),
    "step": (0.0, 1.0),
    "step_s": (0.2, 2.0),
    "flight": (0.001, 2.0),
    "height": (0.01, 2.0),
}
_JUMP_LIMITS = {
    "count": (1.0, 50.0),
    "flight": (0.001, 2.0),
    "dx": (-0.5, 0.5),
    "dy": (-0.5, 0.5),
    "turn": (-1.0, 1.0),
    "period": (0.001, 2.0),
    "dur": (0.001, 86400.0),
}
GAITS = ("walk", "run", "jump")
_PUSH_LIMITS = {
    "t": (0.0, 86400.0),
    "dur": (0.001, 10.0),
    "fx": (-2000.0, 2000.0),
    "fy": (-2000.0, 2000.0),
    "fz": (-2000.0, 2000.0),
}

_SWAY_LIMITS = {
    "t": (0.0, 86400.0),
    "amplitude": (0.001, 0.5),
    "frequency": (0.001, 2.0),
    "cycles": (0.0, 1000.0),
}


def number(text: str, what: str, low: float, high: float) -> float:
    """Return a finite number within bounds.

    Raises:
        argparse.ArgumentTypeError: it is no number, not finite or out of bounds.
    """
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{what} is {text!r}, which is no number") from None
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{what} is {text!r}, which is not finite")
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(
            f"{what} is {value:g}, which is outside {low:g} to {high:g}"
        )
    return value


def bounded(what: str, low: float, high: float) -> Callable[[str], float]:
    """Return a parser of a finite number within bounds."""

    def parse(text: str) -> float:
        return number(text, what, low, high)

    return parse


def whole(what: str, low: int, high: int) -> Callable[[str], int]:
    """Return a parser of a whole number within bounds."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                f"{what} is {text!r}, which is no whole number from {low} to {high}"
            )
        return int(text)

    return parse


def _chosen(text: str, key: str, words: tuple[str, ...]) -> tuple[str, str]:
    """Return which of the words `KEY=WORD` chooses, the first without it, and the other parts."""
    parts = [part.strip() for part in text.split(",")]
    named = [part for part in parts if part.partition("=")[0].strip() == key]
    if len(named) > 1:
        raise argparse.ArgumentTypeError(f"{key} is given twice")
    word = named[0].partition("=")[2].strip() if named else words[0]
    if word not in words:
        known = ", ".join(words)
        raise argparse.ArgumentTypeError(f"{key} is {word!r}, which is none of {known}")
    return word, ",".join(part for part in parts if part not in named)


def _whole(found: dict[str, float], key: str, usual: int) -> int:
    value = found.pop(key, float(usual))
    if value != round(value):
        raise argparse.ArgumentTypeError(f"{key} is {value:g}, which is no whole number")
    return round(value)


def _pairs(text: str, limits: dict[str, tuple[float, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in limits:
            keys = ", ".join(limits)
            raise argparse.ArgumentTypeError(f"{part!r} is not KEY=NUMBER with a KEY of {keys}")
        if key in found:
            raise argparse.ArgumentTypeError(f"{key} is given twice")
        found[key] = number(value, key, *limits[key])
    return found


def walk(text: str) -> dict[str, Any]:
    """Return the order of a walk or a run, `gait=run,vx=…,vy=…,yaw=…,dur=…`, or of jumps.

    Jumps have the form `gait=jump,count=…,flight=…,dx=…,dy=…,turn=…,period=…`. Units: m, s, rad.
    Without `dur` jumps have none: it depends on the robot.

    Raises:
        argparse.ArgumentTypeError: it is not of that form.
    """
    gait, rest = _chosen(text, "gait", GAITS)
    if gait == "jump":
        found = _pairs(rest, _JUMP_LIMITS) if rest else {}
        return {"gait": gait, "count": _whole(found, "count", 1), **found}
    found = _pairs(rest, _WALK_LIMITS) if rest or not text.strip() else {}
    if found.get("step", 0.0) not in (0.0, 1.0):
        raise argparse.ArgumentTypeError("step is either 0 or 1")
    if gait == "walk" and "flight" in found:
        raise argparse.ArgumentTypeError("a walk has no flight: add gait=run, or leave out flight")
    step = found.pop("step", 0.0) == 1.0
    return {"gait": gait, "vx": 0.0, "vy": 0.0, "yaw": 0.0, "dur": 10.0, "step": step, **found}


def push(text: str) -> dict[str, float]:
    """Return t, dur [s], fx, fy, fz [N] of `t=…,dur=…,fx=…,fy=…,fz=…`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form, or pushes with nothing.
    """
    found = _pairs(text, _PUSH_LIMITS)
    for key in ("t", "dur"):
        if key not in found:
            raise argparse.ArgumentTypeError(f"a push needs {key}=…")
    order = {"fx": 0.0, "fy": 0.0, "fz": 0.0, **found}
    if not any(order[axis] for axis in ("fx", "fy", "fz")):
        raise argparse.ArgumentTypeError("a push needs a force: fx=…, fy=… or fz=…")
    return order


def sway(text: str) -> dict[str, float | int | str]:
    """Return t [s], direction, amplitude [m], frequency [Hz] and cycles of a sway.

    Raises:
        argparse.ArgumentTypeError: it is not of the form `direction=…,amplitude=…,frequency=…,
            cycles=…,t=…`.
    """
    direction, rest = _chosen(text, "direction", SWAY_DIRECTIONS)
    found = _pairs(rest, _SWAY_LIMITS)
    for key in ("t", "amplitude", "frequency"):
        if key not in found:
            raise argparse.ArgumentTypeError(f"a sway needs {key}=…")
    return {"direction": direction, "cycles": _whole(found, "cycles", 0), **found}


def gestures(text: str) -> tuple[str, ...]:
    """Return the names of `NAME,NAME,…`.

    Raises:
        argparse.ArgumentTypeError: a name is not in snake case.
    """
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if not _NAME.match(name):
            raise argparse.ArgumentTypeError(f"{name!r} is no gesture's name, as in thumbs_up")
    return names


def motion_name(text: str) -> str:
    """Return the name of a motion's file.

    Raises:
        argparse.ArgumentTypeError: it is not in snake case.
    """
    if not _NAME.match(text) or not text[0].isalpha():
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no motion's name, as in thumbs_up")
    return text


def words(what: str, longest: int) -> Callable[[str], str]:
    """Return a parser of a line of text."""

    def parse(text: str) -> str:
        if not 0 < len(text.strip()) <= longest or not text.isprintable():
            raise argparse.ArgumentTypeError(f"{what} is no line of 1 to {longest} characters")
        return text.strip()

    return parse


def size(text: str) -> tuple[int, int]:
    """Return width and height [pixels] of `WIDTHxHEIGHT`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form, or too small or too large.
    """
    found = _SIZE.match(text)
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (64 <= width <= 1920 and 64 <= height <= 1920):
        raise argparse.ArgumentTypeError(
            f"{text[:20]!r} is no size from 64x64 to 1920x1920, as in 480x600"
        )
    return width, height


def pose_grid(text: str) -> tuple[int, int, int]:
    """Return the numbers of end points along x and y and of instants of `XxYxT`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form, or too small or too large.
    """
    found = _GRID.match(text)
    x, y, instants = (int(found[i]) for i in (1, 2, 3)) if found else (0, 0, 0)
    if x < 1 or y < 1 or instants < 2 or x * y * instants > MOST_POSES:
        raise argparse.ArgumentTypeError(
            f"{text[:20]!r} is no grid from 1x1x2 to {MOST_POSES} poses, as in 10x10x30"
        )
    return x, y, instants


def mass_move(text: str) -> tuple[float, str, str]:
    """Return the mass [kg] and the two places of `KG:FROM:TO`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form, or moves nothing.
    """
    kg, _, places = text.partition(":")
    source, _, target = places.partition(":")
    if not (_PLACE.match(source) and _PLACE.match(target)):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not KG:FROM:TO with names of links")
    if source == target:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} moves nothing: give two places")
    return number(kg, "the mass [kg]", 0.001, 100.0), source, target


def angles(text: str) -> dict[str, float]:
    """Return the angles [deg] of `JOINT=DEG,JOINT=DEG,…`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form.
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _NAME.match(name):
            raise argparse.ArgumentTypeError(f"{part!r} is not JOINT=DEG, as in ankle=-90")
        if name in found:
            raise argparse.ArgumentTypeError(f"{name} is given twice")
        found[name] = number(value, name, -360.0, 360.0)
    return found


def sound(text: str) -> str:
    """Return the name of a sound device.

    Raises:
        argparse.ArgumentTypeError: it is empty or too long to be one.
    """
    name = text.strip()
    if not 0 < len(name) <= 200 or not name.isprintable():
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no sound device's name")
    return name


def source(text: str) -> str:
    """Return a source of motion: `PROTOCOL[:PORT][@HOST]`, `camera[:NUMBER]` or `camera:FILE`.

    The path of a file becomes absolute.

    Raises:
        argparse.ArgumentTypeError: it is not of that form, or there is no such file.
    """
    if _CAMERA.match(text):
        return text
    if text.startswith("camera:"):
        file = Path(text.removeprefix("camera:"))
        if not file.is_file():
            raise argparse.ArgumentTypeError(f"there is no video {str(file)[:200]!r}")
        return f"camera:{file.resolve()}"
    if not _SOURCE.match(text):
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is no source, as in vmc, mvn:9763, vmc:39539@127.0.0.1 or camera:0"
        )
    return text


def endpoint(text: str) -> str:
    """Return the address of a core on this machine.

    Raises:
        argparse.ArgumentTypeError: it is no endpoint, or one of another machine.
    """
    if not _ENDPOINT.match(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address on this machine, as in tcp/127.0.0.1:{DEFAULT_PORT}"
        )
    return text
