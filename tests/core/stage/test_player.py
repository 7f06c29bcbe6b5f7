"""The player: its operator's commands, one by one."""

import pytest

from core.link.catalogue import refusals as why
from core.link.catalogue import show as words
from core.stage.player import Player
from core.stage.settings import PlayerSettings
from core.stage.timeline import (
    Continue,
    CueTimeline,
    Freeze,
    GestureEnd,
    GestureStart,
    MarkSegment,
    Unfreeze,
)
from tests.core.stage.cues import (
    cue,
    end,
    freeze,
    gesture,
    head,
    jump,
    live,
    posture,
    run,
    show,
    sway,
    unfreeze,
    voice,
    walk,
)

LEAD = 0.125
SETTINGS = PlayerSettings(voice_lead_s=LEAD, safe_point_within_s=2.0)
BEGIN = 100.0


def player(*cues: CueTimeline) -> Player:
    new = Player(SETTINGS)
    assert new.load(show(*cues, go_guard_s=0.5)) is None
    return new


def test_go_starts_the_standby_cue_and_moves_the_playhead() -> None:
    p = player(cue("1", gesture(1.0)), cue("2"))
    assert p.standby == "1"
    assert p.go(BEGIN) is None
    out = p.update(BEGIN)
    assert (out.started, p.standby, p.running) == (["1"], "2", ("1",))
    assert out.limbs == []
    assert p.update(BEGIN + 0.999).limbs == []
    assert [type(m) for m in p.update(BEGIN + 1.0).limbs] == [GestureStart]
    assert p.update(BEGIN + 1.001).limbs == []
    assert p.elapsed_s(BEGIN + 1.5) == 1.5
    out = p.update(BEGIN + 4.0)
    assert (out.finished, p.running, out.done) == (["1"], (), False)


def test_the_position_stands_still_where_no_cue_runs() -> None:
    p = player(cue("1"), cue("2", pre_wait_s=1.0), cue("3"))
    assert p.position_s(BEGIN) == 0.0
    p.go(BEGIN)
    p.update(BEGIN)
    assert p.position_s(BEGIN + 1.5) == 1.5
    p.update(BEGIN + 4.0)
    assert p.position_s(BEGIN + 4.0) == p.position_s(BEGIN + 60.0) == 4.0
    p.goto("3")
    assert p.position_s(BEGIN + 60.0) == 9.0
    p.goto("2")
    p.go(BEGIN + 60.0)
    p.update(BEGIN + 61.5)
    assert p.position_s(BEGIN + 61.5) == 5.5
    p.cancel(BEGIN + 62.0)
    p.goto("3")
    p.go(BEGIN + 70.0)
    p.update(BEGIN + 70.0)
    p.update(BEGIN + 74.0)
    assert p.position_s(BEGIN + 80.0) == 13.0  # the end of the list
    assert Player(SETTINGS).position_s(BEGIN) == 0.0


def test_nothing_happens_without_a_show_or_before_go() -> None:
    empty = Player(SETTINGS)
    assert empty.go(BEGIN) == why.NO_CUES()
    assert not empty.update(BEGIN).happened
    p = player(cue("1", gesture(0.0), voice(0.0)))
    assert not p.update(BEGIN + 50.0).happened
    assert p.clock_s(BEGIN + 50.0) == 0.0


def test_a_go_without_a_cue_on_standby_is_refused_and_says_what_runs_on() -> None:
    p = player(cue("1", follow=Continue.AUTO_FOLLOW), cue("2", gesture(0.0)))
    assert p.go(BEGIN) is None
    p.update(BEGIN)
    assert (p.standby, p.running) == ("", ("1", "2"))
    assert p.go(BEGIN + 1.0) == why.NO_STANDBY()
    for step in range(1, 20):
        p.update(BEGIN + step)
    assert p.running == ()
    assert p.go(BEGIN + 30.0) == why.SHOW_PLAYED()


def test_a_second_go_within_the_guard_is_refused_and_says_why() -> None:
    p = player(cue("1"), cue("2"), cue("3"))
    assert p.go(BEGIN) is None
    assert p.go(BEGIN + 0.25) == why.GO_GUARDED(since_s=0.25, guard_s=0.5)
    assert p.standby == "2"
    assert p.go(BEGIN + 0.5) is None
    assert p.running == ("1", "2")


