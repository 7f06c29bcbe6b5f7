"""How many plots stand side by side."""


def columns_of(plots: int, width_px: int, height_px: int) -> int:
    """Return how many plots stand side by side, so that they are about twice as wide as high."""

    def misfit(columns: int) -> float:
        rows = max(1, -(-plots // columns))
        shape = (width_px / columns) / max(1.0, height_px / rows)
        return abs(shape - 2.0) + 0.2 * (columns * rows - plots)

    return min(range(1, max(2, min(plots, 6) + 1)), key=misfit)
