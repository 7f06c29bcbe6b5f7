"""Runs experiments on many seeds at once, judges their results and prints them."""

import json
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from core.errors import CoreError
from core.lab.experiment import Experiment, Measured, Row, judge, shown, summed_up
from core.lab.experiments import (
    controls,
    draco,
    endurance,
    energy,
    estimator,
    floating,
    gestures,
    idle,
    lean,
    marks,
    mimesis,
    partner,
    playback,
    pull,
    push,
    push_stepping,
    retouch,
    step_torque,
    strides,
    terrain,
    twin,
    walk,
)
from core.lab.jobs import Job, Sampling
from core.lab.laboratory import Laboratory
from core.robot.folders import default_robot, papers
from core.robot.profile_file import load_profile
from core.run.lifeline import die_with_parent
from devices.errors import DeviceError

_ALL = (
    walk.EXPERIMENT,
    push.EXPERIMENT,
    lean.EXPERIMENT,
    push_stepping.EXPERIMENT,
    step_torque.EXPERIMENT,
    gestures.EXPERIMENT,
    idle.EXPERIMENT,
    controls.EXPERIMENT,
    estimator.EXPERIMENT,
    marks.EXPERIMENT,
    floating.EXPERIMENT,
    playback.EXPERIMENT,
    pull.EXPERIMENT,
    retouch.EXPERIMENT,
    mimesis.EXPERIMENT,
    partner.EXPERIMENT,
    terrain.EXPERIMENT,
    *draco.EXPERIMENTS,
    *strides.EXPERIMENTS,
    *endurance.EXPERIMENTS,
    *energy.EXPERIMENTS,
    *twin.EXPERIMENTS,
)
EXPERIMENTS: dict[str, Experiment] = {one.name: one for one in _ALL}
PLAIN_WIDTH = 150
STYLES = {"pass": "green", "FAIL": "bold red", "": ""}


class EvaluationError(CoreError):
    """An evaluation cannot be made as requested."""


def perform(job: Job) -> Measured:
    """Do a job; to be called in a process of its own.

    Raises:
        EvaluationError: it could not be done; said in words, which another process can take in.
    """
    lab = Laboratory(job.true_state, job.robot, job.on_twin, job.plant)
    try:
        measured = EXPERIMENTS[job.experiment].run(lab, job.seed)
    except (CoreError, DeviceError) as error:
        raise EvaluationError(f"{job.title} could not be done: {error}") from error
    return replace(measured, notes=(*lab.notes, *measured.notes))


def jobs_of(names: Sequence[str], sampling: Sampling, robot: str = "") -> list[Job]:
    """Return every seed and plant of every experiment, and those on true state and on the twin."""
    jobs: list[Job] = []
    for name in names:
        experiment = EXPERIMENTS[name]
        drawn = experiment.sampling(sampling)
        for seed in range(drawn.seeds):
            for plant in drawn.of_seed(seed):
                jobs.append(Job(name, seed, robot=robot, plant=plant))
                if experiment.twin:
                    jobs.append(Job(name, seed, on_twin=True, robot=robot, plant=plant))
        if experiment.beside:
            plant = drawn.of_seed(0)[0]
            jobs.append(Job(name, 0, true_state=True, robot=robot, plant=plant))
    return jobs


def full_name(name: str) -> str:
    """Return the name of an experiment, of which the part after its group is enough.

    A name that stands for something already is kept, so that `push` is not `draco/push`.
    """
    parts = [one.split("/") for one in EXPERIMENTS]
    if name == "all" or any(name == "/".join(one[: name.count("/") + 1]) for one in parts):
        return name
    groups = {one[0] for one in parts if len(one) > 1 and one[1] == name}
    return f"{groups.pop()}/{name}" if len(groups) == 1 else name


def robot_for(name: str, asked: str = "") -> str:
    """Return the robot of an experiment: as asked, else the one of its paper, else the default."""
    return asked or papers().get(_paper(name), "") or default_robot()


def _paper(name: str) -> str:
    """Return the group of an experiment, which may be a paper about one robot."""
    return name.split("/")[0]


def chosen(name: str, robot: str = "") -> list[str]:
    """Return the experiments that a name stands for: one, the parts of one, or all of a robot.

    All are those that are not of a paper about another robot; of a robot whose plant is not that
    of the default robot, only those of its own paper, and those that any plant can make.

    Raises:
        EvaluationError: no experiment has that name.
    """
    if name == "all":
        owners, chosen_robot = papers(), robot or default_robot()
        general = "" if load_profile(chosen_robot).biped is None else chosen_robot
        return [
            name
            for name, one in EXPERIMENTS.items()
            if one.any_plant or owners.get(_paper(name), general) == chosen_robot
        ]
    found = [one for one in EXPERIMENTS if one == name or one.startswith(f"{name}/")]
    if not found:
        known = ", ".join(EXPERIMENTS)
        raise EvaluationError(f"there is no experiment {name!r}; choose all or one of {known}")
    return found


