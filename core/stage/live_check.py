"""The live clips of a show: whether the robot stands in them, and their answers, one by one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

import numpy as np

from core.behave.clip import Clip
from core.behave.joints import UpperJoints
from core.link.partner import Follow
from core.stage.body import PreflightBody
from core.stage.finding import Finding
from core.stage.timeline import (
    AnyMoment,
    BodySegment,
    Continue,
    CueTimeline,
    GestureStart,
    JumpSegment,
    LiveSegment,
    MarkSegment,
    SwaySegment,
    WalkSegment,
)

WALKS, POSES = "walks", "holds a posture of its body"
Judge: TypeAlias = Callable[[CueTimeline], Iterable[Finding]]
"""Returns the findings of a cue."""
Led: TypeAlias = Callable[[Follow], Iterable[Finding]]
"""Returns the findings of an order to mirror a person."""


class LiveCheck:
    """Tests the live clips of the cues of a show.

    Args:
        body: the robot.
        clips: motions by name.
        answers: names of the motions with which each repertoire answers, by its name.
        judge: tests an answer that is played as a cue, standing.
        led: tests an order to mirror by recorded persons; None: it is not tested.
    """

    def __init__(
        self,
        body: PreflightBody,
        clips: Mapping[str, Clip],
        answers: Mapping[str, tuple[str, ...]],
        judge: Judge,
        led: Led | None = None,
    ) -> None:
        self._body, self._clips, self._answers, self._judge = body, clips, answers, judge
        self._led = led
        self._joints = UpperJoints.from_table(body.table)
        self._judged: dict[str, tuple[Finding, ...]] = {}

    def findings(self, cue: CueTimeline) -> Iterator[Finding]:
        """Yield the failures and the warnings of a cue's live clips."""
        doing = {WALKS: True} if cue.entry_stance == "walking" else {}
        order, told = None, True
        for time_s, moments in groupby(cue.moments, lambda moment: moment.time_s):
            for moment in moments:
                if isinstance(moment, LiveSegment):
                    order, told = moment.order, False
                    if order is not None:
                        yield from self._order(order, time_s)
                else:
                    doing |= _doing(moment)
            if order is None or told:
                continue
            free = () if self._leads_body(order) else (POSES,)
            verb = next((verb for verb, on in doing.items() if on and verb not in free), "")
            if verb:
                told = True
                text = f"follows a person at {time_s:.2f} s while it {verb}; let it stand meanwhile"
                yield Finding(text, time_s, np.inf)

    def _leads_body(self, order: Follow) -> bool:
        table = self._body.table
        led = order.limbs or table.following_limbs
        return any(limb.kind == "body" and limb.name in led for limb in table.limbs)

    def _order(self, order: Follow, time_s: float) -> Iterator[Finding]:
        if order.legs and self._body.walk is None:
            text = f"a person leads its steps at {time_s:.2f} s; this robot cannot walk"
            yield Finding(text, time_s, np.inf)
        if order.mode != "answer":
            yield from () if self._led is None else self._led(order)
            return
        for name in self._answers.get(order.repertoire, ()):
            if name not in self._clips:
                text = (
                    f"{order.repertoire} answers with {name}, which neither the show nor the "
                    "gesture library has"
                )
                yield Finding(text, time_s, np.inf)
                continue
            if name not in self._judged:
                self._judged[name] = tuple(self._judge(self._alone(self._clips[name])))
            for finding in self._judged[name]:
                yield replace(finding, text=f"answer {name}: {finding.text}", time_s=time_s)

    def _alone(self, clip: Clip) -> CueTimeline:
        """Return an answer as a cue."""
        limbs = tuple(
            limb
            for limb, own in zip(self._joints.limb_names, self._joints.columns, strict=True)
            if any(own.start <= joint < own.stop for joint in clip.joints)
        )
        start = GestureStart(0.0, clip.name, limbs, 1.0, None, None, False, False, 0.0)
        return CueTimeline(
            number="answer",
            name=clip.name,
            pre_wait_s=0.0,
            post_wait_s=0.0,
            follow=Continue.NONE,
            following=-1,
            armed=True,
            entry_stance="standing",
            exit_stance="standing",
            duration_s=clip.duration_s,
            safe_points_s=(),
            refusal="",
            groups=limbs,
            moments=(start,),
            voices=(),
        )


def _doing(moment: AnyMoment) -> dict[str, bool]:
    """Return what a robot begins or ends to do that leads its body."""
    if isinstance(moment, WalkSegment | MarkSegment):
        return {WALKS: moment.walking}
    if isinstance(moment, JumpSegment):
        return {"jumps": bool(moment.count)}
    if isinstance(moment, SwaySegment):
        return {"sways": bool(moment.cycles)}
    if isinstance(moment, BodySegment):
        return {POSES: moment.held}
    return {}
