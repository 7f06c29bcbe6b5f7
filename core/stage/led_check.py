"""The takes that play the person of a show: what the robot does when they lead it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from core.link.partner import Follow
from core.stage.dry_run import CueRun
from core.stage.finding import Finding
from core.stage.led_run import LedRuns
from shows.bvh_human import load_bvh
from shows.human import HumanTake
from shows.live import performer_of
from shows.repertoire import FOLDER, load_repertoire
from shows.repertoire_files import repertoire_names

Judge: TypeAlias = Callable[[CueRun], Iterable[Finding]]
"""Returns the findings of a run."""


def takes_of(folder: Path) -> dict[str, Mapping[str, HumanTake]]:
    """Return the takes of a show's folder, by repertoire and name; that of the performer by "".

    Raises:
        ShowError: a take cannot be read.
    """
    found: dict[str, Mapping[str, HumanTake]] = {
        name: load_repertoire(folder / FOLDER / name).takes for name in repertoire_names(folder)
    }
    performer = performer_of(folder)
    if performer is not None:
        found[""] = {performer.stem: load_bvh(performer).take}
    return found


class LedCheck:
    """Tests what a robot does when recorded persons lead it.

    A person may do anything, and the core limits what the robot does of it. So nothing found here
    fails a cue: it is a warning with its true load in words.

    Args:
        runs: leads the robot.
        takes: by repertoire and name, see `takes_of`.
        judge: tests a run.
    """

    def __init__(
        self, runs: LedRuns, takes: Mapping[str, Mapping[str, HumanTake]], judge: Judge
    ) -> None:
        self._runs, self._takes, self._judge = runs, takes, judge
        self._judged: dict[tuple[tuple[str, ...], bool, str, str], tuple[Finding, ...]] = {}

    def findings(self, order: Follow) -> Iterator[Finding]:
        """Yield the warnings of the worst take of an order to mirror, the greatest load first.

        The takes are those of the order's repertoire, or of all, and that of the performer.
        """
        worst: tuple[Finding, ...] = ()
        for repertoire, takes in self._takes.items():
            if order.repertoire not in ("", repertoire) and repertoire:
                continue
            for name, take in takes.items():
                key = order.limbs, order.mirror_sides, repertoire, name
                if key not in self._judged:
                    self._judged[key] = self._of(order, take)
                found = self._judged[key]
                if found and (not worst or found[0].load > worst[0].load):
                    worst = tuple(
                        replace(one, text=f"led as in {name.replace('_', ' ')}: {one.text}")
                        for one in found
                    )
        for finding in worst:
            yield replace(finding, load=min(finding.load, 1.0))

    def _of(self, order: Follow, take: HumanTake) -> tuple[Finding, ...]:
        """Return the findings of one take, the greatest load first."""
        found = self._judge(self._runs.run(order, take))
        return tuple(sorted(found, key=lambda finding: -finding.load))