def measure(
    jobs: Sequence[Job], workers: int, told: Callable[[Job, dict[Job, Measured]], None]
) -> dict[Job, Measured]:
    """Do jobs and return the figures of each.

    Args:
        jobs: what to do.
        workers: how many processes; one needs none but this.
        told: called whenever a job is done, with all that is done by then.

    Raises:
        EvaluationError: a job could not be done, or its process was ended from outside.
        KeyboardInterrupt: it was interrupted; no process is left.
    """
    done: dict[Job, Measured] = {}
    if workers == 1:
        for job in jobs:
            done[job] = perform(job)
            told(job, done)
        return done
    # One thread a process: at this size more only disturb each other.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _begin, (os.getpid(),))
    try:
        futures: dict[Future[Measured], Job] = {pool.submit(perform, job): job for job in jobs}
        for future in as_completed(futures):
            done[futures[future]] = future.result()
            told(futures[future], done)
    except BrokenProcessPool as error:
        reason = "one of its processes was ended from outside (was there too little memory?)"
        raise EvaluationError(f"the evaluation ends early: {reason}") from error
    except BaseException:
        for child in multiprocessing.active_children():
            child.kill()  # a job may take half an hour, and its result is no longer needed
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return {job: done[job] for job in jobs}


def _begin(parent: int) -> None:
    """Leave Ctrl-C to the parent, which ends the pool, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(signal.SIGKILL)
    if os.getppid() != parent:  # it ended while this process was loading
        raise SystemExit(1)
    os.nice(5)


def judged(name: str, results: dict[Job, Measured]) -> list[Row]:
    """Return the rows of an experiment's table."""
    ordered = sorted(results.items(), key=lambda found: found[0].order)
    here = [(job, measured) for job, measured in ordered if job.experiment == name]
    found = [m for job, m in here if not (job.true_state or job.on_twin)]
    beside = [m for job, m in here if job.true_state]
    on_twin = [m for job, m in here if job.on_twin]
    robot = next((job.robot for job, _ in here), "")
    experiment = EXPERIMENTS[name].for_robot(load_profile(robot or default_robot()))
    return judge(experiment, found, beside, on_twin)


def runs_of(name: str, results: dict[Job, Measured]) -> list[str]:
    """Return the runs of an experiment in words, in the order of the rows' values."""
    here = [job for job in results if job.experiment == name]
    own = (job for job in here if not (job.true_state or job.on_twin))
    return [job.run for job in sorted(own, key=lambda job: job.order)]


def results_table(name: str, rows: Sequence[Row], sampling: Sampling, runs: Sequence[str]) -> Table:
    """Return an experiment's table: the paper's value, the measured value, the bar.

    A verdict on several runs names the worst of them, where its own figure misses the bar.
    """
    experiment = EXPERIMENTS[name]
    counted = experiment.sampling(sampling).told
    table = Table(title=f"{name}: {experiment.title}; {counted}", title_justify="left")
    table.add_column("measured")
    headings = {"paper": True, "here": True, "on true state": experiment.beside}
    headings |= {"on the twin": experiment.twin, "more by": experiment.twin}
    for heading, there in (headings | {"bar": True, "verdict": True}).items():
        if there:
            table.add_column(heading)
    for row in rows:
        unit = f" {row.bar.unit}" if row.bar.unit else ""
        cells = [row.bar.what, row.bar.paper, summed_up(row.values) + unit]
        if experiment.beside:
            cells.append(summed_up(row.true_values))
        if row.twin_values is not None:
            cells += [summed_up(row.twin_values) + unit, shown(row.difference)]
        verdict: str = row.verdict
        if verdict == "FAIL":
            verdict = f"FAIL by {shown(row.worst_miss)}"
            worst = row.worst_run
            if worst is not None and len(runs) > 1:
                verdict += f" ({runs[worst]})"
        style = STYLES[row.verdict]
        table.add_row(*cells, row.bar.text, f"[{style}]{verdict}[/]" if style else verdict)
    return table


