"""The mode of the whole robot: the transition table and the reasons of refusals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from core.link.catalogue import refusals as why
from core.link.catalogue import safety
from core.link.statement import Statement
from core.link.wording import fault
from core.safety.rules import Action
from devices.interface import Support


class Mode(IntEnum):
    """The robot's mode of operation."""

    OFF = 0
    DAMPED = 1  # readable; the joints only damp
    STANDING_UP = 2
    READY = 3
    PERFORM = 4
    WALK = 5
    RECORD = 6  # a person moves limbs
    SETTLE = 7
    FAULT = 8  # latched
    ESTOP = 9  # latched


class Request(StrEnum):
    """A request of an operator; in one tick they run in this order, and earlier cancel later."""

    STOP = "stop"
    RESET = "reset"
    SHUTDOWN = "shutdown"
    SETTLE = "settle"
    HOLD = "hold"
    STAND_UP = "stand_up"
    END_RECORD = "end_back_drive"
    PERFORM = "go"
    JUMP = "start_jump"
    WALK = "walk"
    RECORD = "back_drive"


PRECEDENCE: Mapping[Request, int] = {request: i for i, request in enumerate(Request)}
MOTION = frozenset(
    {
        Request.STAND_UP,
        Request.END_RECORD,
        Request.PERFORM,
        Request.JUMP,
        Request.WALK,
        Request.RECORD,
    }
)
STEPPING = frozenset({Request.JUMP, Request.WALK})
"""Requests of mode WALK."""
ACKNOWLEDGING = frozenset(Request) - STEPPING - {Request.STOP}
"""Requests that acknowledge a fault: the operator has seen it. Walking does not count, because a
stick that was left deflected streams it, and a jump is refused while a fault holds the robot."""
LATCHED = frozenset({Mode.FAULT, Mode.ESTOP})
TORQUE = frozenset(
    {Mode.STANDING_UP, Mode.READY, Mode.PERFORM, Mode.WALK, Mode.RECORD, Mode.SETTLE}
)
"""Modes in which the joints are driven."""
ACTIVE = frozenset({Mode.PERFORM, Mode.WALK})
LIMP = frozenset({Mode.OFF, Mode.DAMPED})
# An attribute access on an enumeration takes 0.1 µs in Python, and the machine runs in every tick.
CHAIN_FAULT = fault("ESTOP_OPEN", "CUT")
STOP_FAULT = fault("STOP_PRESSED", "DAMP")
_HOLD, _OFF_MODE, _STANDING_UP = Action.HOLD, Mode.OFF, Mode.STANDING_UP
_PERFORM, _WALK, _SETTLE = Mode.PERFORM, Mode.WALK, Mode.SETTLE

_WAIT, _SETTLING = why.STILL_RISING(), why.STILL_SETTLING()
_SHOW = why.SHOW_HAS_BODY()
_DOWN, _OFF = why.NOT_STANDING(), why.NOT_READABLE()
_BY_HAND, _WALKS = why.LIMBS_BY_HAND(), why.WALKING()

