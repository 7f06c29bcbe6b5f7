"""Walks to a mark, and where the robot is on the stage."""

from core.link.statement import Sentence

MARK_REACHED = Sentence(
    "mark_reached", "the robot stands on {mark}, {off_cm:.1f} cm and {turned_deg:.1f}° from it"
)
MARK_MISSED = Sentence(
    "mark_missed",
    "the robot stops {off_cm:.0f} cm and {turned_deg:.0f}° from {mark}: {cause}",
    "warning",
)
MARK_CLIP_ENDED = Sentence("mark_clip_ended", "its clip ended first, or was paused")
MARK_OUT_OF_REACH = Sentence(
    "mark_out_of_reach", "it takes far longer than usual; look what keeps the robot away"
)
MARK_INTERRUPTED = Sentence("mark_interrupted", "another request ended the walk")
PLACE_TOLD = Sentence("place_told", "the robot stands at {x:.2f}, {y:.2f} m on the stage")
PLACE_UNKNOWN = Sentence(
    "place_unknown",
    "its place on the stage is not known, because it has fallen or was carried; put it on a mark "
    "and right-click that mark in the 3-D view: The robot stands on it",
)
PLACE_LOST = Sentence(
    "place_lost", "the robot was carried, or fell: its place on the stage is not known", "warning"
)
MARK_SKIPPED = Sentence("mark_skipped", "the walk to {mark} is left out: {reason}", "warning")
FOOT_NOT_CHOSEN = Sentence(
    "foot_not_chosen", "this robot cannot choose the foot that steps last; choose either foot"
)
HEAD_LOOKS = Sentence(
    "head_looks", "the head looks at a point, and {gesture:name} needs it; end the look first"
)
STANDS_FIRST = Sentence("stands_first", "the robot does not stand still; let it stand first")
