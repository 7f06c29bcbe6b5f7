"""A foot's contact board: what is unknown, then what touches."""

import math
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.contacts import ContactBoard, ContactBoardSettings, Threshold
from devices.families.boards.wire.contacts import OLD_US, ContactFault, Contacts
from devices.families.boards.wire.identity import Board
from devices.wire.frame import Frame
from tests.devices.families.boards.far_board import FarBoard, Rig

SETTINGS = ContactBoardSettings(
    device="left foot's contact board",
    line="boards",
    source=0x60,
    switches=("left_heel", "left_toe"),
)
NONE = ContactFault(0)
THRESHOLDS = (
    Threshold(pressed=2000, released=1500),
    Threshold(pressed=1000, released=1200),  # falls when it is pressed
)


class Foot:
    def __init__(self, folder: Path, settings: ContactBoardSettings = SETTINGS) -> None:
        self.driver = ContactBoard(settings)
        self.far = FarBoard(0x60, Board.CONTACTS)
        self.rig = Rig(folder, [self.driver])
        self.rig.tick(self.far.plate(self.rig.now_s))

    def says(
        self,
        touching: int,
        unhealthy: int = 0,
        faults: ContactFault = NONE,
        age_us: int = 0,
        raw: tuple[int, ...] = (1, 2),
    ) -> list[bool]:
        message = Contacts(touching, unhealthy, faults, age_us, raw)
        age_s = 0.0 if age_us == OLD_US else 1e-6 * age_us
        self.rig.tick(self.far.says(message, self.rig.now_s + 0.002, age_s), 0.002)
        return self.touching

    @property
    def touching(self) -> list[bool]:
        found: list[bool] = self.driver.touching.tolist()
        return found

    @property
    def age_s(self) -> float:
        return self.driver.age_s(self.rig.now_s)


@pytest.fixture
def foot(tmp_path: Path) -> Iterator[Foot]:
    foot = Foot(tmp_path)
    yield foot
    foot.rig.close()


def test_before_the_first_sample_nothing_touches_and_nothing_is_known(foot: Foot) -> None:
    assert foot.touching == [False, False]
    assert foot.age_s == math.inf


def test_a_silent_board_keeps_its_values_and_its_age_grows(foot: Foot) -> None:
    assert foot.says(0b01) == [True, False]
    foot.rig.tick(seconds=0.05)
    assert foot.touching == [True, False]
    assert foot.age_s == pytest.approx(0.05)
    foot.rig.tick(seconds=0.1)
    (told,) = foot.rig.line.troubles(foot.rig.now_s)
    assert told.grave and "silent" in told.text


def test_a_sample_is_as_old_as_its_board_says(foot: Foot) -> None:
    foot.says(0b01, age_us=8000)
    assert foot.age_s == pytest.approx(0.008)


def test_old_samples_are_reported_although_frames_arrive(foot: Foot) -> None:
    foot.says(0b11)
    for i in range(30):
        foot.says(0b00, age_us=min(1000 + 2000 * i, OLD_US), raw=(9, 9))
    # The far board stamped them all with the one time at which it measured.
    assert foot.age_s > 0.02
    (told,) = foot.rig.line.troubles(foot.rig.now_s)
    assert told.grave and "samples are old" in told.text


@pytest.mark.parametrize("faults", [ContactFault.CONVERTER, NONE])
def test_a_board_without_valid_contacts_ages(foot: Foot, faults: ContactFault) -> None:
    foot.says(0b10)
    for _ in range(30):
        assert foot.says(0b01, unhealthy=0 if faults else 0b11, faults=faults) == [False, True]
    assert foot.age_s > 0.05
    told = foot.rig.line.troubles(foot.rig.now_s)
    assert told and all(trouble.grave for trouble in told)


