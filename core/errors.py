"""The base classes of the core's errors."""


class CoreError(Exception):
    """The core cannot start or continue."""


class ProfileError(CoreError):
    """A robot's profile cannot be used.

    Attributes:
        file: the faulty file.
        place: the faulty key, dotted.
        reason: why it is refused and what to do.
    """

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}, {place}: {reason}")
        self.file = file
        self.place = place
        self.reason = reason
