"""A person whose captured motion the robot follows."""

from core.link.statement import Sentence

CAPTURE_MISSING = Sentence(
    "capture_missing",
    "of the T-pose only {heard_s:.1f} of {needed_s:.1f} s arrived; look whether the source sends, "
    "and hold the pose again",
)
CAPTURE_GAP = Sentence(
    "capture_gap",
    "the input was interrupted for {gap_s:ms} in the T-pose; mend the network, and hold the pose "
    "again",
)
CAPTURE_SIZE = Sentence(
    "capture_size",
    "the head is {height_m:.2f} m above the ankles, which is no person; set the source to metres",
)
PERSON_MOVED = Sentence(
    "person_moved",
    "the {bone:name} moved by {moved_m:.2f} m in the T-pose; stand still and hold it again",
)
PERSON_NOT_UPRIGHT = Sentence(
    "person_not_upright",
    "the person leans by {lean_deg:.0f}° in the T-pose; stand upright and hold it again",
)
ARM_NOT_LEVEL = Sentence(
    "arm_not_level",
    "the {side} arm is {off_deg:.0f}° from level in the T-pose; hold it straight to the side, palm "
    "down",
)
ARM_NOT_STRAIGHT = Sentence(
    "arm_not_straight",
    "the {side} elbow is bent by {off_deg:.0f}° in the T-pose; stretch the arm and hold it again",
)
PARTNER_UNHEARD = Sentence(
    "partner_unheard", "no input of the person arrives; look whether the source sends"
)
PARTNER_FOLLOWED = Sentence("partner_followed", "the robot follows the person, to {mode}")
PARTNER_ENDED = Sentence("partner_ended", "the robot follows nobody any more")
PARTNER_LOST = Sentence(
    "partner_lost",
    "the input of the person was lost: the robot stands; mend it, then follow again",
    "warning",
)
PARTNER_ANSWERED = Sentence("partner_answered", "{heard:name} is answered with {motion:name}")
