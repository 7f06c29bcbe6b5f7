"""One line of the event log."""

from core.link.message import Outbound
from core.link.statement import Severity, Value


class Event(Outbound, frozen=True):
    """Who did what, when: one line of the event log; the catalogue has its sentence.

    Attributes:
        stamp_s: time on the core's clock [s]; None from a sibling, which does not know it.
        actor: who.
        code: names the sentence in the catalogue.
        fields: values of the sentence's template.
        severity: info, warning or error.
    """

    stamp_s: float | None
    actor: str
    code: str
    fields: dict[str, Value] = {}
    severity: Severity = "info"
