"""Reading a file of another program as a motion of one robot."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.exchange.reading import read_table, span_of
from app.exchange.report import Kind, LimbError, Report
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from shows.bvh import MAX_BVH_BYTES, Bvh, decode_bvh
from shows.bvh_human import Unit, Up, reading_of
from shows.bvh_robot import is_of_robot, motion_of_bvh
from shows.errors import ShowError
from shows.files import read_capped
from shows.motion import Motion, load_raw_motion, mirror_motion

if TYPE_CHECKING:
    from core.retarget.retarget import Retargeted

ENDINGS = (".bvh", ".csv", ".json")
MOST_NAMED = 6  # bones that a report names
LOOKS_HZ, MOST_LOOKS = 10.0, 300  # poses that are looked at for parts that touch

Span = tuple[float | None, float | None]


@dataclass(frozen=True, eq=False)
class Found:
    """A motion, and what was concluded about its file.

    Attributes:
        motion: the motion.
        robot: name of the robot.
        kind: kind of the file.
        facts: a word, and what it is.
        unit: unit of a person's file.
        up: upward axis of a person's file.
        guessed: which of both were guessed.
        limbs: errors of the limbs that follow a person.
        held_back: share of the time in which limits hold a joint back.
    """

    motion: Motion
    robot: str
    kind: Kind
    facts: tuple[tuple[str, str], ...]
    unit: str = ""
    up: str = ""
    guessed: tuple[str, ...] = ()
    limbs: tuple[LimbError, ...] = field(default=())
    held_back: float = 0.0

    def report(self, file: str, out: Path, fault: str, touch: str) -> Report:
        """Return the report.

        Args:
            file: name of the file.
            out: the motion's file.
            fault: where it goes beyond the robot's limits.
            touch: which parts of the robot touch.
        """
        motion = self.motion
        return Report(
            file=file,
            kind=self.kind,
            robot=self.robot,
            motion=str(out),
            name=motion.name,
            title=motion.title,
            duration_s=motion.duration_s,
            rate_hz=motion.rate_hz,
            joints=motion.joint_names,
            unit=self.unit,
            up=self.up,
            guessed=self.guessed,
            facts=self.facts,
            limbs=self.limbs,
            held_back=self.held_back,
            fault=fault,
            touch=touch,
        )


class Importer:
    """Reads files for one robot.

    Args:
        profile: the robot's.
        name: name of the motion.
        title: its label; empty takes that of the file.
        tell: is told what is done.

    Attributes:
        joints: the robot's joints and limits.
    """

    def __init__(
        self, profile: Profile, name: str, title: str, tell: Callable[[str], None]
    ) -> None:
        self.joints = joint_table(profile)
        self._profile, self._name, self._title, self._tell = profile, name, title, tell

    def read(
        self, path: Path, *, unit: Unit | None, up: Up | None, mirror: bool, span_s: Span
    ) -> Found:
        """Return the motion of a file.

        Args:
            path: .bvh, .csv or .json.
            unit: of a person's file; None guesses.
            up: upward axis of a person's file; None guesses.
            mirror: exchange left and right.
            span_s: part of it; None is its beginning or end.

        Raises:
            CoreError: the robot cannot follow a person.
            ShowError: the file is refused, with line and reason.
        """
        suffix = path.suffix.lower()
        if suffix not in ENDINGS:
            reason = "is no motion of a kind that can be imported"
            raise ShowError(path.name, "", reason, f"choose a file with {', '.join(ENDINGS)}")
        if suffix == ".bvh":
            bvh = decode_bvh(read_capped(path, MAX_BVH_BYTES, path.name), path.name)
            found = self._of_robot(bvh, path)
            if found is None:
                return self._of_person(_cut(bvh, span_s, path.name), path, unit, up, mirror)
        elif suffix == ".csv":
            reading = read_table(path, self._name, self.joints)
            rate_hz = reading.motion.rate_hz
            samples = f"resampled at {rate_hz:g} Hz" if reading.resampled else "taken as they are"
            found = Found(
                reading.motion,
                self._profile.name,
                "table",
                (("file", "table (CSV)"), ("samples", samples)),
            )
        else:
            motion = replace(load_raw_motion(path, self.joints), source="imported")
            facts = (("file", "motion of this program"),)
            found = Found(motion, self._profile.name, "motion", facts)
        motion = span_of(found.motion, *span_s)
        motion = mirror_motion(motion, self.joints) if mirror else motion
        return replace(found, motion=self._named(motion, path))

    def touch(self, motion: Motion) -> str:
        """Return which parts of the robot touch first in a motion, and when; empty if none do."""
        from core.stage.body import body_from_profile
        from core.stage.pose_check import judge

        self._tell("looking for parts that touch")
        body = body_from_profile(self._profile)
        step = max(1, round(motion.rate_hz / LOOKS_HZ), len(motion.positions) // MOST_LOOKS)
        for row in range(0, len(motion.positions), step):
            pose = dict(zip(motion.joint_names, motion.positions[row].tolist(), strict=True))
            pairs, _ = judge(pose, body)
            if pairs:
                one, other = (body.replace("_", " ") for body in pairs[0])
                return f"{one} and {other} at {row / motion.rate_hz:.2f} s"
        return ""

    def _named(self, motion: Motion, path: Path) -> Motion:
        own = motion.title if motion.title not in ("", motion.name) else _spoken(path)
        return replace(motion, name=self._name, title=self._title or own)

    def _of_robot(self, bvh: Bvh, path: Path) -> Found | None:
        """Return the motion of a file of this robot's skeleton; None of another one's."""
        from app.exchange.skeleton import skeleton_of
        from app.picture.robot_tree import RobotError, tree_of
        from core.report.figure import figure_of

        try:
            skeleton = skeleton_of(tree_of(figure_of(self._profile)))
        except RobotError as error:
            raise ShowError(self._profile.name, "", str(error)) from error
        if not is_of_robot(bvh, skeleton):
            return None
        motion = motion_of_bvh(bvh, path.name, self._name, skeleton, self.joints)
        facts = (("file", f"BVH of {self._profile.title}'s own skeleton"),)
        return Found(motion, self._profile.name, "robot", facts)

    def _of_person(
        self, bvh: Bvh, path: Path, unit: Unit | None, up: Up | None, mirror: bool
    ) -> Found:
        """Return the motion of the robot that follows a person."""
        self._tell("finding the person")
        reading = reading_of(bvh, path.name, unit, up)
        from core.retarget.limbs import find_limbs
        from core.retarget.retarget import retarget
        from core.retarget.settings import RetargetSettings

        self._tell(f"letting {self._profile.title} follow {len(bvh.frames)} frames")
        settings = RetargetSettings(mirror=mirror)
        result = retarget(reading.take, find_limbs(self._profile, settings), settings)
        person = f"{reading.take.height_m:.2f} m from the ankles to the head's joint"
        facts = [("file", "BVH of a person"), ("names as in", reading.convention)]
        facts += [("person", person)]
        facts += [("bones filled in", _listed(reading.filled))] if reading.filled else []
        facts += [("joints ignored", _listed(reading.ignored))] if reading.ignored else []
        facts += [("mirrored", "left and right are exchanged")] if mirror else []
        return Found(
            self._named(result.motion, path),
            self._profile.name,
            "person",
            tuple(facts),
            reading.unit,
            reading.up,
            reading.guessed,
            self._errors(result),
            float(result.speed_limited.mean()),
        )

    def _errors(self, result: "Retargeted") -> tuple[LimbError, ...]:
        titles = {limb.name: limb.title for limb in self._profile.limbs}
        return tuple(
            LimbError(
                limb=found.limb,
                title=titles[found.limb],
                segments=found.segments,
                direction_mean_deg=found.direction_mean_deg,
                direction_p90_deg=found.direction_p90_deg,
                hand_mean_cm=None if found.hand_mean_m is None else 100.0 * found.hand_mean_m,
                hand_p90_cm=None if found.hand_p90_m is None else 100.0 * found.hand_p90_m,
            )
            for found in result.summary()
        )


def _cut(bvh: Bvh, span_s: Span, label: str) -> Bvh:
    """Return the frames of a file within a span.

    Raises:
        ShowError: fewer than two frames are in it.
    """
    start_s, end_s = span_s
    first = 0 if start_s is None else round(start_s / bvh.frame_s)
    last = len(bvh.frames) if end_s is None else round(end_s / bvh.frame_s) + 1
    frames = bvh.frames[first:last]
    if len(frames) < 2:
        length_s = (len(bvh.frames) - 1) * bvh.frame_s
        reason = f"the span has fewer than two frames of the file's {length_s:.2f} s"
        raise ShowError(label, "", reason, "choose --from before --to, both inside the file")
    return replace(bvh, frames=frames)


def _spoken(path: Path) -> str:
    """Return a file's name as a title."""
    words = path.stem.replace("_", " ").strip()
    return (words[:1].upper() + words[1:])[:200]


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - MOST_NAMED
    listed = ", ".join(name.replace("_", " ") for name in names[:MOST_NAMED])
    return f"{listed} and {more} more" if more > 0 else listed
