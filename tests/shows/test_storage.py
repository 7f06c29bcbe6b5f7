"""A show comes back as it was saved, or is refused in one line that names file and place."""

import copy
import json
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows import storage
from shows.document import (
    Cue,
    GestureClip,
    GestureTrack,
    LiveClip,
    LiveTrack,
    Show,
    VoiceClip,
    VoiceTrack,
)
from shows.errors import ShowError
from shows.motion import encode_motion, save_motion
from shows.pose import Pose
from shows.repertoire_files import repertoire_files
from shows.storage import LoadedShow, encode_show, load_show, save_show
from tests.shows.examples import (
    ARMS,
    joint_table,
    save_small_show,
    small_show,
    wave_motion,
    write_wav,
)

JOINTS = joint_table()
TURNED = Pose("turned", {"head_yaw": 0.3})
Document = dict[str, Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_small_show(tmp_path / "small")


def load(source: Path) -> LoadedShow:
    """Load a show beside an empty gesture library."""
    return load_show(source, JOINTS, (source.parent / "no gestures",), source.parent / "cache")


def refusal(folder: Path) -> ShowError:
    with pytest.raises(ShowError) as refused:
        load(folder)
    error = refused.value
    assert type(error) is ShowError
    assert error.file
    assert error.reason
    assert len(str(error).splitlines()) == 1
    return error


@pytest.mark.parametrize("name", ["folder", "archive.zip"])
def test_a_saved_show_comes_back(tmp_path: Path, name: str) -> None:
    save_small_show(tmp_path / name)
    loaded = load(tmp_path / name)
    assert loaded.show == small_show()
    assert set(loaded.motions) == {"wave"}
    np.testing.assert_allclose(
        loaded.motions["wave"].positions, wave_motion().positions, rtol=0.0, atol=1e-6
    )
    assert loaded.audio["hello"].duration_s == 0.5
    assert loaded.audio["hello"].path.is_file()
    assert loaded.audio["hello"].path.is_relative_to(loaded.folder)
    assert loaded.warnings == ()
    assert loaded.duration_s("1") == 5.0
    assert loaded.duration_s("2.5") == 2.0


@pytest.mark.parametrize("name", ["folder", "archive.zip"])
def test_poses_come_back_and_a_broken_one_is_left_out_with_place_and_reason(
    tmp_path: Path, name: str
) -> None:
    place = tmp_path / name
    poses = [Pose("hero", {"left_elbow": 0.5}, "Hero", "recorded", ("big",)), TURNED]
    write_wav(tmp_path / "sounds" / "hello.wav")
    sounds = {"hello": tmp_path / "sounds" / "hello.wav"}
    save_show(small_show(), place, [wave_motion()], sounds, poses)
    loaded = load(place)
    assert set(loaded.poses) == {"hero", "turned"}
    hero = loaded.poses["hero"]
    assert (dict(hero.angles), hero.title, hero.tags) == ({"left_elbow": 0.5}, "Hero", ("big",))
    path = loaded.folder / "poses" / "hero.json"
    path.write_text(path.read_text().replace("0.5", "5.5"))
    spoilt = load(loaded.folder)
    assert set(spoilt.poses) == {"turned"}
    (said,) = [text for text in spoilt.warnings if "hero" in text]
    assert "poses/hero.json, line 10, angles, left_elbow" in said
    assert "5.5 rad is outside its limits" in said and "the pose is left out" in said


def live_show(folder: Path, repertoire: bytes | None) -> Path:
    """Save a show with a live clip that answers from the repertoire "duel"."""
    clip = LiveClip(length_s=9.0, mode="answer", repertoire="duel")
    show = Show(
        name="x", robot="tester", cues=(Cue(number="1", tracks=(LiveTrack(clips=(clip,)),)),)
    )
    save_show(show, folder, (), {})
    if repertoire is not None:
        place = folder / "repertoires" / "duel"
        (place / "takes").mkdir(parents=True)
        (place / "repertoire.json").write_bytes(repertoire)
        (place / "takes" / "punch_1.bvh").write_bytes(b"HIERARCHY")
    return folder


DUEL = b"""{"schema": 1, "motions": [{"name": "punch", "takes": ["punch_1"], "answer": "block"}],
"interactions": [{"name": "bout", "beats": [{"motion": "punch", "answer": "hit"}]}]}"""


def test_repertoires_go_with_a_show_and_tell_its_answers(tmp_path: Path) -> None:
    folder = live_show(tmp_path / "live", DUEL)
    found = load(folder)
    assert found.answers == {"duel": ("block", "hit")} and found.warnings == ()
    save_show(found.show, tmp_path / "live.zip", (), {}, (), repertoire_files(folder))
    packed = load(tmp_path / "live.zip")
    assert packed.answers == found.answers
    assert repertoire_files(packed.folder).keys() == repertoire_files(folder).keys()


@pytest.mark.parametrize(
    ("repertoire", "words"),
    [
        (None, "the show has no repertoire 'duel'"),
        (b"[]", "repertoires/duel/repertoire.json: is no repertoire"),
    ],
)
def test_a_live_clip_without_a_repertoire_that_can_be_read_is_refused(
    tmp_path: Path, repertoire: bytes | None, words: str
) -> None:
    assert words in str(refusal(live_show(tmp_path / "live", repertoire)))


def test_too_many_poses_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MAX_POSES", 1)
    save_show(small_show(), folder, [], {}, [TURNED, Pose("other", {"head_yaw": 0.0})])
    assert "more than 1 poses" in str(refusal(folder))


def test_show_json_may_be_named_instead_of_its_folder(folder: Path) -> None:
    assert load(folder / "show.json").show == small_show()


def test_a_show_lies_in_plain_files_of_known_names(folder: Path) -> None:
    names = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert names == {"show.json", "motions/wave.json", "audio/hello.wav"}


def test_a_zip_is_the_same_for_the_same_show(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        save_small_show(tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_shows_own_motion_goes_before_the_gesture_of_the_same_name(
    tmp_path: Path, folder: Path
) -> None:
    gestures = tmp_path / "gestures"
    save_motion(wave_motion(seconds=9.0), gestures / "wave.json")
    assert load_show(folder, JOINTS, (gestures,)).motions["wave"].duration_s == 2.0
    (folder / "motions" / "wave.json").unlink()
    track = GestureTrack(clips=(GestureClip(motion="wave"),))
    show = Show(name="x", cues=(Cue(number="1", tracks=(track,)),))
    (folder / "show.json").write_bytes(encode_show(show))
    assert load_show(folder, JOINTS, (gestures,)).motions["wave"].duration_s == 9.0


def test_an_unfinished_show_is_loaded_with_its_faults_as_warnings(folder: Path) -> None:
    clips = (GestureClip(motion="wave"), GestureClip(motion="wave"), GestureClip(motion="bow"))
    show = Show(name="x", cues=(Cue(number="1", tracks=(GestureTrack(clips=clips),)),))
    (folder / "show.json").write_bytes(encode_show(show))
    assert "no motion 'bow'" in str(refusal(folder))
    loaded = load_show(folder, JOINTS, (folder / "none",), folder / "cache", unfinished=True)
    assert loaded.show == show
    assert any("no motion 'bow'" in warning for warning in loaded.warnings)


def test_a_bad_gesture_of_the_library_is_refused_by_its_name(tmp_path: Path, folder: Path) -> None:
    gestures = tmp_path / "gestures"
    gestures.mkdir()
    (folder / "motions" / "wave.json").rename(gestures / "wave.json")
    (gestures / "wave.json").write_bytes(b"{")
    with pytest.raises(ShowError) as refused:
        load_show(folder, JOINTS, (gestures,))
    assert refused.value.file == "gestures/wave.json"


def test_a_bad_motion_that_no_cue_names_is_left_out_with_a_warning(folder: Path) -> None:
    (folder / "motions" / "bow.json").write_bytes(b"{")
    (folder / "motions" / "nod.json").write_bytes(encode_motion(wave_motion("nod")))
    loaded = load(folder)
    assert set(loaded.motions) == {"nod", "wave"}
    (warning,) = loaded.warnings
    assert warning.startswith("small/motions/bow.json, line 1")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda f: shutil.rmtree(f), "small: does not exist"),
        (lambda f: (f / "show.json").unlink(), "small/show.json: does not exist"),
        (lambda f: (f / "motions/wave.json").unlink(), "no motion 'wave'"),
        (lambda f: (f / "motions/wave.json").write_bytes(b""), "small/motions/wave.json, line 1"),
        (lambda f: (f / "audio/hello.wav").unlink(), "no sound 'hello'"),
        (lambda f: (f / "audio/hello.wav").write_bytes(b"RIFF"), "small/audio/hello.wav: is no"),
        (lambda f: (f / "audio/hello.flac").write_bytes(b"fLaC"), "small/audio/hello.flac: is no"),
        (lambda f: os.truncate(f / "show.json", 2**33), "small/show.json: is larger than 8 MiB"),
        (lambda f: os.truncate(f / "motions/wave.json", 2**34), "wave.json: is larger than"),
        (lambda f: (f / "show.json").write_bytes(b"[" * 10**6), "must be a group of keys"),
        (lambda f: (f / "show.json").write_bytes(b'{"a":' * 10**6), "'a' is unknown"),
    ],
)
def test_refuses_a_spoilt_folder(folder: Path, spoil: Callable[[Path], object], words: str) -> None:
    spoil(folder)
    assert words in str(refusal(folder))


