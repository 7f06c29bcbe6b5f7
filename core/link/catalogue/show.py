"""The show and its cues, the processes that serve it, and the handset's layout."""

from core.link.statement import Sentence

SHOW_LOADED = Sentence(
    "show_loaded", "{show} is ready to play: {cues:count cue}, {gestures:count gesture}"
)
SHOW_UNLOADED = Sentence(
    "show_unloaded", "no show is loaded; {gestures:count gesture} ready to play"
)
SHOW_NOT_LOADED = Sentence("show_not_loaded", "{show} was not loaded: {reason}", "warning")
SHOW_NOT_UNLOADED = Sentence("show_not_unloaded", "the show was not unloaded: {reason}", "warning")
SHOW_REFUSED = Sentence("show_refused", "{text}", "error")
SHOW_WARNING = Sentence("show_warning", "{text}", "warning")

CUE_STARTED = Sentence("cue_started", "cue {cue} starts")
CUE_LEFT = Sentence("cue_left", "cue {cue} was ended early: no operator", "warning")
CUE_DISARMED = Sentence("cue_disarmed", "cue {cue} is disarmed and was skipped", "warning")
CUE_PLAYS_FAILED = Sentence(
    "cue_plays_failed", "cue {cue} plays although it failed its preflight: {text}", "warning"
)
CUE_BUSY = Sentence("cue_busy", "cue {cue} is running already and does not start again", "warning")
NO_MOTION = Sentence("no_motion", "the show has no motion {motion}", "warning")
NOT_MOVED = Sentence("not_moved", "{text}", "warning")
SHOW_SIGNAL = Sentence("show_signal", "{text}")

PHRASE_UNREADABLE = Sentence(
    "phrase_unreadable",
    "phrase {phrase} cannot be played ({text}); the show continues without it",
    "warning",
)
PHRASE_NOT_PLAYED = Sentence(
    "phrase_not_played", "{text}; the show continues without it", "warning"
)
NO_SOUND = Sentence("no_sound", "{text}; the show continues without sound", "warning")

LAYOUT_CHANGED = Sentence("layout_changed", "changes the layout of the handset")
LAYOUT_SAVED = Sentence("layout_saved", "the layout of the handset is saved")
LAYOUT_NOT_SAVED = Sentence(
    "layout_not_saved", "the layout of the handset applies to this run only: {text}", "warning"
)
LAYOUT_UNUSABLE = Sentence(
    "layout_unusable", "{text}; the handset has the layout of the robot's profile", "warning"
)
