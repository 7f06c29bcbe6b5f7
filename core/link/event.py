"""One line of the event log."""

from core.link.message import Outbound
from core.link.statement import Severity, Value


class Event(Outbound, frozen=True):
    """One line of the event log: time, actor and statement; the catalogue has its sentence.

    Attributes:
        stamp_s: time on the core's clock [s]; None from a sibling, which has another clock.
        actor: cause of the event: a process, a device or an operator.
        code: code of the sentence in the catalogue.
        fields: values of the sentence's template.
        severity: info, warning or error.
    """

    stamp_s: float | None
    actor: str
    code: str
    fields: dict[str, Value] = {}
    severity: Severity = "info"