def test_refuses_a_file_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "show.zip"
    path.write_bytes(b"hello")
    assert "cannot be unpacked" in refusal(path).reason


def test_a_show_cut_anywhere_is_refused(folder: Path) -> None:
    path = folder / "show.json"
    data = msgspec.json.encode(json.loads(path.read_bytes()))
    for length in range(len(data)):
        path.write_bytes(data[:length])
        assert refusal(folder).place.startswith("line 1")
    path.write_bytes(data)
    assert load(folder).show == small_show()


def walk(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value in a document, the document's own first."""
    paths = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            paths += walk(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            paths += walk(inner, (*path, i))
    return paths


GOOD: Document = json.loads(encode_show(small_show()))
PATHS = walk(GOOD)


def put(document: Document, path: tuple[Any, ...], value: Any) -> None:
    inner: Any = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value


def get(document: Document, path: tuple[Any, ...]) -> Any:
    inner: Any = document
    for step in path:
        inner = inner[step]
    return inner


@pytest.mark.parametrize("path", PATHS[1:], ids=lambda p: ".".join(map(str, p)))
def test_no_value_may_be_infinite_of_another_type_or_deep(folder: Path, path: Any) -> None:
    deep: Any = []
    for _ in range(50):
        deep = [deep]
    for bad in (float("nan"), float("inf"), 10**400, deep, {"a": {"b": 1}}, True):
        if bad is True and isinstance(get(GOOD, path), bool):
            continue
        document = copy.deepcopy(GOOD)
        put(document, path, bad)
        (folder / "show.json").write_text(json.dumps(document, indent=1))
        error = refusal(folder)
        assert error.file == "small/show.json"
        assert error.place.startswith("line ")


@pytest.mark.parametrize(
    "path",
    [p for p in PATHS if isinstance(get(GOOD, p), dict) and "hand_poses" not in p],
    ids=lambda p: ".".join(map(str, p)),
)
def test_an_unknown_key_is_refused_anywhere(folder: Path, path: Any) -> None:
    document = copy.deepcopy(GOOD)
    get(document, path)["colourr"] = "red"
    text = json.dumps(document, indent=1)
    (folder / "show.json").write_text(text)
    error = refusal(folder)
    line = 1 + next(i for i, row in enumerate(text.splitlines()) if "colourr" in row)
    assert error.place.startswith(f"line {line}, ")
    assert error.reason == "the key 'colourr' is unknown"


CUE = ("cues", 0)
GESTURE = (*CUE, "tracks", 0, "clips", 1)
WALK = ("cues", 1, "tracks", 0, "clips", 0)
VOICE = ("cues", 1, "tracks", 1, "clips", 0)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("schema",), 1, "schema"),
        ((*CUE, "number"), "2.5", "cue 2.5, number"),
        ((*CUE, "number"), "", "cue 1, number"),
        ((*CUE, "continue_mode"), "auto", "cue 1, continue_mode"),
        ((*CUE, "next"), "1", "cue 1, continue_mode"),
        ((*CUE, "next"), "3", "cue 1, next"),
        ((*CUE, "pre_wait_s"), -1.0, "cue 1, pre_wait_s"),
        ((*CUE, "post_wait_s"), 5000.0, "cue 1, post_wait_s"),
        ((*CUE, "colour"), "mauve", "cue 1, colour"),
        ((*CUE, "exit_stance"), "lying", "cue 1, exit_stance"),
        ((*CUE, "safe_points_s", 1), 6.0, "cue 1, safe_points_s 2"),
        ((*CUE, "tracks", 0, "kind"), "head", "cue 1, track 1, clip 1"),
        ((*GESTURE, "start_s"), -0.1, "clip 2, start_s"),
        ((*GESTURE, "start_s"), 3000.0 * 1000.0, "clip 2, start_s"),
        ((*GESTURE, "motion"), "bow", "clip 2, motion"),
        ((*GESTURE, "motion"), "../wave", "clip 2, motion"),
        ((*GESTURE, "groups"), [], "clip 2, groups"),
        ((*GESTURE, "groups"), ["right_arm"], "clip 2, group 1"),
        ((*GESTURE, "speed"), 0.0, "clip 2, speed"),
        ((*GESTURE, "speed"), 1000.0, "clip 2, speed"),
        ((*GESTURE, "length_s"), 0.0, "clip 2, length_s"),
        ((*WALK, "vx"), 0.21, "clip 1, vx"),
        ((*WALK, "vx"), 100.0, "clip 1, vx"),
        ((*WALK, "yaw_rate"), -0.7, "clip 1, yaw_rate"),
        ((*VOICE, "phrase"), "bye", "clip 1, phrase"),
        ((*VOICE, "phrase"), "../../etc/passwd", "clip 1, phrase"),
        ((*VOICE, "volume"), 1.1, "clip 1, volume"),
        (("settings", "walk", "forward"), 99.0, "settings, walk, forward"),
        (("settings", "hand_poses", "point"), [0.0] * 4, "settings, hand_poses"),
        (("settings", "hand_poses", "point"), [0.0] * 4 + [2.0], "settings, hand_poses"),
    ],
)
def test_names_the_line_and_the_place_of_a_bad_value(
    folder: Path, path: tuple[Any, ...], value: Any, place: str
) -> None:
    document = copy.deepcopy(GOOD)
    put(document, path, value)
    (folder / "show.json").write_text(json.dumps(document, indent=1))
    error = refusal(folder)
    assert error.file == "small/show.json"
    assert error.place.startswith("line ")
    assert place in error.place
    assert error.advice