TABLE: Mapping[Mode, Mapping[Request, Mode | Statement]] = {
    Mode.OFF: {
        Request.SHUTDOWN: Mode.OFF,
        Request.SETTLE: Mode.OFF,
        Request.HOLD: Mode.OFF,
        Request.STAND_UP: _OFF,
        Request.END_RECORD: Mode.OFF,
        Request.PERFORM: _OFF,
        Request.JUMP: _OFF,
        Request.WALK: _OFF,
        Request.RECORD: _OFF,
    },
    Mode.DAMPED: {
        Request.SHUTDOWN: Mode.OFF,
        Request.SETTLE: Mode.DAMPED,
        Request.HOLD: Mode.DAMPED,
        Request.STAND_UP: Mode.STANDING_UP,
        Request.END_RECORD: Mode.DAMPED,
        Request.PERFORM: _DOWN,
        Request.JUMP: _DOWN,
        Request.WALK: _DOWN,
        Request.RECORD: _DOWN,
    },
    Mode.STANDING_UP: {
        Request.SHUTDOWN: Mode.SETTLE,
        Request.SETTLE: Mode.SETTLE,
        Request.HOLD: Mode.STANDING_UP,
        Request.STAND_UP: Mode.STANDING_UP,
        Request.END_RECORD: Mode.STANDING_UP,
        Request.PERFORM: _WAIT,
        Request.JUMP: _WAIT,
        Request.WALK: _WAIT,
        Request.RECORD: _WAIT,
    },
    Mode.READY: {
        Request.SHUTDOWN: Mode.SETTLE,
        Request.SETTLE: Mode.SETTLE,
        Request.HOLD: Mode.READY,
        Request.STAND_UP: Mode.READY,
        Request.END_RECORD: Mode.READY,
        Request.PERFORM: Mode.PERFORM,
        Request.JUMP: Mode.WALK,
        Request.WALK: Mode.WALK,
        Request.RECORD: Mode.RECORD,
    },
    Mode.PERFORM: {
        Request.SHUTDOWN: Mode.SETTLE,
        Request.SETTLE: Mode.SETTLE,
        Request.HOLD: Mode.READY,
        Request.STAND_UP: Mode.PERFORM,
        Request.END_RECORD: Mode.PERFORM,
        Request.PERFORM: Mode.PERFORM,
        Request.JUMP: _SHOW,
        Request.WALK: _SHOW,
        Request.RECORD: _SHOW,
    },
    Mode.WALK: {
        Request.SHUTDOWN: Mode.SETTLE,
        Request.SETTLE: Mode.SETTLE,
        Request.HOLD: Mode.READY,
        Request.STAND_UP: Mode.WALK,
        Request.END_RECORD: Mode.WALK,
        Request.PERFORM: Mode.PERFORM,
        Request.JUMP: Mode.WALK,
        Request.WALK: Mode.WALK,
        Request.RECORD: _WALKS,
    },
    Mode.RECORD: {
        Request.SHUTDOWN: Mode.SETTLE,
        Request.SETTLE: Mode.SETTLE,
        Request.HOLD: Mode.RECORD,
        Request.STAND_UP: Mode.RECORD,
        Request.END_RECORD: Mode.READY,
        Request.PERFORM: _BY_HAND,
        Request.JUMP: _BY_HAND,
        Request.WALK: _BY_HAND,
        Request.RECORD: Mode.RECORD,
    },
    Mode.SETTLE: {
        Request.SHUTDOWN: Mode.SETTLE,
        Request.SETTLE: Mode.SETTLE,
        Request.HOLD: _SETTLING,
        Request.STAND_UP: _SETTLING,
        Request.END_RECORD: Mode.SETTLE,
        Request.PERFORM: _SETTLING,
        Request.JUMP: _SETTLING,
        Request.WALK: _SETTLING,
        Request.RECORD: _SETTLING,
    },
}
"""Target mode of each request in each mode that is not latched, or the reason of its refusal.
STOP leads to FAULT from every mode; RESET has an effect in latched modes only."""


@dataclass(frozen=True, slots=True)
class ModeSettings:
    """Times of the mode machine [s].

    Attributes:
        rise_s: longest time of standing up; then the robot settles.
        settle_s: longest time of settling; then the joints damp.
        start_s: time within which a show must begin to play; then PERFORM ends.
        walk_silence_s: time without steps and requests to walk or jump after which WALK ends.
        safe_point_s: time after which a held show ends without a safe point.
        still_s: time without motion before a reset is granted.
    """

    rise_s: float = 15.0
    settle_s: float = 10.0
    start_s: float = 1.0
    walk_silence_s: float = 1.0
    safe_point_s: float = 15.0
    still_s: float = 1.0


