"""Turns statements into the catalogue's sentences, where they are displayed. Never raises."""

from collections.abc import Mapping
from string import Formatter
from typing import Any

from core.link.catalogue import faults, marks, partner, refusals, run, safety, show, takes
from core.link.event import Event
from core.link.statement import Sentence, Severity, Statement, Value
from core.link.status import Alarm

COMMANDS: Mapping[str, str] = {
    "stand_up": "STAND UP",
    "settle": "SETTLE",
    "stop": "STOP",
    "reset": "RESET",
    "hold": "HOLD",
    "walk": "WALK",
    "go": "GO",
    "shutdown": "SHUT DOWN",
    "put_back": "PUT BACK",
    "pause_show": "pause the show",
    "resume_show": "resume the show",
    "go_to": "go to",
    "reset_show": "reset the show",
    "load_show": "load the show",
    "unload_show": "unload the show",
    "release_head": "release the head",
    "follow": "follow the person",
    "end_follow": "end following",
    "start_sway": "sway",
    "end_sway": "end the sway",
    "start_jump": "jump",
    "walk_to": "walk to",
    "stands_at": "stands at",
    "look_at": "look at",
    "hold_point": "hold the point",
    "shift_point": "shift the point",
    "back_drive": "release limbs",
    "end_back_drive": "end RECORD",
    "start_take": "record a take",
    "end_take": "end the take",
    "mark_take": "mark the take",
    "arm_take": "prepare a take",
    "toggle_take": "start or end a take",
    "say": "say a phrase",
    "pose_hands": "pose hands",
    "set_idle": "idle life",
    "use_sound": "use the sound device",
}
"""Display names of commands; any other command is displayed by its own name."""


def _collect() -> dict[str, Sentence]:
    modules = (faults, marks, partner, refusals, run, safety, show, takes)
    found = (value for module in modules for value in vars(module).values())
    return {value.code: value for value in found if isinstance(value, Sentence)}


CATALOGUE: Mapping[str, Sentence] = _collect()
"""Every sentence by its code."""


class _Formatter(Formatter):
    """Formats a template's fields; the specifications besides Python's are those of `format_field`.

    name: an identifier with spaces, or several. command: see COMMANDS. and: names joined by "and
    the".
    ms: seconds as milliseconds. percent: a fraction as a percentage. count NOUN: a number with its
    noun. sentence: a statement with a capital and a full stop. advice: the statement's advice.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Statement):
            if format_spec == "advice":
                return advice(value)
            return sentence(value) if format_spec == "sentence" else text(value)
        if format_spec == "name":
            several = isinstance(value, tuple | list)
            return (", ".join(map(str, value)) if several else str(value)).replace("_", " ")
        if format_spec == "command":
            return COMMANDS.get(value, str(value).replace("_", " "))
        if format_spec == "ms":
            return f"{1e3 * value:.0f} ms"
        if format_spec == "percent":
            return f"{100.0 * value:.0f} %"
        if format_spec.startswith("count "):
            noun = format_spec.removeprefix("count ")
            return f"{value} {noun}" if value == 1 else f"{value} {noun}s"
        if isinstance(value, tuple | list):
            return (" and the " if format_spec == "and" else ", ").join(map(str, value))
        return format(value, format_spec)


_FORMATTER = _Formatter()


def names(template: str) -> frozenset[str]:
    """Return the names of a template's fields."""
    return frozenset(name for _, name, _, _ in _FORMATTER.parse(template) if name)


def text(said: Statement | Event) -> str:
    """Return a statement as a part of a sentence; an unknown code is listed with its fields."""
    known = CATALOGUE.get(said.code)
    if known is None:
        return _listed(said.code, said.fields)
    try:
        found = _FORMATTER.vformat(known.template, (), said.fields)
    except Exception:  # a field is missing or has another type, as from another version
        return _listed(said.code, said.fields)
    if not known.lists_rest:
        return found
    named = names(known.template)
    return _listed(found, {name: v for name, v in said.fields.items() if name not in named})


def sentence(said: Statement | Event) -> str:
    """Return a statement as a sentence, with a capital letter and a full stop."""
    found = text(said).rstrip(". ")
    return f"{found[:1].upper()}{found[1:]}."


def advice(said: Statement) -> str:
    """Return the advice to the operator; empty if the catalogue has none."""
    known = CATALOGUE.get(said.code)
    return "" if known is None else known.advice


def fault(flag: str, action: str) -> Statement:
    """Return the statement of a fault from the names of the health flag and the action."""
    return Statement(f"{flag}_{action}".lower())


def alarm(found: Alarm) -> str:
    """Return the sentence of an alarm, with its detail in brackets."""
    said, detail = fault(found.flag, found.action), found.detail
    return sentence(said) if detail is None else f"{sentence(said)} ({text(detail)})"


def event(
    stamp_s: float | None, actor: str, said: Statement, severity: Severity | None = None
) -> Event:
    """Return the event of a statement.

    Args:
        stamp_s: time on the core's clock [s]; None from a sibling, which has another clock.
        actor: cause of the event: a process, a device or an operator.
        said: the statement.
        severity: None takes the severity of the catalogue.
    """
    if severity is None:
        known = CATALOGUE.get(said.code)
        severity = "info" if known is None else known.severity
    return Event(stamp_s, actor, said.code, said.fields, severity)


def _listed(title: str, fields: Mapping[str, Value]) -> str:
    values = [
        f"{name.replace('_', ' ')} {_plain(value)}"
        for name, value in fields.items()
        if value is not False and value != ""
    ]
    return f"{title}: {', '.join(values)}" if values else title


def _plain(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return _FORMATTER.format_field(value, "")
