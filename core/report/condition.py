"""What is wrong with the robot, why it is stopped and what a reset needs, in words."""

from core.link.messages import Alarm, ResetStep
from core.safety.flags import Flag
from core.safety.modes import LATCHED
from core.safety.rules import Clears
from core.tick.performer import Performer
from devices.interface import Sample


def alarms(performer: Performer, sample: Sample) -> tuple[Alarm, ...]:
    """Return the faults that matter now, the worst first and each once.

    Args:
        performer: who judged them.
        sample: of the last tick; it tells how much, or which joint.
    """
    found: list[Alarm] = []
    told: set[Flag] = set()
    for rule in performer.book.rules:  # a flag that grew worse with time has several
        flag = rule.flag
        if flag in told:
            continue
        told.add(flag)
        over = flag not in performer.flags
        if over:
            detail = performer.book.details[flag]
        else:
            detail = performer.health.explain(flag, sample, performer.facts)
        text = f"{rule.text} ({detail})" if detail else rule.text
        found.append(Alarm(flag.name, rule.action.name, text, rule.advice, over))
    return tuple(found)


def latched(performer: Performer) -> tuple[str, ...]:
    """Return why the robot is stopped until somebody resets it, one sentence each."""
    if not performer.modes.needs_reset(performer.mode_facts):
        return ()
    if performer.mode not in LATCHED:
        return ("The motors have no supply.",)
    causes = [performer.modes.cause] if performer.modes.cause else []
    causes += [rule.text for rule in performer.book.rules if rule.clears is Clears.ON_RESET]
    return tuple(dict.fromkeys(causes))


def reset_steps(performer: Performer, now_s: float) -> tuple[ResetStep, ...]:
    """Return what the mode machine will ask of a reset at a time [s]; empty if none is due."""
    if not performer.modes.needs_reset(performer.mode_facts):
        return ()
    conditions = performer.modes.reset_conditions(now_s, performer.mode_facts)
    return tuple(ResetStep(condition.text, condition.holds) for condition in conditions)
