"""Commands, and the reasons of refusals."""

from core.link.statement import Sentence

COMMANDED = Sentence("commanded", "{command:command}", lists_rest=True)
REFUSED = Sentence("refused", "{command:command} refused: {reason}", "warning")
LAYOUT_REFUSED = Sentence(
    "layout_refused", "the handset keeps its present layout: {reason}", "warning"
)
GESTURE_REFUSED = Sentence("gesture_refused", "gesture {gesture:name} refused: {reason}", "warning")

# By the mode.
STILL_RISING = Sentence("still_rising", "wait until the robot stands")
STILL_SETTLING = Sentence("still_settling", "wait until the robot has settled")
SHOW_HAS_BODY = Sentence("show_has_body", "a show controls the robot; HOLD ends it")
NOT_STANDING = Sentence("not_standing", "the robot does not stand; STAND UP first")
NOT_READABLE = Sentence("not_readable", "the body does not answer yet")
SILENCED = Sentence("silenced", "{command:command} was requested in the same tick")
STOP_LATCHED = Sentence("stop_latched", "a stop is latched; RESET first")
LATCHED_BY = Sentence("latched_by", "{cause}; RESET first")
LEAVING = Sentence("leaving", "the core is shutting down")
FAULT_HOLDS = Sentence("fault_holds", "a fault holds the robot")
NO_LEGS = Sentence("no_legs", "this robot cannot walk")
SEATED = Sentence(
    "seated", "the robot is seated; put it on its feet and choose floor or gantry to walk"
)
UNPOWERED = Sentence("unpowered", "the motors have no supply; RESET first")
NOT_NEUTRAL = Sentence("not_neutral", "a stick or button is not released; release all of them")
NOTHING_LATCHED = Sentence("nothing_latched", "nothing is latched")
CHAIN_OPEN = Sentence("chain_open", "the E-stop chain is open; release every E-stop button")
NOT_STILL = Sentence("not_still", "the robot has not been still for {still_s:g} s; wait")
FAULT_STAYS = Sentence("fault_stays", "the fault persists: {fault}")
WRONG_MODE = Sentence("wrong_mode", "the robot is in {mode}, not READY")
LIES = Sentence("lies", "the robot lies; put it back on its feet first")
ONLY_SIMULATED = Sentence("only_simulated", "only a simulated robot can be put back")
LIMP_FIRST = Sentence("limp_first", "the robot is in {mode}; SETTLE or STOP it first")
SETTLE_FIRST = Sentence(
    "settle_first", "the robot is in {mode}; SETTLE it first, so that no button is in use"
)
NO_HANDSET = Sentence("no_handset", "this robot has no handset")

LIMBS_BY_HAND = Sentence(
    "limbs_by_hand", "limbs are released to be moved by hand; end RECORD first"
)
WALKING = Sentence("walking", "the robot walks; HOLD it first")

NO_SWAY = Sentence("no_sway", "this robot does not sway")
SWAY_SEATED = Sentence("sway_seated", "the robot is seated; put it on its feet to sway")
SWAY_FOLLOWS = Sentence("sway_follows", "the body follows a person; end following to sway")
SWAY_LED = Sentence("sway_led", "the body is led by hand; give it back to the show to sway")
SWAY_BEYOND = Sentence("sway_beyond", "{text}")

NO_BODY = Sentence("no_body", "the body of this robot is no limb that can be led")
BODY_SEATED = Sentence("body_seated", "the robot is seated; put it on its feet to lead its body")
BODY_FOLLOWS = Sentence("body_follows", "the body follows a person; end following to lead it")
BODY_LED = Sentence("body_led", "another sender leads the body; give it back to the show first")
GESTURE_BODY_LED = Sentence(
    "gesture_body_led",
    "the body is led by hand, and {gesture:name} needs it; give it back to the show first",
)

