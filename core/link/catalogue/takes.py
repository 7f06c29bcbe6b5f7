"""Takes."""

from core.link.statement import Sentence

TAKE_RUNS = Sentence("take_runs", "a take is being recorded or saved; end it first")
NO_TAKE = Sentence("no_take", "no take is being recorded")
NOT_ARMED = Sentence("not_armed", "no take is prepared; open the panel Record at the console")
BACKING_REFUSED = Sentence("backing_refused", "no take was begun: {text}", "warning")
BACKING_SILENT = Sentence(
    "backing_silent", "the stagehand did not prepare the earlier take; try again"
)
BACKING_SLOWED = Sentence(
    "backing_slowed",
    "{take} is too fast for the robot: it plays slower, and lasts {slowed_s:.1f} s longer",
    "warning",
)
NO_BACKING = Sentence("no_backing", "the gesture {gesture} is not loaded; load a show that has it")
PUNCH_NEEDS_RECORD = Sentence(
    "punch_needs_record", "a punch-in releases limbs: choose what they do in RECORD first"
)
OPERATOR_ENDED = Sentence("operator_ended", "ended by the operator")
PUNCHED_OUT = Sentence("punched_out", "punched out")
MODE_ENDED = Sentence("mode_ended", "the robot left the mode in which it was recorded")
HELD_BY_FAULT = Sentence("held_by_fault", "a fault held the robot")
HELD_BY_OPERATOR = Sentence("held_by_operator", "HOLD")
TAKE_FULL = Sentence("take_full", "a take lasts {limit_s:.0f} s at most, and this one has ended")
RECORDER_SILENT = Sentence(
    "recorder_silent", "the recorder does not answer; the file is valid up to its last report"
)
TAKE_SAVED = Sentence("take_saved", "take saved: {saved_s:.1f} s in {path}")
TAKE_FAILED = Sentence("take_failed", "the take {path} ends early: {text}", "error")
SOUND_TROUBLE = Sentence(
    "sound_trouble", "the sound of the take {path}: {text}; the motion is recorded", "warning"
)
