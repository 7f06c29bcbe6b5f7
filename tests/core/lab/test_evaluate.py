"""A tiny evaluation from the first to the last: run, judged, printed, written."""

import json
import math
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from core.lab import evaluate as lab_evaluate
from core.lab.evaluate import (
    EXPERIMENTS,
    EvaluationError,
    chosen,
    evaluate,
    full_name,
    jobs_of,
    perform,
    robot_for,
)
from core.lab.experiment import Bar, Experiment, Measured
from core.lab.jobs import Job, Sampling
from core.lab.laboratory import Laboratory
from core.lab.script import Script
from core.robot.profile_file import load_profile
from devices.errors import DeviceError


def stand(lab: Laboratory, seed: int) -> Measured:
    """Stand for a moment."""
    done = lab.run(seed, Script(0.05))
    velocity = done.rows["com_velocity_true"][-1]
    return Measured(
        {
            "speed": float(abs(velocity).max()),
            "failed": float(done.failed),
            "true": float(lab.true_state),
            "never": math.inf,
        }
    )


def experiment(*more: Bar) -> Experiment:
    bars = (
        Bar("speed", "speed of the standing robot", "m/s", "0.01", at_most=0.02),
        Bar("failed", "falls", at_most=0.0),
        Bar("true", "on true state"),
        Bar("never", "what never comes", "s"),
    )
    return Experiment("stand", "it stands", stand, bars + more)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(lab_evaluate, "EXPERIMENTS", {"stand": experiment()})
    return monkeypatch


def test_a_tiny_evaluation_passes(
    tiny: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.setenv("COLUMNS", "160")
    file = tmp_path / "results.json"
    assert evaluate("all", Sampling(1), file, None, workers=1) == 0
    shown = capsys.readouterr()
    assert "speed of the standing robot" in shown.out
    assert "≤ 0.02" in shown.out
    assert "FAIL" not in shown.out
    assert "2 of 2" in shown.err
    told = json.loads(file.read_text(encoding="utf-8"))["experiments"]["stand"]
    assert [row["verdict"] for row in told["rows"]] == ["pass", "pass", "", ""]
    assert told["rows"][2]["values"] == [0.0]
    assert told["rows"][2]["true_state"] == [1.0]
    assert told["rows"][3]["values"] == [None]
    assert [run["true_state"] for run in told["runs"]] == [False, True]


def test_one_missed_bar_is_the_exit_status(
    tiny: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missed = experiment(Bar("speed", "speed that no robot has", at_least=100.0))
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {"stand": missed})
    tiny.setenv("COLUMNS", "160")
    assert evaluate("stand", Sampling(1), None, None, workers=1) == 1
    assert "FAIL by 100" in capsys.readouterr().out


def test_what_was_measured_before_an_interruption_is_kept(
    tiny: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(lab: Laboratory, seed: int) -> Measured:
        if seed == 1:
            raise KeyboardInterrupt
        return stand(lab, seed)

    one = replace(experiment(), run=interrupted, beside=False)
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {"stand": one})
    file = tmp_path / "results.json"
    with pytest.raises(KeyboardInterrupt):
        evaluate("stand", Sampling(2), file, None, workers=1)
    told = json.loads(file.read_text(encoding="utf-8"))["experiments"]["stand"]
    assert [run["seed"] for run in told["runs"]] == [0]
    assert len(told["rows"][0]["values"]) == 1


def test_a_device_that_fails_is_told_in_words_that_another_process_takes_in(
    tiny: pytest.MonkeyPatch,
) -> None:
    def fails(lab: Laboratory, seed: int) -> Measured:
        raise DeviceError("twin", "did not start within 30 s")

    tiny.setattr(lab_evaluate, "EXPERIMENTS", {"stand": replace(experiment(), run=fails)})
    with pytest.raises(EvaluationError) as refused:
        perform(Job("stand", 3))
    told = pickle.loads(pickle.dumps(refused.value))
    assert str(told) == "stand, seed 3 could not be done: twin: did not start within 30 s"


def test_what_cannot_be_done_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no experiment 'fly'; choose all or one of walk"):
        chosen("fly")
    with pytest.raises(EvaluationError, match="folder does not exist"):
        evaluate("walk", Sampling(1), tmp_path / "no" / "file.json", None, workers=1)


def test_every_seed_is_a_job_and_true_state_is_beside_where_it_tells_something() -> None:
    jobs = jobs_of(["walk", "controls"], Sampling(3))
    assert sum(job.true_state for job in jobs) == 1
    assert len(jobs) == 7
    assert len(set(jobs)) == 7
    assert [job.seed for job in jobs_of(["energy/show"], Sampling(20))] == [0]
    for asked, made in ((20, 10), (3, 3)):
        jobs = jobs_of(["endurance/wave"], Sampling(asked))
        assert [job.seed for job in jobs if not job.true_state] == list(range(made))


def test_a_twin_is_run_beside_every_seed_and_told_beside_it(
    tiny: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def differs(lab: Laboratory, seed: int) -> Measured:
        return Measured({"x": 1.2 if lab.on_twin else 1.0, "y": 0.5})

    bars = (Bar("x", "a figure", "N·m", alike=True), Bar("y", "another", at_most=1.0, alike=True))
    one = Experiment("twin/stand", "it stands", differs, bars, beside=False, twin=True)
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {one.name: one})
    tiny.setenv("COLUMNS", "160")
    file = tmp_path / "results.json"
    assert [job.on_twin for job in jobs_of(["twin/stand"], Sampling(2))] == [False, True] * 2
    assert evaluate("twin", Sampling(2), file, None, workers=1) == 1
    shown = capsys.readouterr().out
    assert "on the twin" in shown and "1.2 N·m" in shown and "twin ± 10 %" in shown
    assert "FAIL by 0.1" in shown and "pass" in shown
    told = json.loads(file.read_text(encoding="utf-8"))["experiments"]["twin/stand"]
    assert [row["twin"] for row in told["rows"]] == [[1.2, 1.2], [0.5, 0.5]]
    assert [run["twin"] for run in told["runs"]] == [False, True] * 2


def test_plants_are_drawn_for_every_seed_and_the_worst_is_named(
    tiny: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def heavy(lab: Laboratory, seed: int) -> Measured:
        model, plant = Laboratory().body(0).model, lab.body(0).model
        return Measured({"kg": abs(float(plant.body_mass.sum() - model.body_mass.sum()))})

    bars = (Bar("kg", "other mass", "kg", at_most=0.0),)
    one = Experiment("weigh", "it is weighed", heavy, bars)
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {one.name: one})
    tiny.setenv("COLUMNS", "160")
    file = tmp_path / "results.json"
    assert evaluate("weigh", Sampling(2, 2, 3.0), file, None, workers=1) == 1
    shown = capsys.readouterr()
    assert "2 seeds, 2 plants each at a spread of 3: median (extremes)" in shown.out
    assert "weigh, seed 0, plant 0, true state" in shown.err
    told = json.loads(file.read_text(encoding="utf-8"))["experiments"]["weigh"]
    runs = [(run["seed"], run["plant"], run["spread"]) for run in told["runs"][:4]]
    assert runs == [(0, 0, 3.0), (0, 1, 3.0), (1, 0, 3.0), (1, 1, 3.0)]
    values = told["rows"][0]["values"]
    assert len(set(values)) == 4 and told["rows"][0]["true_state"] == values[:1]
    seed, plant = divmod(values.index(max(values)), 2)
    assert f"(seed {seed}, plant {plant})" in shown.out
    assert evaluate("weigh", Sampling(1, 2, 0.0), None, None, workers=1) == 0


def test_who_simulates_no_robot_has_no_plants(
    tiny: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(lab: Laboratory, seed: int) -> Measured:
        return Measured({"x": 0.0 if lab.plant is None else 1.0})

    bars = (Bar("x", "a figure", at_most=0.5),)
    planner = Experiment("group/planner", "it plans", measure, bars, simulates=False)
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {planner.name: planner})
    drawn = Sampling(1, 2, 3.0)
    with pytest.raises(EvaluationError, match="simulates no robot.*leave --plants out"):
        evaluate("planner", drawn, None, None, workers=1)
    robot = Experiment("group/robot", "it walks", measure, bars)
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {one.name: one for one in (planner, robot)})
    jobs = jobs_of(["group/planner"], drawn)
    assert [(job.plant, job.true_state) for job in jobs] == [(None, False), (None, True)]
    assert all(job.plant is not None for job in jobs_of(["group/robot"], drawn))
    assert evaluate("group", drawn, None, None, workers=1) == 1
    shown = capsys.readouterr().out
    assert "it plans; 1 seed " in shown and "it walks; 1 seed, 2 plants at a spread" in shown