def test_go_is_refused_with_a_reason() -> None:
    p = player(cue("1"), cue("2", entry_stance="walking"))
    assert p.go(BEGIN, "9") == why.NO_CUE(cue="9")
    assert p.go(BEGIN, "2", "standing") == why.WRONG_STANCE(
        cue="2", entry="walking", stance="standing"
    )
    assert p.go(BEGIN, "2", "walking") is None
    assert p.go(BEGIN + 1.0, "2") == why.CUE_RUNS_ALREADY(cue="2")
    assert p.pause(BEGIN + 1.0) is None
    assert p.go(BEGIN + 2.0) == why.GO_PAUSED()


def test_a_cue_by_number_leaves_the_playhead_unless_it_is_the_standby_cue() -> None:
    p = player(cue("1"), cue("2"), cue("3"))
    assert p.go(BEGIN, "3") is None
    assert p.standby == "1"
    assert p.go(BEGIN + 1.0, "1") is None
    assert p.standby == "2"


def test_a_cue_that_failed_its_preflight_goes_in_rehearsal_only() -> None:
    sentence = "right elbow 112 % of torque at 3.42 s"
    cues = (cue("1", follow=Continue.AUTO_FOLLOW), cue("2", refusal=sentence))
    p = player(*cues)
    assert p.go(BEGIN, "2") == why.CUE_FAILED(cue="2", text=sentence)
    assert p.go(BEGIN) == why.CUE_FAILED(cue="2", text=sentence)
    assert p.running == ()
    p.settings = PlayerSettings(show_mode=False)
    assert p.go(BEGIN, "2") is None
    assert p.update(BEGIN).notes == [words.CUE_PLAYS_FAILED(cue="2", text=sentence)]


def test_a_failed_cue_that_is_armed_late_ends_its_chain() -> None:
    p = player(cue("1", follow=Continue.AUTO_FOLLOW), cue("2", refusal="too fast"))
    assert p.arm("2", False) is None
    assert p.go(BEGIN) is None
    p.update(BEGIN)
    assert p.arm("2", True) is None
    out = p.update(BEGIN + 4.0)
    assert out.notes == [why.CUE_FAILED(cue="2", text="too fast")]
    assert (out.started, p.running) == ([], ())


def test_auto_continue_counts_from_the_start_and_auto_follow_from_the_end() -> None:
    p = player(
        cue("1", follow=Continue.AUTO_CONTINUE, post_wait_s=1.0, pre_wait_s=0.5),
        cue("2", follow=Continue.AUTO_FOLLOW, post_wait_s=0.5, pre_wait_s=0.25),
        cue("3"),
        cue("4"),
    )
    p.go(BEGIN)
    assert p.standby == "4"
    starts: dict[str, float] = {}
    for i in range(1200):
        out = p.update(BEGIN + i / 100.0)
        starts |= {number: i / 100.0 for number in out.started}
    assert starts == pytest.approx({"1": 0.5, "2": 1.75, "3": 6.25}, abs=0.011)


def test_a_disarmed_cue_is_passed_over_without_its_length() -> None:
    p = player(
        cue("1", gesture(0.0), follow=Continue.AUTO_FOLLOW, post_wait_s=0.5, armed=False),
        cue("2"),
    )
    p.go(BEGIN)
    out = p.update(BEGIN)
    assert out.notes == [words.CUE_DISARMED(cue="1")]
    assert (out.started, out.limbs) == ([], [])
    assert p.update(BEGIN + 0.5).started == ["2"]