def test_every_fault_of_a_show_is_told_with_its_cue(folder: Path) -> None:
    document = copy.deepcopy(GOOD)
    put(document, ("cues", 0, "pre_wait_s"), -1.0)
    put(document, ("cues", 1, "name"), 7)
    put(document, ("cues", 1, "colourr"), "red")
    document.pop("name")
    (folder / "show.json").write_text(json.dumps(document, indent=1))
    error = refusal(folder)
    told = sorted(
        (fault.place.partition(", ")[2], fault.reason) for fault in (error, *error.others)
    )
    assert told == [
        ("cue 1, pre_wait_s", "must be a number of at least 0.0"),
        ("cue 2.5, colourr", "the key 'colourr' is unknown"),
        ("cue 2.5, name", "must be text, not a whole number"),
        ("the whole", "'name' is missing"),
    ]
    assert str(error).count("cue ") >= 3


def test_every_clip_that_is_wrong_is_told(folder: Path) -> None:
    document = copy.deepcopy(GOOD)
    put(document, (*GESTURE, "motion"), "bow")
    put(document, (*VOICE, "phrase"), "bye")
    (folder / "show.json").write_text(json.dumps(document, indent=1))
    error = refusal(folder)
    assert len(error.others) == 1
    assert "'bow'" in str(error) and "'bye'" in str(error)


