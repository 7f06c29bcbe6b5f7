"""The motions between the steps of a recipe, kept while a person changes the steps."""

from collections.abc import Sequence

from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion
from shows.process.steps import Find, Step, perform


class Bench:
    """A raw motion, the steps applied to it, and the motion after each of them.

    A change recomputes the motions from the first step that differs. Undo is `drop`, redo is
    `add`. If a step is refused, steps and motions stay as they were. Make a new bench if the
    raw motion or a layered motion has changed.

    Attributes:
        raw: the motion before the first step.
        steps: the steps in order.
    """

    def __init__(self, raw: Motion, joints: JointTable, find: Find) -> None:
        self.raw = raw
        self.steps: tuple[Step, ...] = ()
        self._joints = joints
        self._find = find
        self._motions: list[Motion] = [raw]

    @property
    def motion(self) -> Motion:
        """The motion after the last step."""
        return self._motions[-1]

    def use(self, steps: Sequence[Step]) -> Motion:
        """Replace the steps; return the motion after the last one.

        Raises:
            ShowError: a step does not fit the motion before it; the place names the step.
        """
        same = 0
        for old, new in zip(self.steps, steps, strict=False):
            if old != new:
                break
            same += 1
        motions = self._motions[: same + 1]
        for i in range(same, len(steps)):
            try:
                motions.append(perform(steps[i], motions[-1], self._joints, self._find))
            except ShowError as error:
                tag = steps[i].__struct_config__.tag
                place = ", ".join(part for part in (f"step {i + 1} ({tag})", error.place) if part)
                raise ShowError(error.file, place, error.reason, error.advice) from error
        self.steps, self._motions = tuple(steps), motions
        return motions[-1]

    def add(self, step: Step) -> Motion:
        """Add a step at the end; return the motion after it.

        Raises:
            ShowError: the step does not fit the motion.
        """
        return self.use((*self.steps, step))

    def drop(self) -> Motion:
        """Drop the last step; return the motion before it. Without steps, nothing changes."""
        return self.use(self.steps[:-1])

    def before(self, index: int) -> Motion:
        """Return the motion before a step.

        Raises:
            ShowError: there is no such step.
        """
        self._check_index(index)
        return self._motions[index]

    def after(self, index: int) -> Motion:
        """Return the motion after a step.

        Raises:
            ShowError: there is no such step.
        """
        self._check_index(index)
        return self._motions[index + 1]

    def _check_index(self, index: int) -> None:
        if not 0 <= index < len(self.steps):
            reason = f"the recipe has {len(self.steps)} steps"
            raise ShowError(self.raw.name, f"step {index + 1}", reason, "choose one of them")