def test_pause_holds_everything_and_resume_goes_on_from_exactly_there() -> None:
    p = player(
        cue("1", gesture(0.0), walk(0.0, 0.0, 0.0625), head(0.0, 0.0, 0.25), voice(0.0, 3.0))
    )
    p.go(BEGIN)
    p.update(BEGIN)
    before = p.update(BEGIN + 1.0)
    assert (before.velocity[0], before.head[0]) == (0.0625, 0.25)
    assert p.pause(BEGIN + 1.0) is None
    out = p.update(BEGIN + 1.5)
    assert out.limbs == [Freeze(0.0, ("left_arm",))]
    assert out.voice_stopped and not out.walking
    assert (out.velocity[0], out.head[0], out.head_held) == (0.0, 0.25, True)
    assert p.clock_s(BEGIN + 70.0) == 1.0
    assert p.resume(BEGIN + 75.0) is None
    out = p.update(BEGIN + 75.0)
    assert out.limbs == [Unfreeze(0.0, ("left_arm",))]
    assert (out.velocity[0], out.head[0]) == (0.0625, 0.25)
    assert [(v.phrase, v.start_stamp_s) for v in out.voices] == [("hello", BEGIN + 74.0)]
    assert p.update(BEGIN + 78.0).finished == ["1"]


def test_resume_does_not_end_a_photo_pose() -> None:
    p = player(cue("1", gesture(0.0), gesture(0.0, groups=("head",)), freeze(1.0), unfreeze(3.0)))
    p.go(BEGIN)
    p.update(BEGIN)
    assert p.update(BEGIN + 1.0).limbs == [Freeze(1.0, ("left_arm",))]
    p.pause(BEGIN + 2.0)
    assert p.update(BEGIN + 2.0).limbs == [Freeze(0.0, ("head",))]
    p.resume(BEGIN + 5.0)
    assert p.update(BEGIN + 5.0).limbs == [Unfreeze(0.0, ("head",))]
    assert p.update(BEGIN + 6.0).limbs == [Unfreeze(3.0, ("left_arm",))]


def test_cancel_takes_everything_back() -> None:
    p = player(cue("1", gesture(0.0), walk(0.0, 0.1), head(0.0, 0.3), voice(0.0)), cue("2"))
    p.go(BEGIN)
    p.update(BEGIN + 0.5)
    assert p.cancel(BEGIN + 0.5) is None
    out = p.update(BEGIN + 0.5)
    assert out.limbs == [GestureEnd(0.0, ("left_arm",))]
    assert out.voice_stopped and out.head_released and not out.walking and not out.head_held
    assert (out.velocity == 0.0).all()
    assert (out.stopped, out.finished, p.running, p.standby) == (["1"], [], (), "2")
    assert p.cancel(BEGIN + 0.6) == why.NOTHING_RUNS()
    assert not p.update(BEGIN + 9.0).happened


def test_cancel_of_a_paused_show_lets_the_clock_run_again() -> None:
    p = player(cue("1", gesture(0.0)), cue("2"))
    p.go(BEGIN)
    p.update(BEGIN)
    p.pause(BEGIN + 1.0)
    p.update(BEGIN + 1.0)
    assert p.cancel(BEGIN + 3.0) is None
    assert p.update(BEGIN + 3.0).limbs == [GestureEnd(0.0, ("left_arm",))]
    assert not p.paused
    assert p.go(BEGIN + 4.0) is None
    assert p.update(BEGIN + 4.0).started == ["2"]


CHAINS = {
    # continue mode, time of Esc [s], cue on standby afterwards
    "during_the_first": (Continue.AUTO_FOLLOW, 1.0, "2"),
    "during_the_second": (Continue.AUTO_FOLLOW, 5.0, "3"),
    "during_the_last": (Continue.AUTO_FOLLOW, 9.0, "3"),
    "all_at_once": (Continue.AUTO_CONTINUE, 1.0, "1"),
}


@pytest.mark.parametrize(("follow", "esc_s", "standby"), CHAINS.values(), ids=CHAINS.keys())
def test_after_a_cancel_a_show_of_one_chain_goes_on_with_go(
    follow: Continue, esc_s: float, standby: str
) -> None:
    p = player(cue("1", follow=follow), cue("2", follow=follow), cue("3"))
    assert p.following == ""
    p.go(BEGIN)
    p.update(BEGIN + esc_s)
    assert p.standby == ""
    p.cancel(BEGIN + esc_s)
    assert (p.standby, p.running) == (standby, ())
    assert p.go(BEGIN + esc_s + 1.0) is None
    assert p.running == (standby,)
    p.update(BEGIN + 60.0)
    assert [p.standby, *p.running] == [""]  # played to its end: nothing is on standby


