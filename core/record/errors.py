"""Errors of the record of a run."""

from core.errors import CoreError


class RecordError(CoreError):
    """A record cannot be written or read.

    Attributes:
        path: path of the file, or empty.
    """

    def __init__(self, reason: str, path: str = "") -> None:
        """Keep the path as evidence."""
        super().__init__(reason)
        self.path = path