NO_RUN = Sentence("no_run", "run refused: {text}", "warning")
NO_JUMP = Sentence("no_jump", "{text}")
JUMP_SEATED = Sentence("jump_seated", "the robot is seated; put it on its feet to jump")
JUMP_BEYOND = Sentence("jump_beyond", "{text}")

# By the limbs.
LIMBS_RELEASED = Sentence(
    "limbs_released",
    "every limb of {gesture:name} is released to be moved by hand; end RECORD first",
)
GEARS_HOLD = Sentence(
    "gears_hold", "the gears of {limb:name} cannot be turned by hand; hold it, or make it limp"
)
NO_LINK = Sentence("no_link", "the robot has no link {link} to be pulled at", "warning")
NO_GRIP = Sentence("no_grip", "{limb:name} has no grip that could carry a load")
LOAD_TOO_LARGE = Sentence(
    "load_too_large", "{limb:name} may carry {limit_kg:g} kg at most while limbs are released"
)
NO_GESTURE = Sentence("no_gesture", "the gesture {gesture} is not loaded; load a show that has it")
NO_PHRASE = Sentence("no_phrase", "the loaded show has no phrase {phrase}")
NO_POSE = Sentence(
    "no_pose", "neither the loaded show nor the robot has a pose {pose:name} of that hand"
)
NO_IDLE = Sentence("no_idle", "this robot has no idle life")
CANNOT_MOVE = Sentence("cannot_move", "{text}")
STOPPED = Sentence("stopped", "a stop or a hold came at the same time; ask again")

# By the player.
HELD = Sentence("held", "a fault held the robot; if it is over, GO again")
CUE_RUNS = Sentence("cue_runs", "cue {cue} is running; cancel it first")
CUE_RUNS_ALREADY = Sentence("cue_runs_already", "cue {cue} is running already")
GO_GUARDED = Sentence(
    "go_guarded", "GO came {since_s:.2f} s after the last one; the guard time is {guard_s:g} s"
)
GO_PAUSED = Sentence("go_paused", "the show is paused; resume or cancel it before GO")
GO_WITHOUT_OPERATOR = Sentence(
    "go_without_operator", "without an operator the show runs to its next safe point; wait for it"
)
NO_CUE = Sentence("no_cue", "the show has no cue {cue}")
NO_CUES = Sentence("no_cues", "the show has no cues")
NO_STANDBY = Sentence(
    "no_standby", "no cue is on standby, and the running cues continue; to start one, go to it"
)
SHOW_PLAYED = Sentence("show_played", "the last cue has been played; reset the show or go to a cue")
PAUSED_ALREADY = Sentence("paused_already", "the show is paused already")
NOT_PAUSED = Sentence("not_paused", "the show is not paused")
NOTHING_RUNS = Sentence("nothing_runs", "no cue is running")
WRONG_STANCE = Sentence("wrong_stance", "cue {cue} starts {entry}, and the robot is {stance}")
CUE_FAILED = Sentence("cue_failed", "cue {cue} failed its preflight: {text}", "warning")

# By the handset.
HOLD_DEAD_MAN = Sentence("hold_dead_man", "hold the dead-man switch, then press")
REST_FIRST = Sentence(
    "rest_first", "release both sticks and the dead-man switch before they take effect"
)
STICK_STUCK = Sentence(
    "stick_stuck",
    "the walk stick did not move for {limit_s:g} s: release it, then walk on",
    "warning",
)
STICK_FIRST = Sentence("stick_first", "release the walk stick before it takes effect")
HOLD_FIRST = Sentence(
    "hold_first", "a fault holds the robot; if it is over, press HOLD, then walk on"
)
NOT_READY_TO_WALK = Sentence("not_ready_to_walk", "the robot is not ready to walk")
NOT_AUTHENTICATED = Sentence(
    "not_authenticated", "this radio cannot authenticate its sender; use the console"
)
NO_CONSOLE = Sentence("no_console", "no console answers; an operator must be at one")
RESET_AT_CONSOLE = Sentence("reset_at_console", "look at the robot, then RESET at the console")
