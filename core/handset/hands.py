"""From a handset's sticks and buttons to commands: a pure state machine.

Every input that starts or steers motion needs the dead-man switch, and sticks that have been
neutral since the link came up; an input that leads to less motion needs neither. Silence
releases everything. Controls that are held when the link comes back have no effect until they
are released. STOP is the exception: held when the link comes back, it stops.

The radio alone cannot send two commands: STAND UP, which powers the joints, and RESET, which
clears a latched fault, need a handset that authenticates its frames, a long press, and a console
that answers, where an operator sees the robot: an ExpressLRS link can be taken over with equipment
that anyone can buy. No handset resets a latched E-stop chain, because the operator who releases
an E-stop must know why it was pressed.
"""

import math
from collections.abc import Sequence
from typing import Protocol

from core.link.catalogue import refusals as why
from core.link.commands import (
    Cancel,
    Command,
    EndTake,
    Freeze,
    Gesture,
    Go,
    Head,
    Hold,
    MarkTake,
    ReleaseHead,
    Reset,
    Settle,
    StandUp,
    StartJump,
    Stop,
    ToggleTake,
    Unfreeze,
    Walk,
)
from core.link.handset import BUTTONS, STOP, HandsetMap
from core.link.improvise import command_of
from core.link.improvised import Say, SetIdle
from core.link.place import HoldPoint, ShiftPoint
from core.link.statement import Statement
from core.link.stick import HeadRange, head_direction, shape_axis, shape_stick, walk_velocity
from core.safety.modes import Mode
from core.tick.orders import name_of
from core.tick.standing import STANDING
from devices.interface import HandsetSample
from shows.document import WalkBounds

LONG_S = 1.0  # length of a long press
REST_S = 0.2  # time for which sticks and dead-man switch must be released
WALK_EVERY_S = 0.05
HEAD_EVERY_S = 0.04
STUCK_S = 30.0  # a deflected walk stick that does not move for this long has no effect
STUCK_WAY = 0.01  # smallest motion of a stick in a hand
TELL_S = 3.0  # time for which the note shows a refusal

_LONG = frozenset({"stand_up", "reset"})
_WALKING = frozenset({Mode.READY, Mode.WALK})
_NOTHING: tuple[Command, ...] = ()


class Situation(Protocol):
    """The state of the robot for the handset."""

    @property
    def mode(self) -> Mode:
        """Mode of the robot."""

    @property
    def held(self) -> bool:
        """The failsafe holds the robot, or its action is more severe."""

    @property
    def frozen(self) -> bool:
        """A limb is frozen in mid-motion."""

    @property
    def console(self) -> bool:
        """An operator's console answers."""

    @property
    def records(self) -> bool:
        """A take is prepared, counted in or recorded."""

    @property
    def take_moves(self) -> bool:
        """The take that is armed moves or releases limbs when it begins."""

    @property
    def holds_point(self) -> bool:
        """The robot looks at a point by hand."""

    @property
    def idles(self) -> bool:
        """Idle life is on."""