def test_a_cancel_leaves_a_cue_that_is_on_standby_there() -> None:
    p = player(cue("1", follow=Continue.AUTO_FOLLOW), cue("2"), cue("3"))
    p.go(BEGIN)
    p.update(BEGIN + 1.0)
    p.cancel(BEGIN + 1.0)
    assert p.standby == "3"


def test_a_cancel_of_a_cue_by_number_leaves_a_played_show_at_its_end() -> None:
    p = player(cue("1"), cue("2"))
    p.goto("2")
    p.go(BEGIN)
    p.update(BEGIN + 5.0)
    p.go(BEGIN + 6.0, "1")
    p.cancel(BEGIN + 6.5)
    assert p.standby == ""


def test_an_operator_who_comes_back_finds_the_cue_that_was_dropped_on_standby() -> None:
    p = player(cue("1", safe_points_s=(2.0,), follow=Continue.AUTO_FOLLOW), cue("2"))
    p.go(BEGIN)
    p.update(BEGIN + 1.0)
    p.operator_lost(BEGIN + 1.0)
    p.update(BEGIN + 9.0)
    assert (p.standby, p.running) == ("2", ())


@pytest.mark.parametrize(("safe_s", "standby"), [(2.0, "1"), (4.0, "")])
def test_a_last_cue_that_was_left_early_is_on_standby_again(safe_s: float, standby: str) -> None:
    p = player(cue("1", safe_points_s=(safe_s,)))
    p.go(BEGIN)
    p.update(BEGIN + 3.0 if safe_s > 3.0 else BEGIN + 1.0)
    p.operator_lost(BEGIN + 3.0 if safe_s > 3.0 else BEGIN + 1.0)
    p.update(BEGIN + 9.0)
    assert (p.standby, p.running) == (standby, ())


def test_the_next_cue_is_the_one_behind_all_that_follow_by_themselves() -> None:
    p = player(cue("1"), cue("2", follow=Continue.AUTO_FOLLOW), cue("3"), cue("4"))
    told = []
    for number in ("1", "2", "3", "4"):
        p.goto(number)
        told.append(p.following)
    assert told == ["2", "4", "4", ""]
    p.go(BEGIN)
    assert (p.standby, p.following) == ("", "")


VERSIONS = {
    # cue on standby before, numbers of the new version, cue on standby in it
    "the_same": ("2", "123", "2"),
    "moved": ("2", "312", "2"),
    "gone": ("2", "13", "3"),
    "gone_with_all_behind": ("2", "1", ""),
    "played_to_the_end": ("", "123", ""),
}


@pytest.mark.parametrize(("before", "numbers", "after"), VERSIONS.values(), ids=VERSIONS.keys())
def test_another_version_of_the_show_leaves_the_playhead(
    before: str, numbers: str, after: str
) -> None:
    p = player(cue("1"), cue("2"), cue("3"))
    p.goto(before or "3")
    if not before:
        p.go(BEGIN)
        p.update(BEGIN + 9.0)
    cues = [cue(n, following=i + 1) for i, n in enumerate(numbers)]
    assert p.load(show(*cues, keep_standby=True)) is None
    assert p.standby == after
    assert p.load(show(*cues)) is None
    assert p.standby == numbers[0]


def test_the_first_show_begins_at_its_beginning() -> None:
    p = Player(SETTINGS)
    p.load(show(cue("1"), cue("2"), keep_standby=True))
    assert (p.standby, p.following) == ("1", "2")


def test_reset_returns_to_the_beginning() -> None:
    p = player(cue("1", walk(0.0, 0.1)), cue("2"))
    p.go(BEGIN)
    p.update(BEGIN + 1.0)
    p.reset(BEGIN + 1.0)
    out = p.update(BEGIN + 1.0)
    assert (p.standby, p.running, p.clock_s(BEGIN + 1.0), out.walking) == ("1", (), 0.0, False)
    assert p.go(BEGIN + 1.1) is None


def test_goto_moves_the_playhead_only() -> None:
    p = player(cue("1"), cue("2"))
    assert p.goto("2") is None
    assert (p.standby, p.running) == ("2", ())
    assert p.goto("7") == why.NO_CUE(cue="7")
    assert p.standby == "2"