def test_a_thousand_times_the_cues_are_refused(folder: Path) -> None:
    document = copy.deepcopy(GOOD)
    document["cues"] = [GOOD["cues"][0] | {"number": str(i)} for i in range(2001)]
    (folder / "show.json").write_bytes(msgspec.json.encode(document))
    error = refusal(folder)
    assert "at most 2000 items" in error.reason


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(st.characters(exclude_categories=()), max_size=8),
    st.lists(st.floats() | st.text(max_size=3), max_size=6),
    st.sampled_from(["wave", "auto_follow", "1", "2.5", "left", "walking"]),
)


@given(st.data())
def test_a_mutant_is_a_good_show_or_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "mutant"
    if not folder.exists():
        save_small_show(folder)
    document = copy.deepcopy(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(walk(document)[1:]))
        match data.draw(st.sampled_from(["replace", "remove", "repeat", "copy"])):
            case "replace":
                put(document, path, data.draw(values))
            case "remove":
                del get(document, path[:-1])[path[-1]]
            case "repeat":
                put(document, path, [copy.deepcopy(get(document, path))] * 2)
            case "copy":
                other = data.draw(st.sampled_from(walk(document)[1:]))
                put(document, path, copy.deepcopy(get(document, other)))
        if not document:
            break
    (folder / "show.json").write_text(json.dumps(document, indent=1))
    try:
        loaded = load(folder)
    except ShowError as error:
        assert type(error) is ShowError
        assert error.file.startswith("mutant/")
        assert error.place.startswith("line ")
        assert len(str(error).splitlines()) == 1
    else:
        assert encode_show(loaded.show)


