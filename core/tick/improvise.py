"""What operators improvise besides gestures: phrases, poses of hands, idle life."""

from collections.abc import Collection, Mapping

from core.behave.clip import Clip
from core.behave.manager import MotionManager
from core.link.catalogue import refusals as why
from core.link.commands import Gesture
from core.link.improvised import PoseHands, Say, SetIdle
from core.link.sound import VoiceCue, VoiceMessage, VoiceStop
from core.link.statement import Statement
from core.safety.modes import Mode
from core.safety.rules import Action
from core.stage.prepared import pose_name
from core.tick.standing import may_move
from shows.document import Hand

BLEND_S = 0.3  # of a gesture that begins with a phrase, as in a show


class Improviser:
    """Carries out the commands by hand that a show need not know of.

    A phrase sounds in every mode, since it moves nothing. Everything else moves limbs, and may be
    requested where a gesture may; to end idle life is always allowed.

    Args:
        manager: the limbs.

    Attributes:
        phrases: phrases of the loaded show.
        volume: of a phrase, 0 to 1.
        delay_s: least time from a request to its sound [s].
        sounds: messages for the voice, on the core's clock; the reader clears them.
    """

    def __init__(self, manager: MotionManager) -> None:
        self._manager = manager
        self.phrases: Collection[str] = ()
        self.volume = 1.0
        self.delay_s = 0.0
        self.sounds: list[VoiceMessage] = []
        self._spoke = False

    def do(
        self,
        now_s: float,
        command: Say | PoseHands | SetIdle,
        clips: Mapping[str, Clip],
        mode: Mode,
        action: Action,
    ) -> Statement | None:
        """Carry out a command, or return the reason of the refusal.

        Args:
            now_s: present time [s].
            command: the command.
            clips: motions and poses by name.
            mode: mode of the robot.
            action: action of the failsafe.

        Raises:
            BehaveError: a limb cannot take the pose.
        """
        if isinstance(command, Say):
            lacks = self._lacks(command.phrase)
            if lacks is None:
                self._say(now_s, command.phrase)
            return lacks
        if isinstance(command, SetIdle):
            return self._set_idle(now_s, command, mode, action)
        return may_move(mode, action) or self._pose(now_s, command, clips)

    def pair(self, now_s: float, gesture: Gesture, clip: Clip) -> tuple[str, ...] | Statement:
        """Begin a gesture and its phrase together; return the limbs that play, or a refusal.

        The gesture's first moment is due when the phrase sounds, which is later than the request
        by the delay of the sound; the transition to the gesture ends on its path, as in a show.

        Raises:
            BehaveError: the gesture cannot be played.
        """
        lacks = self._lacks(gesture.phrase)
        if lacks is not None:
            return lacks
        start_s = now_s + self.delay_s
        playing = self._manager.play(
            now_s,
            clip,
            gesture.groups,
            gesture.speed,
            gesture.loop,
            gesture.mirror,
            blend_in_s=self.delay_s + BLEND_S,
            beat_s=start_s,
        )
        if playing:
            self._say(start_s, gesture.phrase)
        return playing

    def silence(self) -> None:
        """End the phrase that was requested by hand."""
        if self._spoke:
            self._spoke = False
            self.sounds.append(VoiceStop(by_hand=True))

    def _lacks(self, phrase: str) -> Statement | None:
        return None if phrase in self.phrases else why.NO_PHRASE(phrase=phrase)

    def _say(self, start_s: float, phrase: str) -> None:
        self._spoke = True
        self.sounds.append(VoiceCue(phrase, start_s, self.volume, by_hand=True))

    def _pose(
        self, now_s: float, command: PoseHands, clips: Mapping[str, Clip]
    ) -> Statement | None:
        """Lead hands to a pose, or to rest if all of them have it."""
        manager = self._manager
        hands = self._hands(command.hand)
        names = {hand: pose_name(hand, command.pose) for hand in hands}
        if not hands or not set(names.values()) <= clips.keys():
            return why.NO_POSE(pose=command.pose)
        now_playing = dict(zip(manager.joints.limb_names, manager.gestures(), strict=True))
        if all(now_playing[hand] == name for hand, name in names.items()):
            manager.cancel(now_s, hands)
            return None
        moved = [manager.play(now_s, clips[n], (hand,), loop=True) for hand, n in names.items()]
        return None if any(moved) else why.LIMBS_RELEASED(gesture=command.pose)

    def _hands(self, hand: Hand) -> tuple[str, ...]:
        limbs = self._manager.joints.limbs
        meant = (limb for limb in limbs if limb.kind == "hand" and hand in ("both", limb.side))
        return tuple(limb.name for limb in meant)

    def _set_idle(
        self, now_s: float, command: SetIdle, mode: Mode, action: Action
    ) -> Statement | None:
        manager = self._manager
        if manager.idles is None:
            return why.NO_IDLE()
        on = not manager.idles if command.on is None else command.on
        refusal = may_move(mode, action) if on else None
        if refusal is None:
            manager.set_idle(now_s, on)
        return refusal
