"""Both solvers on the same problems; what is unsolved is counted; the better one is told."""

import math
from typing import Any

import pytest

from core.lab.bench.benchmark import Order, Pacer
from core.lab.bench.solvers import Counting, Duel, run, verdict
from core.lab.laboratory import Laboratory
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.biped.whole_body.qp import DaqpSolver, QpResult


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory()


def test_what_a_solver_leaves_unsolved_is_counted(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(solver: DaqpSolver, problem: QuadraticProgram) -> QpResult:
        return QpResult(problem.gradient, False, 0)

    monkeypatch.setattr(DaqpSolver, "solve", fail)
    duel, counting = Duel(lab, Pacer(lambda text: None, 1.0, "s")), Counting()
    counting.run(lab, "walk", 0, 0.2, duel)
    assert counting.spare == counting.ticks > 150
    assert counting.unsolved == 0  # the spare solver solved them
    assert duel.unsolved["daqp"] == len(duel.times_us["daqp"]) > 150
    assert duel.unsolved["proxqp"] == 0
    assert math.isnan(duel.report("daqp")["kkt_residual"])


def reports(unsolved: int) -> dict[str, dict[str, dict[str, Any]]]:
    one = {"daqp": {"unsolved": unsolved}, "proxqp": {"unsolved": 0}}
    return {"walk": one, "push": one}


@pytest.mark.parametrize(("unsolved", "better"), [(0, "daqp"), (1, "proxqp")])
def test_an_unsolved_problem_weighs_more_than_time(unsolved: int, better: str) -> None:
    both = {"daqp": {"median": 50.0, "p99_9": 90.0}, "proxqp": {"median": 99.0, "p99_9": 200.0}}
    told = verdict("daqp", "proxqp", reports(unsolved), both)
    assert told.startswith(f"{better} measured better")
    assert ("is the profile's default" in told) is (better == "daqp")


@pytest.mark.long
def test_a_short_bench_of_the_solvers(lab: Laboratory) -> None:
    told: list[str] = []
    found = run(lab, Order(seconds=0.6, minutes=0.03), told.append)
    assert len(told) == 10
    assert found.figures["unsolved"] == 0.0
    assert found.figures["minutes"] == pytest.approx(0.03, abs=0.009)
    assert found.figures["residual"] < 1e-5
    for kind in ("walk", "push"):
        solvers = found.report["solvers"][kind]
        assert solvers["daqp"]["qps"] == solvers["proxqp"]["qps"] > 500
    assert found.report["qp"]["solver"] == lab.profile.as_biped.qp.solver