@dataclass(slots=True)
class ModeFacts:
    """Facts of a tick for the mode machine. The loop owns and overwrites them.

    Attributes:
        support: support of the robot besides its feet.
        walks: the robot can walk.
        readable: the body has delivered a reading.
        estop_closed: the hardware chain is closed.
        powered: the motors have their supply.
        still: no joint moves at this moment.
        inputs_neutral: sticks and buttons of every input are neutral.
        lies: the robot lies on the floor, or is tilted as far.
        risen: standing up is complete (seated: the upper body has reached its posture).
        settled: settling is complete.
        performing: a show plays.
        stepping: the feet step.
        stuck: faults that a reset would not clear.
    """

    support: Support = Support.FLOOR
    walks: bool = True
    readable: bool = False
    estop_closed: bool = True
    powered: bool = True
    still: bool = False
    inputs_neutral: bool = True
    lies: bool = False
    risen: bool = False
    settled: bool = False
    performing: bool = False
    stepping: bool = False
    stuck: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused request and the reason.

    Attributes:
        request: the refused request.
        reason: the reason of the refusal.
    """

    request: Request
    reason: Statement


@dataclass(frozen=True, slots=True)
class ResetCondition:
    """One condition of a reset.

    Attributes:
        condition: the condition.
        holds: the condition is met.
        refusal: the reason of the refusal if it is not met.
    """

    condition: Statement
    holds: bool
    refusal: Statement


class ModeMachine:
    """Owns the mode. It handles faults before requests, and stops before motion.

    Attributes:
        mode: the mode.
        cause: reason of a mode that was not requested; None for a requested one.
        since_s: time at which the mode was entered [s].
        refusals: refused requests of the last update.
        reset_granted: the last update granted a reset; the caller then resets failsafe and latch
            and restores the supply of the motors.
    """

    def __init__(self, settings: ModeSettings | None = None) -> None:
        self._settings = settings or ModeSettings()
        self.mode = Mode.OFF
        self.cause: Statement | None = None
        self.since_s = 0.0
        self.refusals: tuple[Refusal, ...] = ()
        self.reset_granted = False
        self._still_since_s: float | None = None
        self._held_since_s: float | None = None
        self._has_performed = False
        self._walk_asked_s = 0.0
        self._leaving = False

    @property
    def leaving(self) -> bool:
        """A shutdown was requested: the machine ends in OFF."""
        return self._leaving

    def needs_reset(self, facts: ModeFacts) -> bool:
        """Return whether motion needs a reset first: in a latched mode or without motor supply."""
        return self.mode in LATCHED or (self.mode is Mode.DAMPED and not facts.powered)

    def reset_conditions(self, now_s: float, facts: ModeFacts) -> tuple[ResetCondition, ...]:
        """Return the conditions of a reset at a time, in the order in which refusals name them.

        Args:
            now_s: present time [s].
            facts: facts of the last update.
        """
        still_s, since_s = self._settings.still_s, self._still_since_s
        still = since_s is not None and now_s - since_s >= still_s
        if facts.stuck:
            stuck = facts.stuck[0]
            over = ResetCondition(
                safety.THIS_FAULT_OVER(fault=stuck), False, why.FAULT_STAYS(fault=stuck)
            )
        else:
            over = ResetCondition(safety.FAULTS_OVER(), True, why.FAULT_HOLDS())
        upright = ResetCondition(safety.ROBOT_UPRIGHT(), not facts.lies, why.LIES())
        return (
            ResetCondition(safety.CHAIN_CLOSED(), facts.estop_closed, why.CHAIN_OPEN()),
            ResetCondition(
                safety.ROBOT_STILL(still_s=still_s), still, why.NOT_STILL(still_s=still_s)
            ),
            *((upright,) if facts.walks else ()),
            ResetCondition(safety.INPUTS_NEUTRAL(), facts.inputs_neutral, why.NOT_NEUTRAL()),
            over,
        )

    def update(
        self,
        now_s: float,
        requests: Sequence[Request],
        facts: ModeFacts,
        action: Action,
        cause: Statement | None = None,
    ) -> Mode:
        """Return the mode at a time.

        Args:
            now_s: present time [s].
            requests: requests since the last update.
            facts: facts of the tick.
            action: action of the failsafe.
            cause: fault behind the action.
        """
        self.reset_granted = False
        self.refusals = ()
        if not facts.still:
            self._still_since_s = None
        elif self._still_since_s is None:
            self._still_since_s = now_s
        self._hear_faults(now_s, facts, action, cause)
        if self.mode not in LATCHED:
            self._progress(now_s, facts)
        if requests:
            self._hear(now_s, requests, facts, action, cause)
        return self.mode

    def _enter(self, now_s: float, mode: Mode, cause: Statement | None = None) -> None:
        if mode is not self.mode:
            self.mode = mode
            self.since_s = now_s
            self.cause = cause
            self._has_performed = False

    def _hear_faults(
        self, now_s: float, facts: ModeFacts, action: Action, cause: Statement | None
    ) -> None:
        mode, calm = self.mode, action < _HOLD
        if calm:
            self._held_since_s = None
        elif self._held_since_s is None:
            self._held_since_s = now_s
        if not facts.estop_closed:
            self._enter(now_s, Mode.ESTOP, CHAIN_FAULT)
        elif calm or mode in LATCHED or mode is Mode.OFF:
            return
        elif action >= Action.DAMP:
            self._enter(now_s, Mode.FAULT, cause)
        elif action is Action.SETTLE:
            if mode in TORQUE:
                self._enter(now_s, Mode.SETTLE, cause)
        elif mode in ACTIVE and not (facts.performing and self._may_play_on(now_s)):
            self._enter(now_s, Mode.READY, cause)

    def _may_play_on(self, now_s: float) -> bool:
        """Return whether a held show may play on to its next safe point."""
        since_s = self._held_since_s
        patience_s = self._settings.safe_point_s
        return self.mode is Mode.PERFORM and since_s is not None and now_s - since_s <= patience_s

    def _progress(self, now_s: float, facts: ModeFacts) -> None:
        """Leave a mode that is complete or has timed out."""
        mode, settings = self.mode, self._settings
        elapsed_s = now_s - self.since_s
        if mode is _OFF_MODE:
            if facts.readable and not self._leaving:
                self._enter(now_s, Mode.DAMPED)
        elif mode is _STANDING_UP:
            if facts.risen:
                self._enter(now_s, Mode.READY)
            elif elapsed_s > settings.rise_s:
                cause = safety.RISE_TOO_LONG(limit_s=settings.rise_s)
                self._enter(now_s, Mode.SETTLE, cause)
        elif mode is _SETTLE:
            if facts.settled or elapsed_s > settings.settle_s:
                self._enter(now_s, Mode.DAMPED, self.cause)
        elif mode is _PERFORM:
            if facts.performing:
                self._has_performed = True
            elif self._has_performed or elapsed_s > settings.start_s:
                self._enter(now_s, Mode.READY)
        elif mode is _WALK:
            if facts.stepping:
                self._walk_asked_s = now_s
            elif now_s - self._walk_asked_s > settings.walk_silence_s:
                self._enter(now_s, Mode.READY)
        if self._leaving and self.mode is Mode.DAMPED:
            self._enter(now_s, Mode.OFF)

    def _hear(
        self,
        now_s: float,
        requests: Sequence[Request],
        facts: ModeFacts,
        action: Action,
        cause: Statement | None,
    ) -> None:
        refusals: list[Refusal] = []
        silenced_by: Request | None = None
        for request in sorted(set(requests), key=PRECEDENCE.__getitem__):
            if request is Request.STOP:
                latched = self.mode in LATCHED
                self._enter(now_s, self.mode if latched else Mode.FAULT, STOP_FAULT)
                silenced_by = request
                continue
            if silenced_by is not None:
                reason: Statement | None = why.SILENCED(command=silenced_by.value)
            elif request is Request.RESET:
                reason = self._reset(now_s, facts)
                silenced_by = request
            else:
                reason = self._follow(now_s, request, facts, action, cause)
                if request not in MOTION:
                    silenced_by = request
            if reason is not None:
                refusals.append(Refusal(request, reason))
        self.refusals = tuple(refusals)

    def _follow(
        self,
        now_s: float,
        request: Request,
        facts: ModeFacts,
        action: Action,
        cause: Statement | None,
    ) -> Statement | None:
        """Carry out a request, or return the reason of its refusal."""
        if request is Request.SHUTDOWN:
            self._leaving = True
        if self.mode in LATCHED:
            if request is Request.SHUTDOWN:
                self._enter(now_s, Mode.OFF)
                return None
            if self.cause is None:
                return why.STOP_LATCHED()
            return why.LATCHED_BY(cause=self.cause)
        target = TABLE[self.mode][request]
        if isinstance(target, Statement):
            return target
        if request in MOTION:
            if self._leaving:
                return why.LEAVING()
            if action >= Action.HOLD:
                return cause or why.FAULT_HOLDS()
            if request in STEPPING and not facts.walks:
                return why.NO_LEGS()
            if request in STEPPING and facts.support is Support.SEATED:
                return why.SEATED()
            if target is Mode.STANDING_UP and self.mode is Mode.DAMPED:
                if not facts.powered:
                    return why.UNPOWERED()
                if facts.lies:
                    return why.LIES()
                if not facts.inputs_neutral:
                    return why.NOT_NEUTRAL()
            if request in STEPPING:
                self._walk_asked_s = now_s
        self._enter(now_s, target)
        return None

    def _reset(self, now_s: float, facts: ModeFacts) -> Statement | None:
        """Release a latched mode into DAMPED, or return the reason of the refusal."""
        if not self.needs_reset(facts):
            return why.NOTHING_LATCHED()
        for condition in self.reset_conditions(now_s, facts):
            if not condition.holds:
                return condition.refusal
        self.reset_granted = True
        self._enter(now_s, Mode.DAMPED)
        return None
