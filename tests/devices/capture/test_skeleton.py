"""The skeleton is that of shows/human.py, which devices cannot import."""

import pytest

from devices.capture import skeleton
from devices.capture.errors import CaptureError
from devices.capture.skeleton import BONES, FILLED, sources_of
from shows import human


def test_the_bones_are_those_of_a_take_and_the_import_fills_the_same() -> None:
    assert skeleton.BONES == human.BONES
    assert skeleton.PARENT_OF == human.PARENT_OF
    assert skeleton.PARENTS == human.PARENTS and skeleton.INDEX == human.INDEX


def test_a_bone_that_nothing_can_stand_for_is_named() -> None:
    needed = {bone: at for at, bone in enumerate(BONES) if bone not in FILLED}
    assert len(sources_of(needed, [])) == len(BONES)
    del needed["left_hand"]
    with pytest.raises(CaptureError, match="there is no left hand"):
        sources_of(needed, [])