def test_a_show_is_not_exchanged_under_a_running_cue() -> None:
    p = player(cue("1"))
    p.go(BEGIN)
    other = show(cue("1"), cue("2"))
    assert p.load(other) == why.CUE_RUNS(cue="1")
    p.cancel(BEGIN)
    assert p.load(other) is None


def test_a_phrase_is_announced_ahead_with_its_exact_time() -> None:
    p = player(cue("1", voice(2.0)))
    p.go(BEGIN)
    assert p.update(BEGIN + 2.0 - LEAD - 0.001).voices == []
    out = p.update(BEGIN + 2.0 - LEAD + 0.0005)
    assert [v.start_stamp_s for v in out.voices] == [BEGIN + 2.0]
    assert p.update(BEGIN + 2.0).voices == []


def test_a_pre_wait_gives_a_first_phrase_its_lead() -> None:
    p = player(cue("1", voice(0.0), pre_wait_s=1.0))
    p.go(BEGIN)
    assert p.update(BEGIN + 1.0 - LEAD - 0.01).voices == []
    out = p.update(BEGIN + 1.0 - LEAD)
    assert [v.start_stamp_s for v in out.voices] == [BEGIN + 1.0]
    assert out.started == []
    assert p.update(BEGIN + 1.0).started == ["1"]


def test_the_cue_that_began_last_walks_and_its_end_gives_the_walk_back() -> None:
    p = player(
        cue("1", walk(0.0, 0.1), duration_s=10.0),
        cue("2", walk(1.0, -0.1), walk(2.0, 0.0, walking=False)),
    )
    p.go(BEGIN)
    p.update(BEGIN)
    p.go(BEGIN + 1.0)
    assert p.update(BEGIN + 1.0).velocity[0] == 0.1
    assert p.update(BEGIN + 2.5).velocity[0] == -0.1
    assert p.update(BEGIN + 3.0).velocity[0] == 0.1
    out = p.update(BEGIN + 10.0)
    assert (out.velocity[0], out.walking) == (0.0, False)


def test_the_body_follows_the_cue_stands_still_in_a_pause_and_is_upright_after_it() -> None:
    p = player(cue("1", posture(0.0, 0.0, 0.125), posture(2.0, 0.25), duration_s=10.0))
    p.go(BEGIN)
    p.update(BEGIN)
    out = p.update(BEGIN + 1.0)
    assert out.posed and out.body.tolist() == [0.0, 0.0, 0.125, 0.0]
    assert p.pause(BEGIN + 1.5) is None
    assert p.update(BEGIN + 60.0).body[2] == 0.1875
    assert p.resume(BEGIN + 61.5) is None
    assert p.update(BEGIN + 62.5).body[2] == 0.25
    p.cancel(BEGIN + 63.0)
    out = p.update(BEGIN + 63.0)
    assert not out.posed and not out.body.any()


def test_a_sway_is_one_request_which_a_pause_and_the_end_take_back() -> None:
    p = player(cue("1", sway(1.0), sway(9.0, cycles=0), duration_s=10.0))
    p.go(BEGIN)
    assert p.update(BEGIN + 0.5).sway is None
    first = p.update(BEGIN + 1.0).sway
    assert first is not None and (first.direction, first.cycles) == ("left", 2)
    assert p.update(BEGIN + 4.0).sway is first
    assert p.pause(BEGIN + 4.5) is None
    assert p.update(BEGIN + 60.0).sway is None
    assert p.resume(BEGIN + 64.5) is None
    rest = p.update(BEGIN + 64.5).sway  # of the second cycle 0.5 s were left to come
    assert rest is not None and rest is not first and rest.cycles == 1
    assert p.update(BEGIN + 69.1).sway is None


def test_jumps_are_one_request_which_a_pause_a_cancel_and_the_end_take_back() -> None:
    p = player(cue("1", jump(1.0), jump(5.0, count=0), duration_s=6.0))
    p.go(BEGIN)
    assert p.update(BEGIN + 0.5).jump is None
    first = p.update(BEGIN + 1.0).jump
    assert first is not None and (first.count, first.flight_s, first.period_s) == (3, 0.08, 1.0)
    assert p.update(BEGIN + 2.0).jump is first
    assert p.pause(BEGIN + 2.5) is None
    assert p.update(BEGIN + 60.0).jump is None
    assert p.resume(BEGIN + 62.5) is None
    rest = p.update(BEGIN + 62.5).jump  # in the second period
    assert rest is not None and rest is not first and rest.count == 1
    assert p.update(BEGIN + 65.1).jump is None
    p.update(BEGIN + 70.0)
    p.go(BEGIN + 70.0, "1")
    assert p.update(BEGIN + 71.0).jump is not None
    p.cancel(BEGIN + 71.5)
    assert p.update(BEGIN + 71.5).jump is None


