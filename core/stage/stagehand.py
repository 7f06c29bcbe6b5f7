"""The stagehand: a separate process for the file work that the core's loop must not do.

It reads and checks shows and sends them to the core, saves the layout of the handset, and
publishes the figure of the robot.
"""

import os
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from core.errors import CoreError
from core.handset.kept import keep, kept_path
from core.link import topics, wording
from core.link.catalogue.refusals import CUE_FAILED
from core.link.catalogue.show import LAYOUT_NOT_SAVED, LAYOUT_SAVED
from core.link.client import Client
from core.link.figure import Figure
from core.link.requests import KeepHandsetMap, LoadRequest, ShowRefused
from core.link.statement import Statement
from core.link.take import BackingRefused, BackingRequest
from core.report.figure import figure_of
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.stage.backing import Backing
from core.stage.backing_maker import prepare_backing
from core.stage.body import body_from_profile
from core.stage.flatten import prepare_gestures
from core.stage.preflight import preflight_show
from core.stage.prepared import PreparedShow
from core.stage.questions import Questions
from shows.errors import ShowError
from shows.folders import gesture_folders
from shows.gestures import load_gestures

POLL_S = 0.01
FIGURE_S = 1.0
NICENESS = 10  # the loop has priority
MAX_REASON = 2000
MAX_TROUBLE = 500


def get_ready(path: str, profile: Profile) -> PreparedShow:
    """Read, check and flatten a show; an empty path gives the gesture library alone.

    A cue that fails its preflight stays in the show with its refusal.

    Raises:
        ShowError: the show cannot be read.
        CoreError: this robot cannot play it.
    """
    if path:
        report = preflight_show(Path(path), profile)
        return report.prepared
    body = body_from_profile(profile)
    gestures = load_gestures(body.table, gesture_folders(profile.name))
    ready = prepare_gestures(gestures.motions, body.table)
    return replace(ready, warnings=tuple(warning[:500] for warning in gestures.warnings()))


def get_ready_or_refuse(request: LoadRequest, profile: Profile) -> PreparedShow | ShowRefused:
    """Return the show, or its refusal with the reason in one sentence."""
    path = request.path
    try:
        ready = get_ready(path, profile)
        return replace(ready, keep_standby=request.keep_standby, sender=request.sender)
    except (ShowError, CoreError) as error:
        reason = str(error)
    except Exception as error:  # no file may end the stagehand
        reason = f"{path} could not be prepared ({error!r}); this is a defect, please report it"
    return ShowRefused(path or "gestures", reason[:MAX_REASON])


def back_or_refuse(request: BackingRequest, profile: Profile) -> Backing | BackingRefused:
    """Return an earlier take ready to play, or its refusal with the reason in one sentence."""
    try:
        return prepare_backing(request.number, Path(request.path), joint_table(profile))
    except (ShowError, CoreError) as error:
        reason = str(error)
    except Exception as error:  # no file may end the stagehand
        reason = f"{request.path} could not be prepared ({error!r}); please report this defect"
    return BackingRefused(request.number, reason[:MAX_TROUBLE])


class Stagehand:
    """Prepares one show and one earlier take at a time, in threads beside its loop.

    Of the requests of a kind that arrive meanwhile it keeps only the newest.
    """

    def __init__(self, client: Client, profile: Profile, figure: Figure | None = None) -> None:
        """Subscribe before the first heartbeat, for which the core waits.

        Args:
            client: connection to the core.
            profile: profile of the robot.
            figure: figure of the robot, published once a second; None publishes none.
        """
        self._figure, self._figure_due_s = figure, 0.0
        self._client = client
        self._profile = profile
        self._requests = client.subscribe(topics.LOAD)
        self._keeps = client.subscribe(topics.KEEP)
        self._next: LoadRequest | None = None
        self._work: Future[PreparedShow | ShowRefused] | None = None
        self._pool = ThreadPoolExecutor(1)
        self._questions = Questions(client, profile)
        self._backings = client.subscribe(topics.BACKING)
        self._wanted: BackingRequest | None = None
        self._backing: Future[Backing | BackingRefused] | None = None
        self._backer = ThreadPoolExecutor(1)

    def step(self) -> None:
        """Take requests and send finished shows."""
        now_s = time.monotonic()
        if self._figure is not None and now_s >= self._figure_due_s:
            self._figure_due_s = now_s + FIGURE_S
            self._client.publish(self._figure)
        for request in self._requests.poll():
            self._next = request
        for layout in self._keeps.poll():
            self._keep(layout)
        self._questions.step()
        self._prepare_backings()
        if self._work is not None and self._work.done():
            self._hand_over(self._work.result())
            self._work = None
        if self._work is None and self._next is not None:
            request, self._next = self._next, None
            self._work = self._pool.submit(get_ready_or_refuse, request, self._profile)

    def close(self) -> None:
        """Drop unfinished work."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._questions.close()
        self._backer.shutdown(wait=False, cancel_futures=True)

    def _prepare_backings(self) -> None:
        """Prepare the newest earlier take that is wanted, one after the other.

        The core ignores the answer to a request that was replaced meanwhile.
        """
        for request in self._backings.poll():
            self._wanted = request
        if self._backing is not None and self._backing.done():
            found, self._backing = self._backing.result(), None
            if isinstance(found, BackingRefused):
                self._client.publish(found)
            else:
                self._client.publish_bytes(topics.BACKED, found.to_bytes())
        if self._backing is None and self._wanted is not None:
            request, self._wanted = self._wanted, None
            self._backing = self._backer.submit(back_or_refuse, request, self._profile)

    def _keep(self, request: KeepHandsetMap) -> None:
        """Save a layout of the handset and report the result."""
        try:
            keep(kept_path(self._profile.name), request.map)
        except ShowError as error:
            self._say(LAYOUT_NOT_SAVED(text=str(error)))
        else:
            self._say(LAYOUT_SAVED())

    def _say(self, said: Statement) -> None:
        self._client.publish(wording.event(None, "stagehand", said))

    def _hand_over(self, result: PreparedShow | ShowRefused) -> None:
        client = self._client
        if isinstance(result, ShowRefused):
            client.publish(result)
            return
        failed = [cue for cue in result.cues if cue.refusal]
        for cue in failed:
            self._say(CUE_FAILED(cue=cue.number, text=cue.refusal))
        client.publish_bytes(topics.PREPARED, result.to_bytes())


def run(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Run the stagehand until a request to end.

    Raises:
        ProfileError: the robot's profile cannot be used.
        LinkError: the core does not answer.
    """
    os.nice(NICENESS)
    profile = load_profile(config.robot)
    figure = figure_of(profile)  # blocks the interpreter for a second: before the first heartbeat
    with Client(
        config.endpoint, config.robot, "stagehand", timeout_s=30.0, give_up=lambda: lifeline.ended
    ) as client:
        stagehand = Stagehand(client, profile, figure)
        while not lifeline.ended:
            client.beat()
            stagehand.step()
            time.sleep(POLL_S)
        stagehand.close()
    return 0
