"""How many examples a property test draws: FOOTLIGHT_EXAMPLES, or 100 where that is not set."""

import os

USUAL = 100
EXAMPLES = int(os.environ.get("FOOTLIGHT_EXAMPLES", USUAL))


def share(count: int) -> int:
    """Return how many a test draws that usually draws so many."""
    return max(count * EXAMPLES // USUAL, 1)
