"""Where the sticks of a game controller rest."""

from dataclasses import dataclass

REST_MOST = 0.3  # a stick further out than this is not at rest


@dataclass(frozen=True, slots=True)
class Centre:
    """Where the axes of a controller rest.

    Attributes:
        rest: reading of each axis without a touch, -1 to 1.
    """

    rest: tuple[float, ...]

    def correct(self, axes: tuple[float, ...]) -> tuple[float, ...]:
        """Return the axes with their rest at zero and both ends where they were."""
        pairs = zip(axes, self.rest, strict=True)
        return tuple(_recentred(value, rest) for value, rest in pairs)


def centre_of(axes: tuple[float, ...]) -> Centre | None:
    """Return the centre of sticks at rest; None if one of them is held."""
    return Centre(axes) if all(abs(value) <= REST_MOST for value in axes) else None


def _recentred(value: float, rest: float) -> float:
    way = 1.0 - rest if value >= rest else 1.0 + rest
    return min(max((value - rest) / way, -1.0), 1.0)
