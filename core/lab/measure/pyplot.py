"""Loads the library that draws figures, which is optional."""

from typing import Any

from core.errors import CoreError


class FigureError(CoreError):
    """No figure can be drawn."""


def load_pyplot() -> Any:
    """Return matplotlib's pyplot, which draws into files.

    Raises:
        FigureError: matplotlib is missing.
    """
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise FigureError(
            "figures need matplotlib, which is not installed: pip install 'footlight[lab]'"
        ) from None
    return pyplot
