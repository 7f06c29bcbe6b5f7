"""The understudy: who has one, and how its take waits for the first cue."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.__main__ import main
from app.commands.understudy import Understudy, follows
from assets.takes.duel import SHOW
from core.link import topics
from core.link.client import Client
from core.link.partner import Calibrate, CalibrationReport, PartnerReport, SourceReport
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.status import Status
from core.robot.profile_file import load_profile
from devices.capture.source import Source
from shows.bvh_human import load_bvh, save_bvh
from shows.human import INDEX
from shows.live import PERFORMER, performer_of

ROBOT = "kid_cosmo"
ARM = [INDEX["left_upper_arm"], INDEX["left_hand"]]


def test_a_show_with_live_clips_has_one_if_it_has_its_take(tmp_path: Path) -> None:
    profile = load_profile(ROBOT)
    assert follows(SHOW, profile) and not follows(SHOW.parent / "meet_cosmo", profile)
    assert not follows(tmp_path, profile)
    assert performer_of(SHOW) == SHOW / PERFORMER and performer_of(tmp_path) is None


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--pace", "max"], "a show that follows a person is rehearsed at --pace real only"),
        ([], "follows a person: give --source, or add takes/performer.bvh"),
    ],
)
def test_what_cannot_be_rehearsed_is_refused_in_one_line(
    options: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in sorted(SHOW.rglob("*")):
        if path.is_file() and path != SHOW / PERFORMER:
            copy = tmp_path / "copy" / path.relative_to(SHOW)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    assert main(["rehearse", "--headless", str(tmp_path / "copy"), *options]) == 2
    said = capsys.readouterr().err
    assert reason in said and said.count("\n") == 1


def test_it_holds_the_t_pose_is_calibrated_and_begins_with_the_first_cue(tmp_path: Path) -> None:
    whole = load_bvh(SHOW / PERFORMER).take
    rows = slice(250, 330)  # the arms sink
    short = replace(whole, positions=whole.positions[rows], orientations=whole.orientations[rows])
    save_bvh(short, tmp_path / "short.bvh")
    endpoint = free_endpoint()
    one = Understudy(tmp_path / "short.bvh")
    port = int(one.source.partition(":")[2].partition("@")[0])
    source = Source("vmc", "127.0.0.1", port, time.monotonic)
    source.pair("127.0.0.1")
    heard = SourceReport("vmc", port, age_s=0.01)
    heights: list[float] = []
    said: list[str] = []
    with Server(endpoint, ROBOT) as core, Client(endpoint, ROBOT, "command") as command:
        partner, console = Client(endpoint, ROBOT, "partner"), Client(endpoint, ROBOT, "console")
        orders = console.subscribe(topics.PARTNER)
        command.status(), command.subscribe(topics.PARTNER_REPORT)
        one.start()
        state, begun_s, asked = "none", 0.0, 0
        deadline_s = time.monotonic() + 30.0
        while not heights or heights[-1] > -0.4:
            assert time.monotonic() < deadline_s, (state, heights[-1:], asked)
            report = CalibrationReport(state)  # type: ignore[arg-type]
            partner.publish(PartnerReport(time.monotonic(), heard, report))
            running = "1" if state == "done" and len(heights) > 60 else ""
            core.publish(Status(time.monotonic(), running_cue=running))
            said.append(one.look(command))
            asked += sum(isinstance(order, Calibrate) for order in orders.poll())
            state = "done" if asked else "none"
            for frame in source.read():
                shoulder, hand = frame.positions[ARM]
                heights.append(float(hand[2] - shoulder[2]))
            if running and not begun_s:
                begun_s = time.monotonic()
                assert max(map(abs, heights)) < 0.05, "the arms are level until the cue begins"
            time.sleep(0.02)
        one.end()
        partner.close()
        console.close()
    source.close()
    assert begun_s and asked == 1 and not any(said)
