"""A repertoire: its file, its takes, and what does not fit."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.takes.scenes import wave
from shows.errors import ShowError
from shows.human import HumanTake
from shows.repertoire import (
    FILE,
    LEAST_TAKES,
    MOST_TAKE_S,
    TAKES,
    Beat,
    Interaction,
    KnownMotion,
    Repertoire,
    load_repertoire,
    save_repertoire,
)
from tests.draws import share

WAVE = wave().normalised()
NAMES = ("wave_1", "wave_2", "wave_3", "wave_4")
KNOWN = KnownMotion(name="wave", takes=NAMES, answer="wave_back")
REPERTOIRE = Repertoire(
    (KNOWN,), (Interaction("greeting", (Beat("wave", "bow"),)),), dict.fromkeys(NAMES, WAVE)
)

names = st.from_regex(r"\A[a-z][a-z0-9_]{0,20}\Z")


@st.composite
def repertoires(draw: st.DrawFn) -> Repertoire:
    """Return repertoires of one person, whose takes begin at any time of one."""
    motions, takes = [], {}
    chosen = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    idle = draw(st.sampled_from([*chosen, ""]))
    for name in chosen:
        own = [f"{name}_{i}" for i in range(LEAST_TAKES)]
        for take in own:
            first = draw(st.integers(0, len(WAVE.positions) - 3))
            part = slice(first, first + 3)
            takes[take] = HumanTake(
                take, WAVE.rate_hz, WAVE.positions[part], WAVE.orientations[part]
            ).normalised()
        answer = None if name == idle else draw(st.none() | names)
        motions.append(KnownMotion(name=name, takes=tuple(own), answer=answer, idle=name == idle))
    spoken = [name for name in chosen if name != idle]
    beats = st.builds(Beat, st.sampled_from(spoken), names) if spoken else st.nothing()
    interactions = draw(
        st.lists(
            st.builds(Interaction, names, st.lists(beats, min_size=1, max_size=3).map(tuple)),
            max_size=2 if spoken else 0,
            unique_by=lambda one: one.name,
        )
    )
    return Repertoire(tuple(motions), tuple(interactions), takes)


@settings(max_examples=share(60))
@given(repertoires())
def test_what_is_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, made: Repertoire
) -> None:
    folder = tmp_path_factory.mktemp("show") / "repertoires" / "duel"
    save_repertoire(made, folder)
    found = load_repertoire(folder)
    assert (found.motions, found.interactions) == (made.motions, made.interactions)
    assert found.takes.keys() == made.takes.keys()
    for name, take in made.takes.items():
        assert found.takes[name].rate_hz == take.rate_hz
        np.testing.assert_allclose(found.takes[name].positions, take.positions, atol=1e-6)
        np.testing.assert_allclose(found.takes[name].orientations, take.orientations, atol=1e-6)
    assert not [path for path in folder.rglob(".*") if path.is_file()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_repertoire(REPERTOIRE, tmp_path / "duel")
    return tmp_path / "duel"


def rewritten(folder: Path, **changes: Any) -> str:
    """Return why a repertoire is refused whose first motion, or whole, is changed."""
    document = json.loads((folder / FILE).read_text())
    for key, value in changes.items():
        (document if key in ("interactions", "schema") else document["motions"][0])[key] = value
    (folder / FILE).write_text(json.dumps(document, indent=1))
    with pytest.raises(ShowError) as caught:
        load_repertoire(folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": 2}, "schema"),
        ({"colour": "red"}, "colour"),
        ({"name": "Wave"}, "lower-case"),
        ({"takes": NAMES[:3]}, "'wave' has 3 of 4 takes; record more"),
        ({"takes": (*NAMES[:3], "wave_1")}, "the take 'wave_1' is named twice"),
        ({"takes": (*NAMES[:3], "../show")}, "lower-case"),
        ({"takes": (*NAMES[:3], "gone")}, "takes/gone.bvh: does not exist"),
        ({"idle": True}, "the idle motion has an answer"),
        (
            {"interactions": [{"name": "duel", "beats": [{"motion": "kick", "answer": "bow"}]}]},
            "the motion 'kick' is not known",
        ),
        ({"interactions": [{"name": "duel", "beats": []}]}, "beats"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    folder: Path, changes: dict[str, Any], said: str
) -> None:
    assert said in rewritten(folder, **changes)


def test_a_damaged_take_is_refused_by_its_name(folder: Path) -> None:
    path = folder / TAKES / "wave_2.bvh"
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ShowError, match=r"takes/wave_2\.bvh"):
        load_repertoire(folder)


def test_a_long_take_is_refused() -> None:
    count = round((MOST_TAKE_S + 1.0) * WAVE.rate_hz)
    frames = np.resize(np.arange(len(WAVE.positions)), count)
    long = HumanTake("long", WAVE.rate_hz, WAVE.positions[frames], WAVE.orientations[frames])
    with pytest.raises(ShowError, match="longer than 30 s"):
        Repertoire((KNOWN,), (), dict.fromkeys(NAMES, WAVE) | {"wave_3": long})


def test_a_take_that_has_a_file_keeps_it_and_a_full_disk_leaves_the_old(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = (folder / TAKES / "wave_1.bvh").stat()
    more = Repertoire(
        (KnownMotion(name="wave", takes=(*NAMES, "wave_5")),),
        (),
        {**REPERTOIRE.takes, "wave_5": WAVE},
    )
    before = sorted(folder.rglob("*"))
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "no room")))
        with pytest.raises(ShowError, match="could not be saved"):
            save_repertoire(more, folder)
    assert sorted(folder.rglob("*")) == before
    save_repertoire(more, folder)
    assert (folder / TAKES / "wave_1.bvh").stat().st_mtime_ns == first.st_mtime_ns
    assert len(load_repertoire(folder).motions[0].takes) == 5
