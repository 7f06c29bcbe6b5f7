"""Which parts of a run are missing in its file."""

from core.record.run_file import Passage, RunFile


class Completeness:
    """Counts the parts of a run while it is read.

    Args:
        run: the file.
    """

    def __init__(self, run: RunFile) -> None:
        self._run = run
        self._count = self._next = self._damaged = 0
        self._whole = False

    @property
    def missing(self) -> int:
        """Number of missing blocks."""
        return max(0, self._next - self._count)

    def take(self, passage: Passage) -> None:
        """Count what a chunk holds."""
        self._damaged += passage.bad
        for block in passage.blocks:
            self._count, self._next = self._count + 1, block.sequence + 1
            self._whole = self._whole or block.last

    def lose(self) -> None:
        """Count a chunk that cannot be read."""
        self._damaged += 1

    def problem(self, end_s: float) -> str:
        """Return one sentence about missing parts, or an empty string.

        Args:
            end_s: time of the last tick [s].
        """
        what, damaged, missing = [], self._damaged, self.missing
        if not self._run.ended:
            what.append("its end is missing (the scribe was killed or the disk was full)")
        elif not self._whole:
            what.append("the core did not end it (it died, or the scribe was ended first)")
        if damaged:
            what.append(f"{damaged} damaged part{'s' if damaged > 1 else ''} left out")
        if missing:
            what.append(f"{missing} block{'s' if missing > 1 else ''} of ticks missing")
        return f"{self._run.path} is read up to {end_s:.2f} s: " + "; ".join(what) if what else ""
