"""What can go wrong in the core before a robot moves."""


class CoreError(Exception):
    """The core refuses to start or to go on."""


class ProfileError(CoreError):
    """A robot's profile cannot be used.

    Attributes:
        file: the file at fault.
        place: the key at fault, dotted.
        reason: why it is refused and what to do.
    """

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}, {place}: {reason}")
        self.file = file
        self.place = place
        self.reason = reason
