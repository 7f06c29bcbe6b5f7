"""The objects that all panels of the console share."""

from dataclasses import dataclass

from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore


@dataclass(frozen=True, slots=True)
class Context:
    """The parts that panels share; each has one owner, and none is global.

    Attributes:
        link: the core.
        document: the show that is open.
        lock: EDIT or SHOW.
        notices: sentences for the operator.
        preferences: the operator's settings.
    """

    link: CoreLink
    document: Document
    lock: EditLock
    notices: Notices
    preferences: PreferencesStore