def test_the_healthy_switches_replace_an_unhealthy_one(foot: Foot) -> None:
    assert foot.says(0b10, unhealthy=0b01) == [True, True]
    assert foot.says(0b01, unhealthy=0b01) == [False, False]
    assert foot.says(0b01, unhealthy=0b10) == [True, True]
    (told,) = foot.rig.line.troubles(foot.rig.now_s)
    assert not told.grave
    assert told.text == "its switch left toe is open, shorted or stuck; check its plug"
    assert foot.age_s == pytest.approx(0.0, abs=1e-6)


def test_another_number_of_switches_is_refused(foot: Foot) -> None:
    assert foot.says(0b111, raw=(1, 2, 3)) == [False, False]
    foot.rig.tick(seconds=0.2)
    (text,) = foot.rig.texts()
    assert "3 switches, and 2 are expected" in text


def test_another_kind_of_message_is_refused(foot: Foot) -> None:
    from tests.devices.families.boards.wire.examples import EXAMPLES

    foot.rig.tick(foot.far.says(EXAMPLES["Battery"], foot.rig.now_s))
    foot.rig.tick(seconds=0.2)
    (text,) = foot.rig.texts()
    assert "kind 0x30 is not a contact board's" in text


def test_a_late_line_is_an_old_sample(foot: Foot) -> None:
    for _ in range(600):
        foot.says(0b01)
    message = Contacts(0b00, 0, NONE, 0, (1, 2))
    foot.rig.tick(foot.far.says(message, foot.rig.now_s - 0.06))
    assert foot.age_s == pytest.approx(0.061, abs=1e-3)


def test_thresholds_of_this_robot_have_hysteresis_either_way(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(SETTINGS, thresholds=THRESHOLDS)
    foot = Foot(tmp_path, settings)
    assert foot.says(0b00, raw=(1999, 1001)) == [False, False]
    assert foot.says(0b00, raw=(2000, 1000)) == [True, True]
    assert foot.says(0b00, raw=(1501, 1199)) == [True, True]
    assert foot.says(0b11, raw=(1500, 1200)) == [False, False]
    foot.rig.close()


def test_a_board_may_have_any_number_of_switches() -> None:
    four = msgspec.structs.replace(SETTINGS, switches=("a", "b", "c", "d"))
    board = ContactBoard(four)
    for touching, unhealthy, found in (
        (0b1010, 0, [False, True, False, True]),
        (0b0001, 0b0100, [True, False, True, False]),
        (0b0100, 0b0100, [False, False, False, False]),
        (0b1111, 0b1111, [False, False, False, False]),
    ):
        message = Contacts(touching, unhealthy, NONE, 0, (1, 2, 3, 4))
        board.take(Frame(Contacts.KIND, 0x60, 0, 0, message.encode()), 1.0)
        assert board.touching.tolist() == found


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 0xFFFF)), max_size=30)
)
def test_the_age_never_shrinks_without_a_healthy_sample(
    samples: list[tuple[int, int, int]],
) -> None:
    driver = ContactBoard(SETTINGS)
    now_s, stamp_s = 10.0, -math.inf
    for i, (touching, unhealthy, age_us) in enumerate(samples):
        now_s += 0.002
        message = Contacts(touching, unhealthy, NONE, age_us, (5, 6))
        frame = Frame(Contacts.KIND, 0x60, i, 2000 * i, message.encode())
        before = driver.touching.tolist()
        driver.take(frame, now_s)
        if unhealthy == 3 or age_us == OLD_US:
            assert driver.age_s(now_s) == now_s - stamp_s
            assert driver.touching.tolist() == before
        stamp_s = now_s - driver.age_s(now_s)
        assert driver.age_s(now_s) >= 0.0


@pytest.mark.parametrize(
    "thresholds",
    [[{"pressed": 5, "released": 5}] * 2, [{"pressed": 5, "released": 4}], [{"pressed": -1}]],
)
def test_thresholds_that_make_no_sense_are_refused(thresholds: list[dict[str, int]]) -> None:
    raw = msgspec.to_builtins(SETTINGS) | {"thresholds": thresholds}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, ContactBoardSettings)
