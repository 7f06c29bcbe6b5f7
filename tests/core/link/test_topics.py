"""Topics: one table, keys that cannot be forged by a name."""

import pytest

from core.link import topics
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
