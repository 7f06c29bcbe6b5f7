"""The stagehand's verdict about a pose, in words."""

from app.console.poses.joint_row import FULL, HIGH
from app.console.toolkit import theme
from core.link.pose import PoseVerdict

MOST_NAMED = 3


def verdict_words(verdict: PoseVerdict | None, silent: bool, asked: bool) -> tuple[theme.Tone, str]:
    """Return the look and the words of a verdict.

    Args:
        verdict: the answer; None while it is awaited.
        silent: nobody answers.
        asked: a pose is edited at all.
    """
    if not asked:
        return theme.IDLE, ""
    if verdict is None:
        words = "not checked: the stagehand does not answer" if silent else "checking the pose"
        return theme.UNKNOWN, words
    parts = []
    tone = theme.GOOD
    touching = [f"{_plain(a)} touches {_plain(b)}" for a, b in verdict.collisions[:MOST_NAMED]]
    if touching:
        tone = theme.BAD
        more = len(verdict.collisions) - len(touching)
        parts.append(", ".join(touching) + (f" and {more} more" if more else ""))
    loads = sorted(verdict.loads.items(), key=lambda item: -item[1])
    heavy = [(joint, share) for joint, share in loads if share >= HIGH]
    if heavy:
        worst = heavy[0][1]
        if worst >= FULL or tone is theme.BAD:
            tone = theme.BAD
        else:
            tone = theme.WARN
        named = (
            f"{_plain(j)} needs {100.0 * s:.0f} % of its torque" for j, s in heavy[:MOST_NAMED]
        )
        parts.append(", ".join(named))
    if parts:
        return tone, "; ".join(parts)
    if loads:
        joint, share = loads[0]
        return tone, f"free of collisions; most torque: {_plain(joint)} {100.0 * share:.0f} %"
    return tone, "free of collisions; no joint has a load"


def _plain(name: str) -> str:
    return name.replace("_", " ")
