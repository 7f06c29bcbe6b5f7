"""The modes in which limbs move on request."""

from core.link.catalogue import refusals as why
from core.link.statement import Statement
from core.safety.modes import Mode
from core.safety.rules import Action

STANDING = frozenset({Mode.READY, Mode.PERFORM, Mode.WALK, Mode.RECORD})


def may_move(mode: Mode, action: Action) -> Statement | None:
    """Return the reason for which no limb moves on request now, or None."""
    if mode not in STANDING:
        return why.WRONG_MODE(mode=mode.name)
    return why.FAULT_HOLDS() if action >= Action.HOLD else None
