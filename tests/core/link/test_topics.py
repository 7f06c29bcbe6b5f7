"""Topics: one table, and keys that no robot name can forge."""

from typing import get_args

import pytest

from core.link import topics
from core.link.commands import Stop
from core.link.errors import LinkError
from core.link.requests import KeepHandsetMap
from core.link.sound import VoiceStop


def test_the_names_differ_and_are_bounded() -> None:
    names = [topic.name for topic in topics.TOPICS]
    assert len(set(names)) == len(names)
    assert all(topic.max_bytes > 0 and topic.depth > 0 for topic in topics.TOPICS)


def test_a_key_tells_robot_topic_and_sender() -> None:
    assert topics.key("kid_cosmo", topics.STOP, "a-1") == "footlight/kid_cosmo/stop/a-1"
    assert topics.key("kid_cosmo", topics.STATUS) == "footlight/kid_cosmo/status/*"


@pytest.mark.parametrize("robot", ["", "*", "a/b", "A", "**", "a" * 49, "a\n"])
def test_a_robot_is_no_wildcard(robot: str) -> None:
    with pytest.raises(LinkError, match="robot name"):
        topics.key(robot, topics.STATUS)


def test_a_message_has_the_topic_of_its_type_which_no_other_topic_has() -> None:
    by_name = (topics.COMMAND, topics.STOP)  # a command's topic is chosen by its urgency
    kinds = [
        kind
        for topic in topics.TOPICS
        if topic not in by_name and topic.type is not bytes
        for kind in (get_args(topic.type) or (topic.type,))
    ]
    assert len(set(kinds)) == len(kinds)
    assert topics.topic_of(KeepHandsetMap(None)) is topics.KEEP
    assert topics.topic_of(VoiceStop()) is topics.VOICE


def test_a_struct_without_a_topic_is_refused() -> None:
    with pytest.raises(LinkError, match="no topic has messages of the type Stop"):
        topics.topic_of(Stop())
