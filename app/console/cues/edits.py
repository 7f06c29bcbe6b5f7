"""Edits of the cue list: from a show to an edited show, or a refusal in one sentence."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_type_hints

import msgspec

from shows.document import Cue, Show
from shows.fields import MAX_CUES, PATTERN_WORDS
from shows.uses import title_of

_KINDS: Mapping[str, Any] = get_type_hints(Cue, include_extras=True)
_WORDS = {
    "pre_wait_s": "pre-wait",
    "post_wait_s": "post-wait",
    "continue_mode": "continue mode",
    "entry_stance": "entry stance",
    "exit_stance": "exit stance",
    "safe_points_s": "safe points",
}
_NUMBER_LENGTH = 16


class EditError(Exception):
    """An edit was refused; `str()` is one sentence for the operator."""


def word(field: str) -> str:
    """Return what an operator calls a field of a cue."""
    return _WORDS.get(field, field)


def change(show: Show, numbers: Collection[str], field: str, value: object) -> Show:
    """Give one field of some cues a value.

    Args:
        show: the document.
        numbers: of the cues.
        field: a field of `Cue`.
        value: the new value.

    Raises:
        EditError: the value is not allowed; the show stays as it is.
    """
    if field == "number":
        (number,) = numbers
        return _change_number(show, number, value)
    kept = _checked(field, value, ", ".join(sorted(numbers)[:3]))
    if field == "hotkey" and kept:
        _refuse_twice(show, numbers, kept)
    if field == "next" and kept is not None and all(cue.number != kept for cue in show.cues):
        raise EditError(f"There is no cue {kept}; name an existing cue, or none for the one below.")
    chosen = set(numbers)
    cues = tuple(
        msgspec.structs.replace(cue, **{field: kept}) if cue.number in chosen else cue
        for cue in show.cues
    )
    after = msgspec.structs.replace(show, cues=cues)
    if field in ("continue_mode", "next"):
        _refuse_circle(after, chosen)
    return after


def insert(show: Show, place: int, cues: Sequence[Cue]) -> tuple[Show, tuple[str, ...]]:
    """Put cues into the list; numbers and hotkeys that are taken change.

    Args:
        show: the document.
        place: the row that the first of them will have.
        cues: in order.

    Returns:
        The show, and the numbers that the cues have in it.

    Raises:
        EditError: the list would be too long.
    """
    if len(show.cues) + len(cues) > MAX_CUES:
        raise EditError(f"A show has at most {MAX_CUES} cues; split the show.")
    taken = {cue.number for cue in show.cues}
    keys = {cue.hotkey.casefold() for cue in show.cues}
    keys |= {trigger.hotkey.casefold() for trigger in show.triggers}
    before = show.cues[place - 1].number if place else "0"
    renamed: dict[str, str] = {}
    fresh: list[Cue] = []
    for cue in cues:
        number = cue.number
        if number in taken:
            number = free_number(before, taken)
        taken.add(number)
        renamed.setdefault(cue.number, number)
        hotkey = "" if cue.hotkey.casefold() in keys else cue.hotkey
        keys.add(hotkey.casefold())
        fresh.append(msgspec.structs.replace(cue, number=number, hotkey=hotkey))
        before = number
    known = taken | {cue.number for cue in show.cues}
    linked = [_relinked(cue, renamed, known) for cue in fresh]
    after = (*show.cues[:place], *linked, *show.cues[place:])
    return _with(show, after), tuple(cue.number for cue in linked)


def remove(show: Show, numbers: Collection[str]) -> Show:
    """Take cues out; a cue that named one of them as its next goes on with the one below."""
    gone = set(numbers)
    kept = (cue for cue in show.cues if cue.number not in gone)
    return _with(
        show, tuple(msgspec.structs.replace(c, next=None) if c.next in gone else c for c in kept)
    )


def move(show: Show, numbers: Collection[str], place: int) -> Show:
    """Put cues, in their order, before the cue that is at a place now.

    Between two cues of one group they join it; far from their own group they leave it, unless
    the whole group moves.
    """
    chosen = set(numbers)
    moving = tuple(cue for cue in show.cues if cue.number in chosen)
    above = tuple(cue for cue in show.cues[:place] if cue.number not in chosen)
    below = tuple(cue for cue in show.cues[place:] if cue.number not in chosen)
    neighbours = [above[-1].group if above else "", below[0].group if below else ""]
    staying = {cue.group for cue in above + below}
    moved: list[Cue] = []
    for cue in moving:
        group = cue.group
        if neighbours[0] == neighbours[1] != "":
            group = neighbours[0]
        elif group in staying and group not in neighbours:
            group = ""
        moved.append(cue if group == cue.group else msgspec.structs.replace(cue, group=group))
    return _with(show, (*above, *moved, *below))


def shift(show: Show, numbers: Collection[str], step: int) -> Show:
    """Move cues together by one row: up with -1, down with 1; at the end of the list they stay."""
    places = [i for i, cue in enumerate(show.cues) if cue.number in set(numbers)]
    if not places:
        return show
    if step < 0:
        return move(show, numbers, max(0, places[0] - 1))
    return move(show, numbers, min(len(show.cues), places[-1] + 2))


def renumber(show: Show, numbers: Collection[str], first: int = 1, step: int = 1) -> Show:
    """Number cues afresh in their order, and let what names them follow.

    Raises:
        EditError: another cue has one of the new numbers.
    """
    chosen = [cue.number for cue in show.cues if cue.number in set(numbers)]
    fresh = {old: str(first + i * step) for i, old in enumerate(chosen)}
    others = {cue.number for cue in show.cues} - set(chosen)
    clash = next((number for number in fresh.values() if number in others), None)
    if clash is not None:
        raise EditError(f"Cue {clash} exists already; renumber it as well, or start elsewhere.")
    return _with(
        show,
        tuple(
            msgspec.structs.replace(
                cue,
                number=fresh.get(cue.number, cue.number),
                next=None if cue.next is None else fresh.get(cue.next, cue.next),
            )
            for cue in show.cues
        ),
    )


def free_number(before: str, taken: Collection[str]) -> str:
    """Return a number that no cue has, and that reads as coming after another."""
    whole = before.split(".")[0]
    if whole.isdecimal():
        if (found := str(int(whole) + 1)) not in taken and len(found) <= _NUMBER_LENGTH:
            return found
    stem = before if "." not in before else before.rpartition(".")[0]
    for last in range(1, 100):
        if (found := f"{stem}.{last}") not in taken and len(found) <= _NUMBER_LENGTH:
            return found
    return str(max((int(n) for n in taken if n.isdecimal() and len(n) < 9), default=0) + 1)


def to_text(cues: Sequence[Cue]) -> bytes:
    """Return cues as they lie on the clipboard."""
    return msgspec.json.encode(cues)


def from_text(data: bytes) -> tuple[Cue, ...]:
    """Return the cues of the clipboard.

    Raises:
        EditError: there are none.
    """
    try:
        return msgspec.json.decode(data, type=tuple[Cue, ...])
    except (msgspec.MsgspecError, ValueError) as error:
        raise EditError("The clipboard holds no cues; copy some from a cue list.") from error


def _checked(field: str, value: object, who: str) -> Any:
    try:
        return msgspec.convert(value, type=_KINDS[field])
    except msgspec.ValidationError as error:
        reason = str(error)
        words = (text for pattern, text in PATTERN_WORDS.items() if repr(pattern) in reason)
        if field.endswith("_s"):
            reason = "must be 0 to 3600 seconds"
        elif "length <=" in reason:
            reason = f"must have at most {reason.rpartition(' ')[2]} characters"
        else:
            reason = next(words, reason[:1].lower() + reason[1:].replace("`", "'"))
        raise EditError(f"Cue {who}: the {word(field)} {value!r} {reason}.") from error


def _change_number(show: Show, number: str, value: object) -> Show:
    fresh: str = _checked("number", value, number)
    if fresh != number and any(cue.number == fresh for cue in show.cues):
        raise EditError(f"Cue {fresh} exists already; every cue has its own number.")
    return _with(
        show,
        tuple(
            msgspec.structs.replace(
                cue,
                number=fresh if cue.number == number else cue.number,
                next=fresh if cue.next == number else cue.next,
            )
            if number in (cue.number, cue.next)
            else cue
            for cue in show.cues
        ),
    )


def _refuse_twice(show: Show, numbers: Collection[str], hotkey: str) -> None:
    if len(numbers) > 1:
        raise EditError(f"The hotkey {hotkey} can fire one cue only; select a single cue.")
    for cue in show.cues:
        if cue.hotkey.casefold() == hotkey.casefold() and cue.number not in numbers:
            raise EditError(f"The hotkey {hotkey} already fires cue {cue.number}; choose another.")
    for trigger in show.triggers:
        if trigger.hotkey.casefold() == hotkey.casefold():
            title = title_of(trigger)
            raise EditError(f"The hotkey {hotkey} already fires {title!r}; choose another.")


def _refuse_circle(show: Show, numbers: Collection[str]) -> None:
    """Refuse cues that would start each other for ever."""
    place = {cue.number: i for i, cue in enumerate(show.cues)}
    for number in numbers:
        seen: set[int] = set()
        i: int | None = place[number]
        while i is not None and show.cues[i].continue_mode != "none":
            if i in seen:
                raise EditError(
                    f"Cue {number} would start itself again, for ever; let one cue of the circle "
                    f"wait for GO."
                )
            seen.add(i)
            following = show.cues[i].next
            if following is not None:
                i = place.get(following)
            else:
                i = i + 1 if i + 1 < len(show.cues) else None


def _relinked(cue: Cue, renamed: Mapping[str, str], known: Collection[str]) -> Cue:
    if cue.next is None:
        return cue
    following: str | None = renamed.get(cue.next, cue.next)
    return msgspec.structs.replace(cue, next=following if following in known else None)


def _with(show: Show, cues: tuple[Cue, ...]) -> Show:
    return msgspec.structs.replace(show, cues=cues)
