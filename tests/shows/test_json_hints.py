"""Advice names what would have been right at that very place."""

from shows.document import Show
from shows.json_hints import known_key, known_values


def test_a_misspelt_key_is_told_the_one_that_was_meant() -> None:
    assert known_key(Show, "$.cues[3]", "color") == "did you mean 'colour'?"
    assert known_key(Show, "$.cues[0].tracks[1].clips[2]", "start") == "did you mean 'start_s'?"
    assert known_key(Show, "$", "cue") == "did you mean 'cues'?"


def test_a_strange_key_is_told_those_that_there_are() -> None:
    advice = known_key(Show, "$.settings.walk", "zzz")
    assert advice == "known here: backward, forward, sideways, turning"
    assert known_key(Show, "$.settings.hand_poses", "zzz") == "remove it"


def test_a_value_is_told_its_choices() -> None:
    assert known_values(Show, "$.cues[0].continue_mode") == (
        "use one of auto_continue, auto_follow, none"
    )
    assert known_values(Show, "$.cues[0].tracks[0].clips[0].hand") == "use one of both, left, right"
    assert known_values(Show, "$.cues[0].tracks[0].kind") == (
        "use one of body, gesture, hands, head, light, live, network, sway, voice, walk"
    )
    assert known_values(Show, "$.schema") == "use one of 2"
    assert known_values(Show, "$.name") == "correct the value"
    assert known_values(Show, "$.settings.hand_poses[...][0]") == "correct the value"
