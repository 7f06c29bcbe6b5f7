"""Makes an earlier take ready to play while another one is recorded; for the stagehand."""

from pathlib import Path

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.joints import UpperJoints
from core.stage.backing import Backing
from core.stage.errors import StageError
from shows.audio import audio_info
from shows.errors import ShowError
from shows.joints import JointTable
from shows.overdub import playable_motion, sound_of, takes_of, whole_motion
from shows.take import Take, read_take

PLAY_RATE_HZ = 50.0  # of the knots: 10 minutes of 20 joints are 10 MB


def prepare_backing(number: int, path: Path, table: JointTable) -> Backing:
    """Read an earlier take and make it ready to play.

    Args:
        number: number of the request.
        path: file of the take.
        table: joints of the robot.

    Raises:
        ShowError: it cannot be read, is of another robot, or cannot be played.
        StageError: it does not fit the robot's limbs.
    """
    take = read_take(path)
    whole = whole_motion(take, table, takes_of(path.parent))
    motion = playable_motion(whole, table)
    step = max(1, round(motion.rate_hz / PLAY_RATE_HZ))
    upper = UpperJoints.from_table(table).names
    order = sorted(range(len(motion.joint_names)), key=lambda i: upper.index(motion.joint_names[i]))
    joints = tuple(upper.index(motion.joint_names[i]) for i in order)
    positions = motion.positions[::step][:, order]
    if len(positions) < 2:
        raise ShowError(path.name, "", "is too short to be played", "choose another take")
    try:
        clip = Clip.from_positions(path.stem, joints, motion.rate_hz / step, positions)
    except BehaveError as error:
        raise StageError(path.name, error.reason) from error
    slowed_s = max(0.0, motion.duration_s - whole.duration_s)
    return Backing(number, clip, slowed_s, _sound(path, take), take.head.phrase)


def _sound(path: Path, take: Take) -> str:
    """Return the path of a take's sound, or empty if there is none that can be played."""
    found = sound_of(path, take)
    try:
        return "" if found is None else str(audio_info(found, found.name).path)
    except ShowError:
        return ""