@given(st.data())
def test_damaged_bytes_are_a_good_show_or_are_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    if not folder.exists():
        save_small_show(folder)
    text = bytearray(encode_show(small_show()))
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    (folder / "show.json").write_bytes(text)
    try:
        load(folder)
    except ShowError as error:
        assert error.file.startswith("damaged/")
        assert len(str(error).splitlines()) == 1


def test_saving_over_a_show_keeps_files_that_are_not_named(folder: Path) -> None:
    (folder / "takes").mkdir()
    (folder / "takes" / "raw.json").write_bytes(b"raw")
    save_show(Show(name="New"), folder, [wave_motion("bow")], {})
    assert load(folder).show.name == "New"
    names = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert names == {
        "show.json",
        "motions/wave.json",
        "motions/bow.json",
        "audio/hello.wav",
        "takes/raw.json",
    }


@pytest.mark.parametrize("name", ["folder", "archive.zip"])
def test_a_disk_that_fails_at_any_step_leaves_the_old_show_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    old = small_show()
    place = save_small_show(tmp_path / name, old)
    new = Show(name="New", robot=old.robot, settings=old.settings, cues=old.cues[:1])
    calls, fails_at = 0, 0

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == fails_at:
                raise OSError(28, "No space left on device")
            return real(*args)

        return call

    monkeypatch.setattr(os, "fsync", failing(os.fsync))
    monkeypatch.setattr(os, "replace", failing(os.replace))
    found: list[Show] = []
    refused = True
    while refused:
        save_small_show(place, old)
        step = len(found) + 1
        calls, fails_at = 0, step
        try:
            save_show(new, place, [wave_motion(seconds=1.8)], {})
            refused = False
        except ShowError as error:
            assert "No space left on device" in error.reason
        fails_at = 0
        found.append(load(place).show)
        assert list(tmp_path.rglob(".*")) == [], "no temporary file stays"
    assert len(found) > 3
    assert found[0] == old
    assert found[-1] == new
    assert all(show in (old, new) for show in found)