class Hands:
    """Owns the state of the handset's controls and computes their commands.

    Args:
        layout: layout of the controls.
        bounds: largest velocities that the handset may command.
        runs: the same of a run.
        reach: range of the gaze; None without a head.
        authenticated: the handset's frames authenticate their sender.
        lost_s: longest silence [s].

    Attributes:
        linked: its frames arrive.
        ready: sticks and dead-man switch have been released since the link came up.
        walks: a velocity is commanded.
        neutral: no stick and no button is held, except buttons that need a long press.
        events: statements for the event log; the reader clears them.
    """

    def __init__(
        self,
        layout: HandsetMap,
        bounds: WalkBounds,
        runs: WalkBounds,
        reach: HeadRange | None,
        authenticated: bool,
        lost_s: float,
    ) -> None:
        self.linked = self.ready = self.walks = False
        self.neutral = True
        self.events: list[Statement] = []
        self._bounds, self._runs, self._reach = bounds, runs, reach
        self._authenticated, self._lost_s = authenticated, lost_s
        self._now_s = self._age_s = -math.inf
        self._commands: list[Command] = []
        self._refusal: Statement | None = None
        self._refused_s = -math.inf
        self._looks = self._shifts = self._dead_man = False
        self._forget()
        self.change(layout)

    def change(self, layout: HandsetMap) -> None:
        """Change the layout; held controls must be released before they have an effect."""
        self.layout = layout
        uses = layout.buttons
        self._improvised = tuple(map(command_of, uses))
        self._stops = _mask(uses, STOP)
        self._sideways, self._run = _mask(uses, "sideways"), _mask(uses, "run")
        self._long = sum(_mask(uses, use) for use in _LONG)
        self.ready = False
        self.linked = False

    def note(self, mode: Mode) -> Statement | None:
        """Return the reason why the handset has no effect in this mode; None if it has."""
        if self._now_s - self._refused_s <= TELL_S:
            return self._refusal
        if not self.linked:
            return None
        if not self.ready:
            return why.REST_FIRST()
        if self._stuck:
            return why.STICK_STUCK(limit_s=STUCK_S)
        if self._walk_waits and self._dead_man:
            if mode is Mode.PERFORM:
                return why.SHOW_HAS_BODY()
            if mode not in _WALKING:
                return why.NOT_READY_TO_WALK()
            return why.HOLD_FIRST() if self._robot_held else why.STICK_FIRST()
        return None

    def update(
        self, now_s: float, sample: HandsetSample, situation: Situation
    ) -> Sequence[Command]:
        """Return the commands at a time; the next update overwrites them.

        Args:
            now_s: present time [s].
            sample: newest state of the handset.
            situation: state of the robot.
        """
        elapsed_s, self._now_s = now_s - self._now_s, now_s
        age_s = sample.age_s
        fresh = 0.0 <= age_s <= self._lost_s and 0.0 <= elapsed_s <= self._lost_s
        if not fresh:
            self._age_s = math.inf
            return self._part()
        commands = self._commands
        commands.clear()
        new = age_s <= self._age_s or not self.linked
        self._age_s = age_s
        if new and not self._take(sample, situation):
            return self._part()
        self._dead_man = self._dead_man and sample.dead_man  # a release counts without a new frame
        if self._pressed_s:
            self._hold_on(situation)
        if new and not self.ready:
            self._come_to_rest()
        if self.walks or self._request is not None:
            self._walk(situation)
        if self._looks or self._look is not None:
            self._turn_head(situation)
        return commands

    def _part(self) -> Sequence[Command]:
        """Release everything: the link is lost, or a frame had a value that is not finite."""
        if not (self.linked or self.walks or self._looks):
            return _NOTHING
        commands = self._commands
        commands.clear()
        self._stand()
        self._give_head_back()
        self._forget()
        return commands

    def _forget(self) -> None:
        self.linked = self.ready = False
        self.neutral = True
        self._bits = 0
        self._dead_man = False
        self._request: Walk | None = None
        self._look: Head | None = None
        self._shift = ShiftPoint()
        self._walk_waits = self._head_waits = self._stuck = self._robot_held = False
        self._walked_s = self._looked_s = -math.inf
        self._at_rest_s = math.inf
        self._still_s = math.inf
        self._still_at: tuple[float, float] = (0.0, 0.0)
        self._pressed_s: dict[int, float] = {}

    def _take(self, sample: HandsetSample, situation: Situation) -> bool:
        """Take a new frame; return whether it is valid."""
        sticks = sample.sticks.tolist()
        if not all(map(math.isfinite, sticks)):
            return False
        bits = 0
        for index, pressed in enumerate(sample.buttons.tolist()):
            bits |= pressed << index
        if not self.linked:
            self._forget()
            self.linked = True
            self._bits = bits & ~self._stops  # of the held buttons only STOP counts
        pressed, self._bits = bits & ~self._bits, bits
        let_go = self._dead_man and not sample.dead_man
        self._dead_man = sample.dead_man
        self._steer(sticks)
        if self._pressed_s:
            self._pressed_s = {
                button: since_s
                for button, since_s in self._pressed_s.items()
                if bits >> button & 1 and not (let_go and self._moves(button))
            }
        if pressed & self._stops:
            self._disarm()
            self._commands.append(Stop())
        elif pressed:
            for button in range(BUTTONS):
                if pressed >> button & 1:
                    self._press(button, situation)
        at_rest = self._request is None and self._look is None
        self.neutral = at_rest and not bits & ~self._long
        return True

    def _moves(self, button: int) -> bool:
        return self.layout.buttons[button] == "stand_up"

    def _steer(self, sticks: Sequence[float]) -> None:
        """Compute the request of the sticks."""
        layout = self.layout
        self._request = self._look = None
        if layout.walk_stick != "none":
            x, y = _stick(sticks, layout.walk_stick)
            forward = shape_axis(y, layout.dead_zone, layout.expo)
            left = shape_axis(-x, layout.dead_zone, layout.expo)
            if forward or left:
                turn, side = (0.0, left) if self._bits & self._sideways else (left, 0.0)
                runs = bool(self._bits & self._run)
                self._request = walk_velocity(
                    forward,
                    side,
                    turn,
                    self._runs if runs else self._bounds,
                    layout.speed_share,
                    "run" if runs else "walk",
                )
                if max(abs(x - self._still_at[0]), abs(y - self._still_at[1])) > STUCK_WAY:
                    self._still_at, self._still_s = (x, y), self._now_s
            else:
                self._walk_waits = self._stuck = False
                self._still_at, self._still_s = (0.0, 0.0), math.inf
        if layout.head_stick != "none" and self._reach is not None:
            x, y = _stick(sticks, layout.head_stick)
            right, forward = shape_stick(x, y, layout.dead_zone, layout.expo)
            if right or forward:
                down = -forward if layout.forward_looks_up else forward
                self._look = Head(*head_direction(right, down, self._reach))
                self._shift = ShiftPoint(-right, -down)
            else:
                self._head_waits = False

    def _press(self, button: int, situation: Situation) -> None:
        """Carry out the function of a button that was pressed."""
        use, commands = self.layout.buttons[button], self._commands
        if use in _LONG:
            self._pressed_s[button] = self._now_s
        elif use == "hold":
            self._disarm()
            commands.append(Hold())
        elif use == "settle":
            self._disarm()
            commands.append(Settle())
        elif use == "cancel":
            commands.append(Cancel())
        elif use == "freeze" and not situation.frozen:
            commands.append(Freeze())
        elif use == "freeze" and self._may("unfreeze"):
            commands.append(Unfreeze())
        elif use == "go" and self._may("go"):
            commands.append(Go())
        elif use == "jump" and self._may("start_jump"):
            self._stand()
            self._walk_waits = self._request is not None  # it jumps where it stands
            commands.append(StartJump())
        elif use == "point" and situation.holds_point:
            self._let_head_be()
            commands.append(ReleaseHead())
        elif use == "point":
            if self._may("hold_point"):
                self._let_head_be()
                commands.append(HoldPoint())
        elif use == "mark":
            commands.append(MarkTake())
        elif use == "take" and situation.records:
            commands.append(EndTake())
        elif use == "take" and (not situation.take_moves or self._may("toggle_take")):
            commands.append(ToggleTake())
        else:
            self._improvise(self._improvised[button], situation)

    def _improvise(self, command: Command | None, situation: Situation) -> None:
        """Request a phrase, which moves nothing, or a motion of limbs with the dead-man held."""
        if isinstance(command, SetIdle):
            command = SetIdle(not situation.idles if command.on is None else command.on)
        still = isinstance(command, Say) or (isinstance(command, SetIdle) and not command.on)
        name = command.name if isinstance(command, Gesture) else ""
        if command is not None and (still or self._may(name_of(command), name)):
            self._commands.append(command)

    def _may(self, command: str, gesture: str = "") -> bool:
        """Return whether the handset may request motion; otherwise report the refusal."""
        if self.ready and self._dead_man:
            return True
        self._refuse(command, why.HOLD_DEAD_MAN() if self.ready else why.REST_FIRST(), gesture)
        return False

    def _refuse(self, command: str, reason: Statement, gesture: str = "") -> None:
        said = why.REFUSED(command=command, reason=reason)
        if gesture:
            said = why.GESTURE_REFUSED(gesture=gesture, reason=reason)
        self._refusal, self._refused_s = said, self._now_s
        self.events.append(said)

    def _hold_on(self, situation: Situation) -> None:
        """Carry out the function of a long press, once."""
        for button, since_s in tuple(self._pressed_s.items()):
            if self._now_s - since_s < LONG_S:
                continue
            del self._pressed_s[button]
            use = self.layout.buttons[button]
            if not self._authenticated:
                self._refuse(use, why.NOT_AUTHENTICATED())
            elif not situation.console:
                self._refuse(use, why.NO_CONSOLE())
            elif use == "reset" and situation.mode is Mode.ESTOP:
                self._refuse(use, why.RESET_AT_CONSOLE())
            elif use == "reset":
                self._commands.append(Reset())
            elif self._may(use):
                self._commands.append(StandUp())

    def _come_to_rest(self) -> None:
        """Become ready after sticks and dead-man switch have been released for a moment."""
        if self._dead_man or self._request is not None or self._look is not None:
            self._at_rest_s = math.inf
        elif self._at_rest_s == math.inf:
            self._at_rest_s = self._now_s
        elif self._now_s - self._at_rest_s >= REST_S:
            self.ready = True

    def _disarm(self) -> None:
        """End all motion; the controls must be released before they move anything again.

        Zero velocity precedes the next command: after a HOLD it would let others walk on.
        """
        self._stand()
        self.ready = False
        self._at_rest_s = math.inf
        self._pressed_s.clear()

    def _walk(self, situation: Situation) -> None:
        """Repeat the requested velocity, or end it once."""
        now_s, request = self._now_s, self._request
        self._robot_held = situation.held
        may = self.ready and self._dead_man and not situation.held and situation.mode in _WALKING
        if request is not None and now_s - self._still_s >= STUCK_S and not self._stuck:
            self._stuck = True
            if self.walks:
                self.events.append(why.STICK_STUCK(limit_s=STUCK_S))
        if request is None or not may or self._stuck:
            self._walk_waits = request is not None  # the stick must return to neutral first
        if request is None or self._walk_waits:
            self._stand()
        elif not self.walks or now_s - self._walked_s >= WALK_EVERY_S:
            self.walks, self._walked_s = True, now_s
            self._commands.append(request)

    def _stand(self) -> None:
        if self.walks:
            self.walks = False
            self._commands.append(Walk())

    def _turn_head(self, situation: Situation) -> None:
        """Repeat the requested direction, or release the head once; a point is shifted instead."""
        look = self._look
        may = self.ready and self._dead_man and not situation.held and situation.mode in STANDING
        if look is not None and not may:
            self._head_waits = True
        if look is None or self._head_waits:
            self._give_head_back()
        elif not self._looks or self._now_s - self._looked_s >= HEAD_EVERY_S:
            if not self._looks:
                self._shifts = situation.holds_point
            self._looks, self._looked_s = True, self._now_s
            self._commands.append(self._shift if self._shifts else look)

    def _give_head_back(self) -> None:
        if self._looks:
            self._looks = False
            self._commands.append(ShiftPoint() if self._shifts else ReleaseHead())

    def _let_head_be(self) -> None:
        """End the hold of the head; the stick must return to neutral first."""
        self._looks, self._head_waits = False, self._look is not None


def _mask(uses: Sequence[str], wanted: str) -> int:
    """Return the bits of the buttons with a function."""
    return sum(1 << button for button, use in enumerate(uses) if use == wanted)


def _stick(sticks: Sequence[float], name: str) -> tuple[float, float]:
    """Return a stick's deflection to the right and forward."""
    return (sticks[0], sticks[1]) if name == "left" else (sticks[2], sticks[3])