def test_a_name_stands_for_all_parts_of_an_experiment() -> None:
    assert chosen("energy") == ["energy/walk", "energy/show"]
    assert chosen("energy/show") == ["energy/show"]
    assert len(chosen("endurance")) == 7
    rolling = [name for name in EXPERIMENTS if name.startswith("draco/")]
    strides = [name for name in EXPERIMENTS if name.startswith("strides/")]
    assert rolling and chosen("draco") == rolling
    general = [name for name in EXPERIMENTS if name not in (*rolling, *strides)]
    assert chosen("all") == general
    assert chosen("all", "draco3") == [name for name in EXPERIMENTS if name not in strides]
    any_plant = [name for name, one in EXPERIMENTS.items() if one.any_plant]
    assert "partner" in any_plant and "walk" not in any_plant
    found = chosen("all", "small_biped")  # its plant is another one
    assert sorted(found) == sorted([*any_plant, *strides])
    with pytest.raises(EvaluationError, match="walk is made with a torque-controlled biped"):
        evaluate("walk", Sampling(1), None, None, workers=1, robot="small_biped")
    with pytest.raises(EvaluationError, match="draco/push is made with draco3 only; choose that"):
        evaluate("draco/push", Sampling(1), None, None, workers=1, robot="kid_cosmo")
    with pytest.raises(EvaluationError, match="no experiment 'energy/'"):
        chosen("energy/")


def test_the_name_after_the_group_is_enough_where_nothing_else_has_it() -> None:
    for name in ("filter", "jump", "run", "transitions"):
        assert full_name(name) == f"strides/{name}" and chosen(f"strides/{name}")
    for name in ("push", "walk", "all", "energy", "strides", "fly", "strides/run", "show"):
        assert full_name(name) == name  # `show` is in several groups, `push` an experiment
    assert robot_for(full_name("jump")) == "small_biped"


def test_an_experiment_is_made_no_more_often_than_it_says(
    tiny: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    once = replace(experiment(), beside=False, most_seeds=1)
    tiny.setattr(lab_evaluate, "EXPERIMENTS", {"stand": once})
    tiny.setenv("COLUMNS", "160")
    assert evaluate("stand", Sampling(5), None, None, workers=1) == 0
    shown = capsys.readouterr()
    assert "1 seed" in shown.out
    assert "1 of 1" in shown.err


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_bars_of_its_own(name: str) -> None:
    bars = EXPERIMENTS[name].for_robot(load_profile(robot_for(name))).bars
    assert any(bar.judges for bar in bars)
    figures = [bar.figure for bar in bars]
    assert len(figures) == len(set(figures))
    assert chosen(name) == [name]