def test_a_show_that_could_not_be_read_back_is_not_saved(folder: Path) -> None:
    before = (folder / "show.json").read_bytes()
    nan = float("nan")
    for bad in (
        Show(name="x" * 999),
        Show(name="\ud800"),
        Show(name="x", cues=(Cue(number="1", pre_wait_s=nan),)),
        Show(name="x", cues=(Cue(number="../1"),)),
    ):
        with pytest.raises(ShowError):
            save_show(bad, folder, [], {})
    assert (folder / "show.json").read_bytes() == before


def test_a_sound_of_another_kind_is_not_saved(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.mp3").write_bytes(b"ID3")
    with pytest.raises(ShowError, match="is not a FLAC or WAV"):
        save_show(small_show(), folder, [], {"hello": tmp_path / "a.mp3"})
    with pytest.raises(ShowError, match=r"gone\.wav: does not exist"):
        save_show(small_show(), folder, [], {"hello": tmp_path / "gone.wav"})


def test_an_unfinished_show_can_be_saved_and_is_refused_at_loading(folder: Path) -> None:
    track = VoiceTrack(clips=(VoiceClip(phrase="later"),))
    save_show(Show(name="x", cues=(Cue(number="1", tracks=(track,)),)), folder, [], {})
    assert "no sound 'later'" in refusal(folder).reason


def test_saved_files_may_be_read_by_the_robots_own_user(folder: Path) -> None:
    for path in folder.rglob("*.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_flac_goes_before_wav(folder: Path, tmp_path: Path) -> None:
    assert storage.find_audio(folder, "hello") == folder / "audio" / "hello.wav"
    write_wav(folder / "audio" / "hello.flac")
    assert storage.find_audio(folder, "hello") == folder / "audio" / "hello.flac"
    assert storage.find_audio(folder, "bye") is None


def test_the_cache_is_the_users_and_follows_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert storage.default_cache() == tmp_path / "footlight" / "shows"
    save_small_show(tmp_path / "a.zip")
    assert load_show(tmp_path / "a.zip", JOINTS).folder.is_relative_to(tmp_path / "footlight")


def test_a_motion_with_other_joints_than_the_robots_is_refused(folder: Path) -> None:
    motion = replace(wave_motion(), joint_names=("head_yaw", "right_shoulder_pitch", "right_hoof"))
    (folder / "motions" / "wave.json").write_bytes(encode_motion(motion))
    error = refusal(folder)
    assert error.file == "small/motions/wave.json"
    assert "right_hoof" in error.reason


def test_a_show_of_another_robot_is_refused_with_what_could_be_mapped(folder: Path) -> None:
    arms = replace(joint_table(ARMS), robot="cell")
    with pytest.raises(ShowError) as refused:
        load_show(folder, arms, (), robots={"tester": JOINTS}.get)
    assert refused.value.place == "line 4, robot"
    assert refused.value.reason == (
        "the show was made for tester, not for cell; cell has a counterpart for left_arm, "
        "right_arm, but not for head, left_hand, right_hand, and can play the tracks gesture, "
        "voice, light, network, but not head, hands, walk"
    )
    with pytest.raises(ShowError, match="made for tester, not for cell; choose"):
        load_show(folder, arms, ())
