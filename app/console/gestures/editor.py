"""Edits of gestures: each is done, and can be undone, or is refused with a reason."""

import msgspec

from app.console.context.context import Context
from app.console.gestures import edits
from app.console.gestures.library import Entry, GestureLibrary
from app.console.gestures.search import with_favourite


class GestureEditor:
    """Edits the show's own gestures and the favourites; reports refusals."""

    def __init__(self, context: Context, library: GestureLibrary) -> None:
        self._context, self._library = context, library

    def may_edit(self, entry: Entry, deed: str) -> bool:
        """Tell whether a gesture may be edited; else say why not.

        Args:
            entry: which.
            deed: the action, as a participle: "renamed".
        """
        if not self._unlocked(entry, deed):
            return False
        if not entry.own:
            self._say(
                f"{entry.title!r} was not {deed}, for it belongs to the library, which stays as "
                "it is; duplicate it (Ctrl+D) and edit the copy"
            )
        return entry.own

    def turn_favourite(self, entry: Entry) -> None:
        """Make a gesture a favourite, or take it from them."""
        if self._unlocked(entry, "made a favourite or taken from them"):
            favourites = self._context.preferences.value.favourites
            self._keep_favourites(with_favourite(favourites, entry.name))

    def rename(self, name: str, title: str) -> str:
        """Give the show's own gesture another title and name; return the name it has now."""
        document = self._context.document
        others = {entry.name for entry in self._library.entries()} - {name}
        try:
            show, motions = edits.renamed(document.show, document.motions, name, title, others)
        except edits.EditRefused as refusal:
            self._say(str(refusal))
            return name
        fresh = edits.name_of(title)
        document.edit(f"rename gesture {name}", show, motions=motions)
        favourites = self._context.preferences.value.favourites
        self._keep_favourites(tuple(fresh if other == name else other for other in favourites))
        return fresh

    def duplicate(self, entry: Entry) -> str:
        """Make a copy of any gesture the show's own; return its name, or the old one."""
        document = self._context.document
        if not self._unlocked(entry, "duplicated"):
            return entry.name
        taken = {other.name for other in self._library.entries()} | set(document.motions)
        name, motions = edits.duplicated(document.motions, entry.motion, entry.title, taken)
        document.edit(f"duplicate gesture {entry.name}", document.show, motions=motions)
        return name

    def delete(self, entry: Entry) -> None:
        """Delete the show's own gesture."""
        document = self._context.document
        if not self.may_edit(entry, "deleted"):
            return
        try:
            motions = edits.deleted(document.show, document.motions, entry.name)
        except edits.EditRefused as refusal:
            self._say(str(refusal))
            return
        document.edit(f"delete gesture {entry.name}", document.show, motions=motions)

    def _unlocked(self, entry: Entry, deed: str) -> bool:
        """Tell whether edits are allowed; else say why not."""
        if self._context.lock.locked:
            self._say(f"{entry.title!r} was not {deed}: the show is locked, switch SHOW to EDIT")
        return not self._context.lock.locked

    def _keep_favourites(self, names: tuple[str, ...]) -> None:
        preferences = self._context.preferences
        preferences.change(msgspec.structs.replace(preferences.value, favourites=names))

    def _say(self, text: str) -> None:
        self._context.notices.say(text, "warning")
