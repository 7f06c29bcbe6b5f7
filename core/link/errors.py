"""Errors of the link."""

from core.errors import CoreError


class LinkError(CoreError):
    """The link cannot be opened or used.

    Attributes:
        endpoint: endpoint of the connection, or empty.
    """

    def __init__(self, reason: str, endpoint: str = "") -> None:
        """Keep the endpoint as evidence."""
        super().__init__(reason)
        self.endpoint = endpoint
