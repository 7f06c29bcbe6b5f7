"""The person whom the robot follows, as an operator or a cue asks for it."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.live import LivePiece
from core.behave.manager import MotionManager
from core.link.catalogue import partner as words
from core.link.catalogue import refusals as why
from core.link.partner import Follow, FollowStatus, Posture, Reply
from core.link.statement import Severity, Statement
from core.link.topics import POSTURE, REPLY, Topic
from core.partner.presence import Attendance, Presence
from core.plants.interface import Plant, SwayRoom, Wanted
from core.retouch.shift import RetouchedShift
from core.retouch.stream import BodySample
from core.tick.follow_steps import FollowSteps, over_feet
from core.tick.posture_goal import PostureGoal
from devices.interface import Floats
from shows.body_limb import KIND
from shows.limbs import FOLLOWING

PATIENCE_S = 1.5  # from an order to the first posture
LATE_REPLY_S = 0.3  # age from which an answer is out of place


class FollowPerson:
    """Owns the order to follow a person, and what follows of its postures.

    The loss of the input, a mode that lets no limb move, and HOLD end it; an order counts once.

    Args:
        manager: the limbs.
        plant: the body.
        say: takes actor, statement and severity of an event.

    Attributes:
        asked: the order by hand; None without one.
        order: the order in force; None: nobody is followed.
        leads_body: whether it lets a person lead the body.
        number: of the newest order that came into force.
        shift: leads the centre of mass; None: it is not followed.
        make_shift: makes what leads the centre of mass, for the room of the robot as it stands.
        clips: clips with which the robot can answer, by name.
    """

    def __init__(
        self,
        manager: MotionManager,
        plant: Plant,
        say: Callable[[str, Statement, Severity | None], None],
    ) -> None:
        self._manager, self._plant, self._say = manager, plant, say
        self.clips: Mapping[str, Clip] = {}
        self.asked: Follow | None = None
        self.number = 0
        self.make_shift: Callable[[SwayRoom], RetouchedShift] = RetouchedShift
        self.order: Follow | None = None
        self.leads_body = False
        self._shown: Follow | None = None  # order of a cue
        self._over: Follow | None = None  # the one that has ended before its cue
        self._since_s = 0.0
        self._attendance = Attendance()
        self._presence = Presence.AWAY
        self._piece: LivePiece | None = None
        self.shift: RetouchedShift | None = None
        self._steps: FollowSteps | None = None
        self._goal = PostureGoal(manager.joints)
        self._newest: tuple[float, Posture] | None = None
        self._answer = ""

    def start(self, command: Follow) -> Statement | None:
        """Follow a person from now on, or return the reason of the refusal.

        Raises:
            BehaveError: the robot has no limb of that name.
        """
        self._limbs_of(command)
        self.asked = command
        return None

    def end(self) -> None:
        """Follow nobody; without an order nothing happens."""
        self.asked, self._over = None, self._shown

    def follow(self, now_s: float, shown: Follow | None, active: bool) -> None:
        """Follow the order by hand, or else that of a cue.

        Args:
            now_s: time of the tick [s].
            shown: the order of a cue; None without one.
            active: the mode lets the robot move.
        """
        self._shown = shown
        if shown is None:
            self._over = None
        if not active:
            self.end()
        order = self.asked or (None if shown is self._over else shown)
        if order is not self.order:
            self._change(now_s, order)
        if self.order is None:
            return
        before, self._presence = self._presence, self._attendance.at(now_s)
        if self._goal.first is None:
            if now_s - self._since_s > PATIENCE_S:
                self._lose(now_s, words.PARTNER_UNHEARD())
        elif self._presence is Presence.AWAY:
            self._lose(now_s, words.PARTNER_LOST())
        elif self._presence is Presence.HELD and before is Presence.FOLLOWED:
            self._hold(now_s)

    def listen(self, poll: Callable[[Topic[Any]], Any], now_s: float, host_s: float) -> None:
        """Take the postures and the replies that have arrived; call it in every tick.

        Args:
            poll: returns the next message of a topic, or None.
            now_s: time of the tick on the core's clock [s].
            host_s: the same on the host's monotonic clock [s].
        """
        if self.order is None:
            return
        posture = poll(POSTURE)
        if posture is not None:
            self.hear(now_s, now_s - host_s + posture.stamp_s, posture)
        if self.order is not None and self.order.mode == "answer":
            reply = poll(REPLY)
            if reply is not None:
                self._reply(now_s, host_s - reply.stamp_s, reply)

    def hear(self, now_s: float, stamp_s: float, posture: Posture) -> None:
        """Take a posture.

        Args:
            now_s: time of the tick [s].
            stamp_s: when the person was so, on the same clock [s].
            posture: of the person, as the robot shall take it.
        """
        order = self.order
        if order is None or posture.number != self.number:
            return
        newest, stamp_s = self._newest, min(stamp_s, now_s)
        if newest is not None and stamp_s <= newest[0]:
            return
        self._attendance.hear(stamp_s, now_s)
        if self._goal.first is None:
            if self._attendance.start(now_s) is not None:
                return
            self._goal.begin(stamp_s, posture)
            self._newest = (stamp_s, posture)
            self._say("core", words.PARTNER_FOLLOWED(mode=order.mode), None)
            if order.mode == "mirror":
                self._begin(now_s, order, posture)
            return
        self._newest = (stamp_s, posture)
        self._goal.hear(stamp_s, posture)
        if self._piece is not None:
            self._aim(now_s, stamp_s, posture)

    def write(self, now_s: float, wanted: Wanted) -> None:
        """Write the steps that follow the person's, if the order has legs.

        Args:
            now_s: time of the tick [s].
            wanted: request to the plant, overwritten.
        """
        if self._steps is not None and self._presence is not Presence.AWAY:
            self._steps.write(now_s, wanted)

    def status(self, now_s: float) -> FollowStatus:
        """Return how the robot follows a person at a time [s]."""
        stream = None if self.shift is None else self.shift.stream
        return FollowStatus(
            number=self.number,
            order=self.order,
            presence=self._presence.value,
            age_s=None if self._newest is None else now_s - self._newest[0],
            latency_s=0.0 if stream is None else stream.latency_s,
            outside_m=0.0 if stream is None else stream.outside,
            answer=self._answer,
        )

    def _limbs_of(self, order: Follow) -> tuple[str, ...]:
        """Return the limbs that an order lets follow.

        Raises:
            BehaveError: the robot has no limb of that name, or it cannot follow.
        """
        limbs = self._manager.joints.limbs
        if not order.limbs:
            return tuple(limb.name for limb in limbs if limb.kind in FOLLOWING)
        for number in self._manager.joints.numbers(order.limbs):
            if limbs[number].kind not in FOLLOWING:
                raise BehaveError(limbs[number].name, "cannot follow a person; choose arms or head")
        return order.limbs

    def _change(self, now_s: float, order: Follow | None) -> None:
        """End the present order, and begin another."""
        if self._piece is not None:
            self._manager.end_live(now_s)
        if self.order is not None and self._goal.first is not None:
            self._say("core", words.PARTNER_ENDED(), None)
        self.order, self._since_s = order, now_s
        self.leads_body = order is not None and KIND in self._limbs_of(order)
        self._piece = self.shift = self._steps = self._newest = None
        self._goal.forget()
        self._attendance, self._presence = Attendance(), Presence.AWAY
        self._answer = ""
        if order is not None:
            self.number += 1

    def _lose(self, now_s: float, reason: Statement) -> None:
        """End an order whose person is not heard."""
        self._say("core", reason, None)
        self._goal.forget()  # nothing more to say
        self.end()
        self._change(now_s, None)

    def _begin(self, now_s: float, order: Follow, posture: Posture) -> None:
        """Lead the limbs to the person."""
        limbs = self._limbs_of(order)
        room = self._plant.sway_room()
        if room is not None and KIND in limbs and self._plant.stands:
            self.shift = self.make_shift(room)
            if order.legs and posture.steps and room.load_s > 0.0:
                self._steps = FollowSteps(self._plant, self.shift, now_s, posture)
        self._piece = self._manager.live(now_s, limbs, self.shift)
        self._piece.aim(now_s, self._goal.position, self._goal.rate)

    def _aim(self, now_s: float, stamp_s: float, posture: Posture) -> None:
        """Let the piece follow the newest posture."""
        assert self._piece is not None, "it is followed"
        self._piece.aim(stamp_s, self._goal.position, self._goal.rate)
        if self._steps is not None:
            self._steps.hear(now_s, stamp_s, posture)
        if self.shift is not None:
            velocity, acceleration = posture.com_velocity[:2], posture.com_acceleration[:2]
            self._receive(now_s, stamp_s, posture, np.array(velocity), np.array(acceleration))

    def _receive(
        self, now_s: float, stamp_s: float, posture: Posture, velocity: Floats, acceleration: Floats
    ) -> None:
        """Let the body follow: the centre of mass counts from where it first was over the feet."""
        first, shift = self._goal.first, self.shift
        assert first is not None and shift is not None, "a posture has come, and the body follows"
        over = over_feet(posture) - over_feet(first)
        found = BodySample(stamp_s, over, velocity, acceleration, posture.support)
        shift.receive(now_s, found)

    def _hold(self, now_s: float) -> None:
        """Keep the last posture, at rest."""
        if self._piece is None or self._newest is None:
            return
        self._piece.aim(now_s, self._goal.position, np.zeros_like(self._goal.rate))
        if self.shift is not None:
            self._receive(now_s, now_s, self._newest[1], np.zeros(2), np.zeros(2))

    def _reply(self, now_s: float, age_s: float, reply: Reply) -> None:
        """Answer with a clip, if it is in time."""
        if reply.number != self.number or self._goal.first is None or age_s > LATE_REPLY_S:
            return
        clip = self.clips.get(reply.motion)
        if clip is None:
            self._say("core", why.NO_GESTURE(gesture=reply.motion), None)
            return
        try:
            self._manager.play(now_s, clip, vary="size and tempo")
        except BehaveError as error:
            self._say("core", why.CANNOT_MOVE(text=str(error)), None)
            return
        self._answer = reply.motion
        self._say("core", words.PARTNER_ANSWERED(heard=reply.heard, motion=reply.motion), None)