def test_jumps_end_at_a_safe_point_without_an_operator() -> None:
    p = player(cue("1", jump(0.0), duration_s=6.0, safe_points_s=(2.0,)))
    p.go(BEGIN)
    assert p.update(BEGIN).jump is not None
    p.operator_lost(BEGIN + 1.0)
    assert p.update(BEGIN + 1.9).jump is not None
    assert p.update(BEGIN + 2.0).jump is None


def test_a_later_cue_that_walks_ends_the_walk_to_a_mark_of_an_earlier_one() -> None:
    to_mark = MarkSegment(0.0, 1.0, 0.0, 0.0, "either", "door", True)
    p = player(cue("1", to_mark), cue("2", walk(0.5, 0.1)))
    p.go(BEGIN)
    goal = p.update(BEGIN).goal
    assert goal is not None and goal.name == "door"
    assert p.pause(BEGIN + 0.2) is None and p.update(BEGIN + 0.3).goal is None
    assert p.resume(BEGIN + 0.4) is None and p.update(BEGIN + 0.4).goal is not None
    p.go(BEGIN + 1.0)
    assert p.update(BEGIN + 1.0).goal is not None
    assert p.update(BEGIN + 1.6).goal is None and p.output.walking


def test_a_later_cue_that_walks_ends_the_jumps_of_an_earlier_one() -> None:
    p = player(cue("1", jump(0.0)), cue("2", walk(0.0, 0.1)))
    p.go(BEGIN)
    p.update(BEGIN)
    p.go(BEGIN + 1.0)
    out = p.update(BEGIN + 1.0)
    assert out.jump is None and out.walking


def test_a_run_is_told_as_long_as_it_lasts() -> None:
    p = player(cue("1", run(0.5), walk(2.0, 0.1), walk(3.0, walking=False)))
    p.go(BEGIN)
    assert p.update(BEGIN).stepping.gait == "walk"
    out = p.update(BEGIN + 1.0)
    assert (out.stepping.gait, out.velocity[0]) == ("run", 0.2)
    assert p.update(BEGIN + 2.0).stepping.gait == "walk"
    p.update(BEGIN + 10.0)
    p.go(BEGIN + 10.0, "1")
    p.update(BEGIN + 11.0)
    p.pause(BEGIN + 11.5)
    out = p.update(BEGIN + 11.5)
    assert out.stepping.gait == "walk" and not out.walking


def test_a_cue_that_starts_again_asks_for_its_sway_again() -> None:
    p = player(cue("1", sway(0.0), duration_s=9.0))
    p.go(BEGIN)
    first = p.update(BEGIN).sway
    p.cancel(BEGIN + 1.0)
    p.go(BEGIN + 1.0, "1")
    again = p.update(BEGIN + 1.0).sway
    assert again is not None and again is not first


def test_a_person_leads_the_robot_while_a_live_clip_runs() -> None:
    p = player(cue("1", live(1.0, "head"), live(3.0, on=False)), cue("2", live(0.0, legs=True)))
    p.go(BEGIN)
    assert p.update(BEGIN + 0.9).live is None
    first = p.update(BEGIN + 1.0).live
    assert first is not None and first.limbs == ("head",)
    assert p.update(BEGIN + 1.4).live is first
    p.pause(BEGIN + 1.5)
    assert p.update(BEGIN + 1.6).live is None
    p.resume(BEGIN + 11.5)
    again = p.update(BEGIN + 11.6).live
    assert again == first and again is not first, "after a pause it is another request"
    p.go(BEGIN + 12.0)
    newer = p.update(BEGIN + 12.0).live
    assert newer is not None and newer.legs
    assert p.update(BEGIN + 13.1).live is newer, "the clip of the first cue has ended"
    p.cancel(BEGIN + 13.2)
    assert p.update(BEGIN + 13.2).live is None


