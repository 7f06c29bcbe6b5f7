"""Topics: one table, keys that cannot be forged by a name."""

from typing import Any, get_args

import pytest

from core.link import topics
from core.link.commands import Stop
from core.link.errors import LinkError


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


@pytest.mark.parametrize("topic", topics.TOPICS, ids=lambda topic: topic.name)
def test_a_message_has_the_topic_of_its_type(topic: topics.Topic[Any]) -> None:
    if topic.type is bytes or topic in (topics.COMMAND, topics.STOP):
        return  # bytes are sent to a topic by name, a command by its urgency
    for kind in get_args(topic.type) or (topic.type,):
        assert topics.topic_of(kind.__new__(kind)) is topic


def test_a_struct_without_a_topic_is_refused() -> None:
    with pytest.raises(LinkError, match="no topic has messages of the type Stop"):
        topics.topic_of(Stop())
