"""The repertoire of the partner: taught by takes, recognised, answered, and refused."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.takes.scenes import bow, punch, raise_arms, wave
from core.link.partner import DropTake, EndTeach, RecordTake, Teach, UseRepertoire
from core.partner.clips import Clips
from core.partner.listener import LISTENS_AFTER, Heard, build_of
from core.partner.school import School
from core.robot.profile_file import load_profile
from devices.interface import PoseFrame
from shows.human import HumanTake
from shows.repertoire import (
    TAKES,
    Beat,
    Interaction,
    KnownMotion,
    Repertoire,
    load_repertoire,
    save_repertoire,
)
from tests.core.partner.performer import performed, samples_of

CLIPS = Clips(load_profile("kid_cosmo"))
FIRST = performed(wave, 0)
BUILD = build_of(FIRST.bone_lengths(), FIRST.positions[0])
SCENES: dict[str, Callable[[], HumanTake]] = {
    "wave": wave, "punch": punch, "raise_arms": raise_arms, "bow": bow,
}  # fmt: skip
ANSWERS = {"wave": "wave", "punch": "dance", "raise_arms": None, "bow": "bow"}


class Class:
    """A school with one person, on a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 10.0
        self.school = School(CLIPS)
        self.school.meet(BUILD)
        self.folder = folder
        self.tell(UseRepertoire(str(folder)))

    def tell(self, *orders: UseRepertoire | Teach | RecordTake | DropTake | EndTeach) -> str:
        """Order something, wait until it is done, and return why it was not."""
        for order in orders:
            self.school.obey(order, True)
            end_s = time.monotonic() + 30.0
            self.school.step(self.now_s)
            while self.school._loader.busy:
                assert time.monotonic() < end_s, "it is still being learned"
                time.sleep(0.005)
                self.school.step(self.now_s)
        return self.school.teaching().trouble

    def perform(self, take: HumanTake, answers: bool = False) -> list[tuple[float, Heard]]:
        """Show a take; return what was recognised, and when [s]."""
        found = []
        for sample in samples_of(take, self.now_s):
            self.now_s = sample.stamp_s
            heard = self.school.listen(sample, answers)
            if heard is not None:
                found.append((sample.stamp_s, heard))
            self.school.step(self.now_s)
        self.now_s += 1.0 / 30.0
        return found

    def take(self, take: HumanTake) -> str:
        """Record a take; return why it was not kept."""
        self.tell(RecordTake(True))
        self.perform(take)
        return self.tell(RecordTake(False))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "gala" / "repertoires" / "duel"


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repertoire of four motions, with one interaction."""
    motions: list[KnownMotion] = []
    takes: dict[str, HumanTake] = {}
    for name, scene in SCENES.items():
        own = tuple(f"{name}_{i}" for i in range(4))
        takes |= {take: performed(scene, 10 * i) for i, take in enumerate(own)}
        motions.append(KnownMotion(name=name, takes=own, answer=ANSWERS[name]))
    beats = (Beat("bow", "bow"), Beat("wave", "thumbs_up"))
    folder = tmp_path_factory.mktemp("gala") / "repertoires" / "duel"
    save_repertoire(Repertoire(tuple(motions), (Interaction("greeting", beats),), takes), folder)
    return folder


@pytest.fixture(scope="module")
def whole_class(known: Path) -> Class:
    return Class(known)


@pytest.fixture
def one(whole_class: Class) -> Class:
    """Return a school with the four motions, where none is taught."""
    whole_class.tell(EndTeach(keep=False))
    whole_class.school.restart()
    return whole_class


def test_a_motion_is_taught_by_four_takes_saved_and_recognised(folder: Path) -> None:
    folder.parents[1].mkdir()
    one = Class(folder)
    assert one.school.path == str(folder) and one.school.symbols() == ()
    for name, scene in (("punch", punch), ("wave", wave)):
        assert one.tell(Teach(name, "wave")) == ""
        for seed in range(3):
            assert one.take(performed(scene, seed)) == ""
        assert one.school.teaching().takes == 3
        assert one.tell(EndTeach()) == ("the motion has 3 of 4 takes; record more, or forget it")
        assert one.take(performed(scene, 4)) == one.tell(EndTeach()) == ""
        assert one.school.teaching().name == ""
    kept = load_repertoire(folder)
    assert [motion.name for motion in kept.motions] == ["punch", "wave"]
    assert sorted(path.stem for path in (folder / TAKES).iterdir()) == [
        f"{name}_{number}" for name in ("punch", "wave") for number in (1, 2, 3, 4)
    ]
    for school in (one, Class(folder)):
        for name, scene in (("wave", wave), ("punch", punch)):
            found = [heard.motion for _, heard in school.perform(performed(scene, 77))]
            assert found[:1] == [name]
    symbols = one.school.symbols()
    assert [(symbol.name, symbol.takes, symbol.answer) for symbol in symbols] == [
        ("punch", 4, "wave"), ("wave", 4, "wave"),
    ]  # fmt: skip
    assert symbols[0].place != symbols[1].place
    still = performed(wave, 9)
    still = HumanTake("still", 30.0, still.positions[:30], still.orientations[:30])
    assert one.tell(Teach("pause", "", True)) == ""
    assert [one.take(still) for _ in range(4)] == [""] * 4
    assert one.tell(EndTeach()) == "" and load_repertoire(folder).motions[2].idle
    assert [heard.motion for _, heard in one.perform(performed(wave, 78))][:1] == ["wave"]
    assert "'pause' is the idle motion already" in one.tell(Teach("rest", "", True))
    assert one.tell(Teach("wave", ""), EndTeach()) == ""  # it gets no more takes, but no answer
    assert load_repertoire(folder).motions[1] == KnownMotion(
        name="wave", takes=kept.motions[1].takes
    )


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        ((RecordTake(True),), "no motion is being taught"),
        ((EndTeach(),), "no motion is being taught"),
        ((Teach("wave", "levitate"),), "neither the show nor the library has the clip 'levitate'"),
        ((Teach("9_lives"),), "begin it with a letter"),
        ((Teach("pause", "bow", True),), "the idle motion has no answer"),
        ((Teach("bow", "", True),), "part of an interaction"),
        ((Teach("jump"), Teach("hop")), "keep it or forget it first"),
        ((Teach("jump"), RecordTake(False)), "no take is being recorded"),
        ((Teach("jump"), DropTake()), "no take was recorded"),
        ((Teach("jump"), RecordTake(True), RecordTake(True)), "end it first"),
        ((Teach("jump"), RecordTake(True), EndTeach()), "end it first"),
        ((Teach("jump"), RecordTake(True), RecordTake(False)), "nobody was seen"),
    ],
)
def test_an_order_that_does_not_fit_is_refused(
    one: Class, orders: tuple[Teach, ...], why: str
) -> None:
    assert why in one.tell(*orders)


def test_a_take_that_shows_nothing_or_is_interrupted_is_not_kept(one: Class) -> None:
    one.tell(Teach("kick"))
    still = performed(wave, 0)
    still = HumanTake("still", 30.0, still.positions[:30], still.orientations[:30])
    assert "moves for less than 0.4 s" in one.take(still)
    moving = performed(punch, 0)
    moving = HumanTake("late", 30.0, moving.positions[42:], moving.orientations[42:])
    assert "does not stand still" in one.take(moving)
    one.tell(RecordTake(True))
    one.perform(still)
    one.now_s += 0.25
    one.perform(still)
    assert "interrupted" in one.school.teaching().trouble
    one.tell(RecordTake(True))
    one.perform(still)
    one.now_s += 5.0
    one.school.step(one.now_s)
    assert "interrupted" in one.school.teaching().trouble
    assert one.school.teaching().recording_s is None
    assert one.take(performed(punch, 3)) == "" and one.school.teaching().takes == 1
    assert one.tell(DropTake()) == "" and one.school.teaching().takes == 0
    one.school.obey(RecordTake(True), False)
    assert "look whether the source sends" in one.school.teaching().trouble
    one.school.meet(None)
    assert "hold the T-pose first" in one.tell(RecordTake(True))
    one.school.meet(BUILD)


def test_a_repertoire_is_not_changed_while_a_motion_is_taught(known: Path, folder: Path) -> None:
    one = Class(known)
    one.tell(Teach("kick"), UseRepertoire(""))
    assert one.school.path == str(known) and "keep it or forget it" in one.school.trouble
    assert one.tell(EndTeach(keep=False), UseRepertoire("")) == ""
    assert one.school.path == "" and one.school.trouble == ""
    one.tell(UseRepertoire(str(folder.parents[1] / "nowhere" / "duel")))
    assert "does not exist" in one.school.trouble
    for path in ("a" * 4000, "\0", "/", "repertoires/" + "b" * 300):
        one.tell(UseRepertoire(path))
        assert one.school.trouble and one.school.path == ""
    assert "no repertoire is loaded" in one.tell(Teach("kick"))


def test_a_cue_s_repertoire_is_found_in_its_show(known: Path) -> None:
    one = Class(known.parent / "nothing")
    one.school.use_of_show(str(known.parent.parent), "duel")
    one.tell(EndTeach(keep=False))
    assert (one.school.name, len(one.school.symbols())) == ("duel", 4)
    one.school.use_of_show(str(known.parent.parent / "gone.zip"), "duel")
    one.tell(EndTeach(keep=False))
    assert "gone.zip" in one.school.trouble and one.school.name == ""


def test_answers_follow_the_interaction_and_the_robot_is_deaf_meanwhile(one: Class) -> None:
    ((at_s, greeted),) = one.perform(performed(bow, 50), answers=True)
    assert greeted == Heard("bow", "bow")
    one.now_s = at_s + LISTENS_AFTER * CLIPS.duration_s("bow", one.folder)
    ((_, waved),) = one.perform(performed(wave, 53), answers=True)
    assert waved == Heard("wave", "thumbs_up")  # by itself it is answered with a wave
    one.school.restart()
    ((at_s, punched),) = one.perform(performed(punch, 54), answers=True)
    assert punched == Heard("punch", "dance")
    over_s = at_s + LISTENS_AFTER * CLIPS.duration_s("dance", one.folder)
    while one.now_s + performed(raise_arms, 55).duration_s < over_s:
        assert one.perform(performed(raise_arms, 55), answers=True) == []
    one.now_s = over_s
    ((_, raised),) = one.perform(performed(raise_arms, 56), answers=True)
    assert raised == Heard("raise_arms", None)


def test_who_only_watches_hears_everything_and_does_not_answer(one: Class) -> None:
    found = [heard for name in SCENES for _, heard in one.perform(performed(SCENES[name], 60))]
    assert [heard.motion for heard in found] == list(SCENES)
    assert {heard.answer for heard in found} == {None}
    assert one.school.heard(one.now_s)[0] == "bow"


def test_the_present_motion_has_a_place(one: Class) -> None:
    places, scores = [], 0.0
    for sample in samples_of(performed(punch, 70), one.now_s):
        assert isinstance(sample, PoseFrame)
        one.school.listen(sample, False)
        places.append(one.school.heard(sample.stamp_s)[2])
        scores = max(scores, one.school.symbols()[1].score)
    assert places[5] is None and scores > 0.9
    own = one.school.symbols()[1].place
    assert any(place == pytest.approx(own, abs=0.05) for place in places if place is not None)
