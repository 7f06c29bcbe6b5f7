"""The robot's alarms, the reasons of its stop, and the conditions of a reset."""

from core.link.catalogue.safety import MOTORS_UNPOWERED
from core.link.statement import Statement
from core.link.status import Alarm, ResetStep
from core.safety.flags import Flag
from core.safety.modes import LATCHED
from core.safety.rules import Clears
from core.tick.performer import Performer
from devices.interface import Sample


def alarms(performer: Performer, sample: Sample) -> tuple[Alarm, ...]:
    """Return the active faults, the most severe first, each once.

    Args:
        performer: its judgement of the last tick.
        sample: reading of the last tick, for the details.
    """
    found: list[Alarm] = []
    seen: set[Flag] = set()
    for rule in performer.book.rules:  # an escalating flag has several rules
        flag = rule.flag
        if flag in seen:
            continue
        seen.add(flag)
        over = flag not in performer.flags
        if over:
            detail = performer.book.details[flag]
        else:
            detail = performer.health.explain(flag, sample, performer.facts)
        found.append(Alarm(flag.name, rule.action.name, detail, over))
    return tuple(found)


def latched(performer: Performer) -> tuple[Statement, ...]:
    """Return the reasons for which the robot is stopped until a reset."""
    if not performer.modes.needs_reset(performer.mode_facts):
        return ()
    if performer.mode not in LATCHED:
        return (MOTORS_UNPOWERED(),)
    cause = performer.modes.cause
    causes = [] if cause is None else [cause]
    for rule in performer.book.rules:
        if rule.clears is Clears.ON_RESET and rule.fault not in causes:
            causes.append(rule.fault)
    return tuple(causes)


def reset_steps(performer: Performer, now_s: float) -> tuple[ResetStep, ...]:
    """Return the mode machine's conditions of a reset at a time [s]; empty if none is needed."""
    if not performer.modes.needs_reset(performer.mode_facts):
        return ()
    conditions = performer.modes.reset_conditions(now_s, performer.mode_facts)
    return tuple(ResetStep(each.condition, each.holds) for each in conditions)
