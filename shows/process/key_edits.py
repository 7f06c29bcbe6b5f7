"""Edits of the keys of several joints at once: pure, within the joints' limits, in order of time.

Keys that are moved or scaled stop before their neighbours, at the ends of the motion and at the
limits of their joints; a key that is beyond a limit already does not get further away. The note of
an edit says what stopped it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import msgspec

from shows.errors import ShowError
from shows.process.curves import Curve, Key, insert_key
from shows.process.key_tangents import settled

GAP_S = 0.001  # between two keys of a joint
HALVINGS = 40
SLACK = 1e-9

Curves: TypeAlias = Mapping[str, Curve]
Ref: TypeAlias = tuple[str, int]
"""A key: its joint, and its index in the joint's curve."""

Chosen: TypeAlias = frozenset[Ref]
Clip: TypeAlias = tuple[tuple[str, Key], ...]
"""Copied keys with their joints; the first time is zero."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where keys may be.

    Attributes:
        length_s: of the motion [s].
        limits: smallest and largest position of each joint, by its name [rad].
    """

    length_s: float
    limits: Mapping[str, tuple[float, float]]

    def of(self, joint: str) -> tuple[float, float]:
        """Return the limits of a joint; those of an unknown one are infinite [rad]."""
        return self.limits.get(joint, (-float("inf"), float("inf")))


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of an edit.

    Attributes:
        curves: every curve after it.
        chosen: the keys that are chosen then.
        note: what stopped the edit or was left out; empty if it was done as asked.
    """

    curves: Curves
    chosen: Chosen
    note: str = ""


def keys_of(curves: Curves, chosen: Iterable[Ref]) -> list[Key]:
    """Return the chosen keys."""
    return [curves[joint].keys[index] for joint, index in sorted(chosen)]


def by_joint(chosen: Iterable[Ref]) -> dict[str, list[int]]:
    """Return the indices of the chosen keys of each joint, in order."""
    found: dict[str, list[int]] = {}
    for joint, index in sorted(chosen):
        found.setdefault(joint, []).append(index)
    return found


def moved(curves: Curves, chosen: Chosen, shift_s: float, shift_rad: float, room: Room) -> Edited:
    """Move the chosen keys together, as far as all of them can go."""
    note = ""
    allowed_s, joint = _least_room_s(curves, chosen, shift_s > 0.0, room)
    if abs(shift_s) > allowed_s + SLACK:
        note = f"a key of {plain(joint)} stops before the next key or the motion's end"
    allowed_rad, joint = _least_room_rad(curves, chosen, shift_rad > 0.0, room)
    if abs(shift_rad) > allowed_rad + SLACK:
        note = f"{plain(joint)} stops at its limit"

    shift_s = min(max(shift_s, -allowed_s), allowed_s)
    shift_rad = min(max(shift_rad, -allowed_rad), allowed_rad)

    def shifted(_: str, key: Key) -> Key:
        return msgspec.structs.replace(
            key, time_s=max(0.0, key.time_s + shift_s), value_rad=key.value_rad + shift_rad
        )

    return Edited(_changed(curves, chosen, shifted), chosen, note)


def scaled(
    curves: Curves,
    chosen: Chosen,
    factor_s: float,
    factor_rad: float,
    about: Mapping[str, tuple[float, float]],
    room: Room,
) -> Edited:
    """Scale the chosen keys in time and value, as far as all of them can go.

    Args:
        curves: every curve.
        chosen: the keys.
        factor_s: 2 makes times twice as far from the centre; more than 0.
        factor_rad: the same for values; below 0 it turns them over.
        about: centre of each joint's keys, by its name: time and value [s, rad].
        room: where keys may be.

    Raises:
        ShowError: the factor of time is not above zero.
    """
    if not factor_s > 0.0:
        reason = f"the factor {factor_s:g} of time is not more than 0"
        raise ShowError("keys", "scale", reason, "choose a factor such as 0.8")

    def attempt(share: float) -> Curves | None:
        in_time = 1.0 + share * (factor_s - 1.0)
        in_value = 1.0 + share * (factor_rad - 1.0)

        def stretched(joint: str, key: Key) -> Key:
            at_s, at_rad = about[joint]
            return Key(
                at_s + in_time * (key.time_s - at_s),
                at_rad + in_value * (key.value_rad - at_rad),
                key.slope_in * in_value / in_time,
                key.slope_out * in_value / in_time,
                key.tangent,
            )

        return _if_within(curves, chosen, stretched, room)

    found = attempt(1.0)
    if found is not None:
        return Edited(found, chosen)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        tried = attempt(middle)
        if tried is None:
            high = middle
        else:
            low, found = middle, tried
    note = f"scaled by {100.0 * low:.0f} % of that: a key reached a limit or another key"
    return Edited(curves if found is None else found, chosen, note)


def at_time(curves: Curves, chosen: Chosen, time_s: float, room: Room) -> Edited:
    """Put the chosen keys at a time; several keys of a joint keep their distances [s]."""
    note = ""
    for joint, indices in by_joint(chosen).items():
        refs = frozenset((joint, i) for i in indices)
        shift_s = time_s - curves[joint].keys[indices[0]].time_s
        done = moved(curves, refs, shift_s, 0.0, room)
        curves, note = done.curves, done.note or note
    return Edited(curves, chosen, note)


def at_value(curves: Curves, chosen: Chosen, value_rad: float, room: Room) -> Edited:
    """Put the chosen keys at a value [rad]."""
    stopped = ""

    def put(joint: str, key: Key) -> Key:
        nonlocal stopped
        low, high = room.of(joint)
        value = min(max(value_rad, low), high)
        if value != value_rad:
            stopped = f"{plain(joint)} stops at its limit"
        return msgspec.structs.replace(key, value_rad=value)

    return Edited(_changed(curves, chosen, put), chosen, stopped)


def deleted(curves: Curves, chosen: Chosen) -> Edited:
    """Delete the chosen keys; a joint keeps its first key if all are chosen."""
    note, after = "", dict(curves)
    for joint, indices in by_joint(chosen).items():
        keys = curves[joint].keys
        if len(indices) == len(keys):
            indices = indices[1:]
            note = f"{plain(joint)} keeps its first key: a joint of this step needs one"
        gone = set(indices)
        left = [key for i, key in enumerate(keys) if i not in gone]
        touched = {i - sum(g < i for g in gone) + step for i in gone for step in (-1, 0)}
        after[joint] = Curve(settled(left, touched))
    return Edited(after, frozenset(), note)


def inserted(curves: Curves, joints: Iterable[str], time_s: float) -> Edited:
    """Insert a key at a time into the curves of some joints, whose shapes stay [s]."""
    note, after = "", dict(curves)
    chosen = set()
    for joint in joints:
        keys = curves[joint].keys
        there = [i for i, key in enumerate(keys) if abs(key.time_s - time_s) < GAP_S]
        if there:
            note = f"{plain(joint)} has a key there already"
            chosen.add((joint, there[0]))
            continue
        after[joint] = insert_key(curves[joint], time_s)
        chosen.add((joint, sum(key.time_s < time_s for key in keys)))
    return Edited(after, frozenset(chosen), note)


def copied(curves: Curves, chosen: Chosen) -> Clip:
    """Return the chosen keys, with times from the first of them."""
    first_s = min((key.time_s for key in keys_of(curves, chosen)), default=0.0)
    return tuple(
        (joint, msgspec.structs.replace(key, time_s=key.time_s - first_s))
        for joint, index in sorted(chosen)
        for key in (curves[joint].keys[index],)
    )


def pasted(
    curves: Curves,
    clip: Clip,
    at_s: float,
    targets: Mapping[str, tuple[str, float]],
    room: Room,
) -> Edited:
    """Paste copied keys at a time; they replace the keys of their span.

    Args:
        curves: every curve.
        clip: the keys.
        at_s: time of the first of them [s].
        targets: joint that takes the keys of a copied joint, and the sign of its values.
        room: where keys may be.
    """
    after, chosen, notes = dict(curves), set[Ref](), []
    for source in dict.fromkeys(joint for joint, _ in clip):
        joint, sign = targets.get(source, (source, 1.0))
        if joint not in curves:
            notes.append(f"this step has no curve of {plain(joint)}")
            continue
        if joint in {taken for taken, _ in chosen}:
            notes.append(f"two copied joints lead to {plain(joint)}: the first was pasted")
            continue
        new = []
        for key in (key for name, key in clip if name == source):
            if at_s + key.time_s > room.length_s + SLACK:
                notes.append("keys behind the motion's end were left out")
                continue
            low, high = room.of(joint)
            value = min(max(sign * key.value_rad, low), high)
            if value != sign * key.value_rad:
                notes.append(f"{plain(joint)} stops at its limit")
            slopes = sign * key.slope_in, sign * key.slope_out
            new.append(Key(at_s + key.time_s, value, *slopes, key.tangent))
        if not new:
            continue
        first_s, last_s = new[0].time_s - GAP_S + SLACK, new[-1].time_s + GAP_S - SLACK
        kept = [key for key in curves[joint].keys if not first_s < key.time_s < last_s]
        start = sum(key.time_s < first_s for key in kept)
        keys = (*kept[:start], *new, *kept[start:])
        added = range(start, start + len(new))
        after[joint] = Curve(settled(keys, added))
        chosen |= {(joint, i) for i in added}
    return Edited(after, frozenset(chosen), next(iter(notes), ""))


def plain(joint: str) -> str:
    """Return the name of a joint in words."""
    return joint.replace("_", " ")


def _changed(curves: Curves, chosen: Chosen, change: Callable[[str, Key], Key]) -> Curves:
    """Return the curves with the chosen keys changed, and slopes by their rules.

    Raises:
        ShowError: keys would be out of order.
    """
    after = dict(curves)
    for joint, indices in by_joint(chosen).items():
        keys = list(curves[joint].keys)
        for i in indices:
            keys[i] = change(joint, keys[i])
        Curve(tuple(keys))
        after[joint] = Curve(settled(keys, indices))
    return after


def _if_within(
    curves: Curves, chosen: Chosen, change: Callable[[str, Key], Key], room: Room
) -> Curves | None:
    """Return the changed curves; None if a key leaves its room."""
    after = dict(curves)
    for joint, indices in by_joint(chosen).items():
        keys = list(curves[joint].keys)
        for i in indices:
            old, new = keys[i], change(joint, keys[i])
            low, high = _bounds(old, room.of(joint))
            inside = -SLACK <= new.time_s <= max(room.length_s, old.time_s) + SLACK
            if not inside or not low - SLACK <= new.value_rad <= high + SLACK:
                return None
            keys[i] = msgspec.structs.replace(
                new, time_s=max(0.0, new.time_s), value_rad=min(max(new.value_rad, low), high)
            )
        if any(b.time_s - a.time_s < GAP_S - SLACK for a, b in _near(keys, indices)):
            return None
        after[joint] = Curve(settled(keys, indices))
    return after


def _near(keys: list[Key], indices: Collection[int]) -> Iterator[tuple[Key, Key]]:
    """Return the pairs of neighbours one of which is chosen."""
    for i, pair in enumerate(pairwise(keys)):
        if i in indices or i + 1 in indices:
            yield pair


def _bounds(key: Key, limits: tuple[float, float]) -> tuple[float, float]:
    """Return limits that a key which is beyond them already keeps [rad]."""
    return min(limits[0], key.value_rad), max(limits[1], key.value_rad)


def _least_room_s(curves: Curves, chosen: Chosen, later: bool, room: Room) -> tuple[float, str]:
    """Return how far the chosen keys can move in time [s], and the joint that stops them."""
    least_s, at = float("inf"), ""
    for joint, index in chosen:
        keys = curves[joint].keys
        beside = index + 1 if later else index - 1
        if (joint, beside) in chosen:
            continue
        time_s = keys[index].time_s
        if 0 <= beside < len(keys):
            free_s = abs(keys[beside].time_s - time_s) - GAP_S
        else:
            free_s = room.length_s - time_s if later else time_s
        if free_s < least_s:
            least_s, at = max(0.0, free_s), joint
    return least_s, at


def _least_room_rad(curves: Curves, chosen: Chosen, up: bool, room: Room) -> tuple[float, str]:
    """Return how far the chosen keys can move in value [rad], and the joint that stops them."""
    least, at = float("inf"), ""
    for joint, index in chosen:
        key = curves[joint].keys[index]
        low, high = _bounds(key, room.of(joint))
        free = high - key.value_rad if up else key.value_rad - low
        if free < least:
            least, at = free, joint
    return least, at