def test_an_earlier_live_clip_leads_again_after_a_later_cue_and_a_safe_point_ends_it() -> None:
    p = player(
        cue("1", live(0.0, "head"), duration_s=9.0, safe_points_s=(6.0,)),
        cue("2", live(0.0), duration_s=1.0),
    )
    p.go(BEGIN)
    first = p.update(BEGIN).live
    p.go(BEGIN + 1.0)
    assert p.update(BEGIN + 1.5).live != first
    assert p.update(BEGIN + 2.1).live == first
    p.operator_lost(BEGIN + 4.5)
    assert p.update(BEGIN + 5.9).live == first
    assert p.update(BEGIN + 6.0).live is None


def test_a_gesture_taken_over_by_another_cue_is_not_ended_by_the_first() -> None:
    p = player(cue("1", gesture(0.0), end(3.0)), cue("2", gesture(0.0), end(3.5)))
    p.go(BEGIN)
    p.update(BEGIN)
    p.go(BEGIN + 1.0)
    p.update(BEGIN + 1.0)
    assert p.update(BEGIN + 3.0).limbs == []
    assert p.update(BEGIN + 4.5).limbs == [GestureEnd(3.5, ("left_arm",))]


def test_without_an_operator_the_cue_runs_to_its_next_safe_point() -> None:
    p = player(
        cue("1", gesture(0.0), walk(0.0, 0.1), gesture(2.5), safe_points_s=(0.5, 2.5),
            follow=Continue.AUTO_CONTINUE, post_wait_s=1.0),
        cue("2"),
    )  # fmt: skip
    p.go(BEGIN)
    p.update(BEGIN + 0.75)
    p.operator_lost(BEGIN + 0.75)
    out = p.update(BEGIN + 2.25)
    assert (out.velocity[0], out.started, p.running) == (0.1, [], ("1",))
    assert p.go(BEGIN + 2.25) is not None
    out = p.update(BEGIN + 2.5)
    assert out.limbs == [GestureEnd(0.0, ("left_arm",))]
    assert (out.stopped, out.walking, p.running) == (["1"], False, ())
    assert not p.update(BEGIN + 20.0).happened
    assert p.go(BEGIN + 21.0, "2") is None


def test_without_a_safe_point_the_bound_ends_the_cue() -> None:
    p = player(cue("1", walk(0.0, 0.1), duration_s=60.0))
    p.go(BEGIN)
    p.update(BEGIN + 1.0)
    p.operator_lost(BEGIN + 1.0)
    p.operator_lost(BEGIN + 2.5)
    assert p.update(BEGIN + 2.99).walking
    out = p.update(BEGIN + 3.0)
    assert (out.stopped, out.walking) == (["1"], False)


def test_without_an_operator_a_waiting_cue_never_begins_and_a_paused_show_stays_paused() -> None:
    p = player(cue("1", gesture(0.0), pre_wait_s=1.0))
    p.go(BEGIN)
    p.update(BEGIN + 0.5)
    p.operator_lost(BEGIN + 0.5)
    assert p.update(BEGIN + 2.0).limbs == []
    assert p.running == ()
    p = player(cue("1", gesture(0.0)))
    p.go(BEGIN)
    p.update(BEGIN)
    p.pause(BEGIN + 1.0)
    p.operator_lost(BEGIN + 2.0)
    p.update(BEGIN + 60.0)
    assert p.paused and p.running == ("1",)


def test_no_phrase_is_announced_that_would_start_after_the_safe_point() -> None:
    p = player(cue("1", voice(2.0), safe_points_s=(1.9375,)))
    p.go(BEGIN)
    p.update(BEGIN + 1.0)
    p.operator_lost(BEGIN + 1.0)
    assert p.update(BEGIN + 1.9).voices == []
    out = p.update(BEGIN + 1.95)
    assert (out.voices, out.stopped) == ([], ["1"])


