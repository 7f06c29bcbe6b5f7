"""The operator with the handset, beside the operators at consoles."""

import math

from msgspec.structs import replace

from core.behave.reference import MotionState
from core.handset.hands import Hands
from core.handset.kept import kept_path, read_kept
from core.link.catalogue.refusals import SETTLE_FIRST
from core.link.catalogue.safety import DEVICE_TEXT
from core.link.catalogue.show import LAYOUT_UNUSABLE
from core.link.commands import Command, Walk
from core.link.handset import HandsetMap, HandsetStatus
from core.link.statement import Statement
from core.link.stick import HeadRange, run_bounds
from core.link.wording import sentence, text
from core.robot.profile import Handset as HandsetSettings
from core.safety.modes import LATCHED, TORQUE, Mode
from core.safety.rules import Action
from core.tick.performer import Performer
from devices.interface import Handset, HandsetSample, HandsetScreen, Sample, Trouble
from shows.document import WalkBounds
from shows.gaits import RunRange
from shows.joints import JointTable

HANDSET = "handset"  # its name as a sender
SHOW_EVERY_S = 0.2
CHANGEABLE = frozenset({Mode.OFF, Mode.DAMPED})
SEVERITY = {Action.NONE: 0, Action.WARN: 1, Action.HOLD: 2}


