"""The number of examples that a property test draws.

`make test` draws 25. `make test-long` sets FOOTLIGHT_EXAMPLES and draws 300. Both draw the same
ones every time, so that a failure tells of a change; with FOOTLIGHT_EXPLORE=1 each run draws
others.
"""

import os

LEAST = 5
EXAMPLES = int(os.environ.get("FOOTLIGHT_EXAMPLES", 25))
EXPLORES = os.environ.get("FOOTLIGHT_EXPLORE", "0") != "0"


def share(percent: int) -> int:
    """Return a percentage of the number of examples, for a test whose examples are costly."""
    return max(percent * EXAMPLES // 100, min(LEAST, EXAMPLES))