def test_stopping_one_voice_lets_the_others_go_on() -> None:
    p = player(
        cue("1", voice(0.0, 3.0, "one"), safe_points_s=(2.0,)),
        cue("2", voice(0.0, 3.0, "two"), safe_points_s=(2.0,)),
    )
    p.go(BEGIN)
    p.update(BEGIN)
    p.go(BEGIN + 1.0)
    p.update(BEGIN + 1.0)
    p.operator_lost(BEGIN + 1.5)
    out = p.update(BEGIN + 2.0)
    assert out.voice_stopped
    assert [(v.phrase, v.start_stamp_s) for v in out.voices] == [("two", BEGIN + 1.0)]


def test_a_late_tick_does_everything_in_order() -> None:
    p = player(
        cue("1", gesture(1.0), freeze(2.0), unfreeze(3.0), end(3.5), follow=Continue.AUTO_FOLLOW),
        cue("2", gesture(0.0, groups=("head",)), duration_s=1.0),
    )
    p.go(BEGIN)
    out = p.update(BEGIN + 30.0)
    kinds = [GestureStart, Freeze, Unfreeze, GestureEnd, GestureStart]
    assert [type(moment) for moment in out.limbs] == kinds
    assert (out.started, out.finished, out.done) == (["1", "2"], ["1", "2"], True)
    out = p.update(BEGIN + 30.001)
    assert not out.happened and out.done
    p.goto("1")
    assert not p.update(BEGIN + 30.002).done


def test_what_a_command_says_reaches_the_next_update_and_only_that() -> None:
    p = player(cue("1", gesture(0.0)))
    p.go(BEGIN)
    p.update(BEGIN)
    p.pause(BEGIN + 1.0)
    p.resume(BEGIN + 1.0)
    assert len(p.update(BEGIN + 1.0).limbs) == 2
    assert p.update(BEGIN + 1.001).limbs == []


def test_a_safe_point_that_is_just_reached_is_taken() -> None:
    p = player(cue("1", walk(0.0, 0.1), safe_points_s=(1.0, 1.0625)))
    p.go(BEGIN)
    p.update(BEGIN + 1.0)
    p.operator_lost(BEGIN + 1.0)
    assert p.update(BEGIN + 1.001).stopped == ["1"]
    p.go(BEGIN + 9.0, "1")
    p.update(BEGIN + 10.03125)
    p.operator_lost(BEGIN + 10.03125)
    assert p.update(BEGIN + 10.0625).stopped == ["1"]


def test_a_cue_that_ends_before_any_safe_point_has_finished() -> None:
    p = player(cue("1", safe_points_s=(4.0,)))
    p.go(BEGIN)
    p.update(BEGIN + 3.0)
    p.operator_lost(BEGIN + 3.0)
    out = p.update(BEGIN + 4.0)
    assert (out.finished, out.stopped, out.notes) == (["1"], [], [])


def test_a_voice_that_comes_is_told_what_sounds_and_what_is_announced() -> None:
    p = player(cue("1", voice(0.0, 5.0), voice(1.0, 0.5, "bye"), voice(2.0, 1.0, "later")))
    p.go(BEGIN)
    p.update(BEGIN)
    p.update(BEGIN + 2.0 - LEAD)
    p.voice_came(BEGIN + 1.9)
    out = p.update(BEGIN + 1.9)
    assert out.voice_stopped
    assert [(v.phrase, v.start_stamp_s, v.again) for v in out.voices] == [
        ("hello", BEGIN, True),
        ("later", BEGIN + 2.0, True),
    ]
    assert not p.update(BEGIN + 1.95).voices


def test_a_voice_that_comes_to_a_paused_show_is_told_at_its_resumption() -> None:
    p = player(cue("1", voice(0.0, 5.0)))
    p.go(BEGIN)
    p.update(BEGIN)
    p.pause(BEGIN + 1.0)
    p.update(BEGIN + 1.0)
    p.voice_came(BEGIN + 2.0)
    assert p.update(BEGIN + 2.0).voices == []
    p.resume(BEGIN + 3.0)
    assert [v.start_stamp_s for v in p.update(BEGIN + 3.0).voices] == [BEGIN + 2.0]


def test_a_voice_that_comes_while_nothing_plays_is_told_of_nothing() -> None:
    p = player(cue("1", voice(0.0)))
    p.voice_came(BEGIN)
    assert p.update(BEGIN).voices == []