class _Robot:
    """The state of the robot for the handset, read only on demand."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer

    @property
    def mode(self) -> Mode:
        return self._performer.mode

    @property
    def held(self) -> bool:
        return self._performer.action >= Action.HOLD

    @property
    def frozen(self) -> bool:
        return MotionState.STOP in self._performer.upper.states.tolist()

    @property
    def console(self) -> bool:
        age_s = self._performer.facts.operator_age_s
        return age_s is not None and age_s <= self._performer.health.settings.link_silent_s

    @property
    def records(self) -> bool:
        return self._performer.takes.runs

    @property
    def take_moves(self) -> bool:
        armed = self._performer.takes.armed
        return armed is not None and armed.moves

    @property
    def holds_point(self) -> bool:
        return self._performer.hand.gaze.asked is not None

    @property
    def idles(self) -> bool:
        return bool(self._performer.manager.idles)


class HandsetOperator:
    """Reads the handset once a tick, computes its commands, and reports to its screen and the core.

    Its silence counts after its first frame, and only while it matters: a handset that is
    switched off while the robot is limp is no fault; one that is lost before is a fault.

    Args:
        handset: see devices.interface.Handset.
        performer: receives the facts and events of the handset.
        layout: the operator's layout; None for the profile's.
    """

    def __init__(
        self, handset: Handset, performer: Performer, layout: HandsetMap | None = None
    ) -> None:
        own = performer.profile.handset
        assert own is not None, "a handset is fitted only to a robot whose profile has one"
        self._own = own
        self._handset, self._performer = handset, performer
        self._robot = _Robot(performer)
        self._lost_s = performer.health.settings.link_silent_s
        self._hands = Hands(
            layout or own.map,
            speeds(own),
            run_speeds(own, performer.joints.gaits.run),
            head_reach(performer.joints),
            handset.authenticated,
            self._lost_s,
        )
        self._said = HandsetSample.silent()
        self._needed = self._missed = False
        self._show_s = -math.inf
        self._troubles: tuple[Trouble, ...] = ()

    def gather(
        self, now_s: float, sample: Sample, others: list[tuple[str, Command]]
    ) -> list[tuple[str, Command]]:
        """Return the commands of all operators in this tick; a handset that walks walks alone.

        Args:
            now_s: present time [s].
            sample: newest reading of the body.
            others: sender and command of all other operators.
        """
        performer, hands = self._performer, self._hands
        said = self._said = self._handset.read(now_s)
        performer.facts.handset_age_s = said.age_s if self._matters(said.age_s) else None
        asked = hands.update(now_s, said, self._robot)
        performer.mode_facts.inputs_neutral = hands.neutral
        if not 0.0 <= now_s - self._show_s < SHOW_EVERY_S:
            self._show_s = now_s
            self._tell(now_s, sample)
        if hands.events:
            for said_by_hands in hands.events:
                performer.say(HANDSET, said_by_hands)
            hands.events.clear()
        if hands.walks and others:
            others = [pair for pair in others if not isinstance(pair[1], Walk)]
        if asked:
            return [*others, *((HANDSET, command) for command in asked)]
        return others

    def change(self, layout: HandsetMap | None) -> Statement | None:
        """Change the layout (None: the profile's); return the reason of a refusal, or None."""
        mode = self._performer.mode
        if mode not in CHANGEABLE:
            return SETTLE_FIRST(mode=mode.name)
        self._hands.change(layout or self._own.map)
        return None

    def status(self) -> HandsetStatus:
        """Return the state of the handset."""
        said, hands = self._said, self._hands
        age_s, battery_v = said.age_s, said.battery_v
        return HandsetStatus(
            heard=hands.linked,
            needed=self._needed,
            ready=hands.ready,
            age_s=age_s if math.isfinite(age_s) else None,
            dead_man=said.dead_man,
            buttons=tuple(said.buttons.tolist()),
            sticks=tuple(said.sticks.tolist()),
            battery_v=battery_v if math.isfinite(battery_v) else None,
            quality=said.quality,
            authenticated=self._handset.authenticated,
            note=hands.note(self._performer.mode),
            troubles=tuple(trouble.text for trouble in self._troubles),
            map=hands.layout,
        )

    def _matters(self, age_s: float) -> bool:
        """Return whether the handset's silence matters to the robot."""
        mode = self._performer.mode
        if 0.0 <= age_s <= self._lost_s:
            self._needed, self._missed = True, False
        elif mode in TORQUE:
            self._missed = self._needed
        elif mode in LATCHED or not self._missed:
            self._needed = self._missed = False
        return self._needed

    def _tell(self, now_s: float, sample: Sample) -> None:
        """Update the handset's screen and report new troubles."""
        performer = self._performer
        mode, rules = performer.mode, performer.book.rules
        note, severity = self._hands.note(mode), 1
        alarm = "" if note is None else text(note)
        if rules:
            alarm, severity = sentence(rules[0].fault), SEVERITY.get(performer.action, 3)
        self._handset.show(
            HandsetScreen(
                self._performer.takes.screen(now_s) or mode.name.replace("_", " "),
                sample.battery_charge,
                sample.battery_v,
                alarm,
                severity if alarm else 0,
            )
        )
        troubles = self._handset.troubles()
        for trouble in troubles:
            if trouble.device not in {known.device for known in self._troubles}:
                performer.say(HANDSET, _statement(trouble), "warning")
        self._troubles = troubles
        performer.facts.handset_trouble = _statement(troubles[0]) if troubles else None


def fit(handset: Handset, performer: Performer) -> HandsetOperator:
    """Return the operator of a handset with the saved layout; report an invalid one.

    Args:
        handset: driver of the handset.
        performer: performer of the core.
    """
    layout, problem = read_kept(kept_path(performer.profile.name))
    if problem:
        performer.say("core", LAYOUT_UNUSABLE(text=problem))
    return HandsetOperator(handset, performer, layout)


def _statement(trouble: Trouble) -> Statement:
    return DEVICE_TEXT(device=trouble.device, text=trouble.text)


def speeds(own: HandsetSettings) -> WalkBounds:
    """Return the largest velocities that the handset may command."""
    return WalkBounds(
        forward=own.forward, backward=own.backward, sideways=own.sideways, turning=own.turning
    )


def run_speeds(own: HandsetSettings, run: RunRange | None) -> WalkBounds:
    """Return the largest velocities of a run: ahead the robot's, else at most those of walking."""
    walks = speeds(own)
    return walks if run is None else run_bounds(replace(walks, forward=run.forward), run)


def head_reach(joints: JointTable) -> HeadRange | None:
    """Return the range of the robot's gaze; None if it has no joints for it."""
    if joints.gaze is None:
        return None
    yaw, pitch = joints.index[joints.gaze.yaw], joints.index[joints.gaze.pitch]
    lower, upper = joints.lower.tolist(), joints.upper.tolist()
    return HeadRange(lower[yaw], upper[yaw], lower[pitch], upper[pitch])