def as_json(results: dict[Job, Measured], names: Sequence[str]) -> str:
    """Return everything that was measured, and the verdicts, as JSON; a number may be null."""

    def number(value: float) -> float | None:
        return value if abs(value) < float("inf") else None

    report: dict[str, Any] = {"schema": 1, "experiments": {}}
    for name in names:
        report["experiments"][name] = {
            "rows": [
                {
                    "figure": row.bar.figure,
                    "what": row.bar.what,
                    "unit": row.bar.unit,
                    "paper": row.bar.paper,
                    "values": [number(value) for value in row.values],
                    "true_state": [number(value) for value in row.true_values],
                    "twin": [number(value) for value in row.twin_values or ()],
                    "bar": row.bar.text,
                    "verdict": row.verdict,
                }
                for row in judged(name, results)
            ],
            "runs": [
                {
                    "seed": job.seed,
                    "plant": None if job.plant is None else job.plant.number,
                    "spread": 0.0 if job.plant is None else job.plant.spread,
                    "true_state": job.true_state,
                    "twin": job.on_twin,
                    "notes": one.notes,
                    "figures": {key: number(value) for key, value in one.figures.items()},
                }
                for job, one in results.items()
                if job.experiment == name
            ],
        }
    return json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def evaluate(
    name: str,
    sampling: Sampling,
    file: Path | None,
    plots: Path | None,
    workers: int,
    robot: str = "",
) -> int:
    """Run experiments, print their tables, and return 0 only if every bar holds.

    Args:
        name: of an experiment, or "all".
        sampling: seeds and plants of each.
        file: where to write everything as JSON.
        plots: folder to draw figures into.
        workers: how many processes.
        robot: name of the robot, a biped; empty takes the experiment's own, or the default robot.

    Raises:
        ProfileError: there is no such robot.
        EvaluationError: the robot is no biped, there is no such experiment, or a place to write
            to cannot be used.
    """
    name = full_name(name)
    robot = robot_for(name, robot)
    profile = load_profile(robot)
    names = chosen(name, robot)
    owner = papers().get(_paper(name), robot)
    if owner != robot:
        reason = "choose that robot, or leave --robot out"
        raise EvaluationError(f"{name} is made with {owner} only; {reason}")
    if profile.biped is None and profile.runner is None:
        raise EvaluationError(f"{profile.title} is no biped, and the experiments walk")
    general = [one for one in names if _paper(one) not in papers()]
    if profile.biped is None and not all(EXPERIMENTS[one].any_plant for one in general):
        reason = "choose another robot, or the experiments of this one"
        raise EvaluationError(f"{name} is made with a torque-controlled biped; {reason}")
    if sampling.plants and not any(EXPERIMENTS[one].simulates for one in names):
        raise EvaluationError(f"{name} simulates no robot, and has no plants; leave --plants out")
    for place in (file, plots):
        if place is not None and not place.absolute().parent.is_dir():
            raise EvaluationError(f"{place} cannot be written: its folder does not exist")
    if file is not None and file.is_dir():
        raise EvaluationError(f"{file} cannot be written: it is a folder")
    if plots is not None and plots.exists() and not plots.is_dir():
        raise EvaluationError(f"{plots} takes no figures: it is no folder")
    if plots is not None:
        from core.lab.measure.plots import check_plotting

        check_plotting()
    jobs = jobs_of(names, sampling, robot)
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)  # a file has no edge
    left = Counter(job.experiment for job in jobs)
    try:
        with telling(Console(stderr=True), len(jobs)) as tell:

            def told(job: Job, done: dict[Job, Measured]) -> None:
                tell(job.title)
                left[job.experiment] -= 1
                if not left[job.experiment]:
                    report(console, job.experiment, done, sampling)
                if file is not None:  # hours of work are not lost when they are interrupted
                    file.write_text(as_json(done, names), encoding="utf-8")

            results = measure(jobs, max(1, min(workers, len(jobs))), told)
        if plots is not None:
            from core.lab.measure.plots import draw

            for path in draw(_curves(results), plots):
                say(console, f"figure: {path}")
    except OSError as error:
        raise EvaluationError(f"the results cannot be written: {error}") from error
    rows = (row for one in names for row in judged(one, results))
    return 0 if all(row.verdict != "FAIL" for row in rows) else 1


def report(console: Console, name: str, results: dict[Job, Measured], sampling: Sampling) -> None:
    """Print an experiment's table and notes."""
    rows = judged(name, results)
    console.print(results_table(name, rows, sampling, runs_of(name, results)))
    for job in sorted(results, key=lambda job: (job.true_state, job.on_twin, job.order)):
        for note in results[job].notes if job.experiment == name else ():
            say(console, f"{job.title}: {note}")


def say(console: Console, text: str) -> None:
    """Print a line as it is, however long."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _curves(results: dict[Job, Measured]) -> dict[str, Any]:
    """Return the curves of each experiment's first seed and plant."""
    first = (0, -1), (0, 0)
    return {
        job.experiment: measured.curves
        for job, measured in results.items()
        if job.order in first and not (job.true_state or job.on_twin)
    }


@contextmanager
def telling(console: Console, count: int) -> Iterator[Callable[[str], None]]:
    """Yield the display of progress: a bar in a terminal, a line for each step elsewhere."""
    start_s = time.monotonic()
    done = 0

    def tell(title: str) -> None:
        nonlocal done
        done += 1
        if console.is_terminal:
            progress.update(task, completed=done, description=title)
        else:
            minutes = (time.monotonic() - start_s) / 60.0
            line = f"{done} of {count} after {minutes:.1f} min: {title}"
            say(console, line)

    progress = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=console,
        disable=not console.is_terminal,
    )
    with progress:
        task = progress.add_task("the first runs", total=count)
        yield tell
