"""A run: its processes, its record, and how it ended."""

from core.link.statement import Sentence

CORE_FAILED = Sentence("core_failed", "the core failed and removed all torque: {error}", "error")
FIFO_REFUSED = Sentence(
    "fifo_refused",
    "FIFO scheduling was refused ({error}): ticks may be late; give the user rtprio in limits.conf",
    "warning",
)
LOCKING_REFUSED = Sentence(
    "locking_refused",
    "locking memory was refused ({error}): a page fault may delay a tick; "
    "give the user memlock in limits.conf",
    "warning",
)
PROCESS_REPLACED = Sentence("process_replaced", "{text}", "warning")
LOG_ENDS = Sentence("log_ends", "the log {path} ends at {stamp_s:.1f} s: {error}", "error")
BLOCKS_MISSING = Sentence(
    "blocks_missing", "{blocks:count block} of the log missing: the scribe was too slow", "warning"
)

# How the run ended.
DONE = Sentence("done", "done")
ENDED = Sentence("ended", "the core was ended")
FAILED = Sentence("failed", "the core failed: {error}")
FELL = Sentence("fell", "the robot fell")
FELL_AT = Sentence("fell_at", "the robot fell at {stamp_s:.2f} s")
WATCHDOG_ENDED = Sentence("watchdog_ended", "the run is incomplete: the watchdog ended")
ENDED_FROM_OUTSIDE = Sentence(
    "ended_from_outside", "the run is incomplete: it was ended from outside"
)
STAYED = Sentence("stayed", "the robot stayed in {mode}")
GO_FAILED = Sentence("go_failed", "GO of cue {cue} was refused, or the cue was cut")
NOT_CALIBRATED = Sentence(
    "not_calibrated",
    "no person was calibrated within {waited_s:.0f} s; look whether the source sends, and hold "
    "the T-pose while the robot stands",
)
WENT_TO = Sentence("went_to", "the core went to {mode}")
WENT_TO_AT = Sentence("went_to_at", "the core went to {mode} at {stamp_s:.2f} s")
NO_SUPPLY = Sentence("no_supply", "the motors got no supply")
SHUT_DOWN = Sentence("shut_down", "the core was shut down")
STILL_WALKS = Sentence("still_walks", "the robot did not stop walking after the last velocity")
WENT_DOWN = Sentence("went_down", "the robot settled before the end")
