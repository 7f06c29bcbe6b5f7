"""The bench from the first to the last: refused, run, judged, printed, written."""

import json
import math
from pathlib import Path

import pytest

from core.lab.bench import run as lab_bench
from core.lab.bench.benchmark import STEPS, BenchError, Found, Listing, Order, Part, Tell
from core.lab.bench.run import PARTS, bench, chosen
from core.lab.experiment import Bar
from core.lab.laboratory import Laboratory
from core.record.errors import RecordError


def measure(lab: Laboratory, order: Order, tell: Tell) -> Found:
    for step in range(STEPS):
        tell(f"step {step}")
    listing = Listing("Times", ("block", "median"), (("read", "1.5"),))
    report = {"times_us": {"median": 1.5, "p99": math.inf}}
    return Found({"median": 1.5}, report, (listing,), ("[notes] are told",))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    bars = (Bar("median", "median of a tick", "µs", at_most=2.0),)
    monkeypatch.setattr(lab_bench, "PARTS", {"tiny": Part("tiny", "times", measure, bars)})
    monkeypatch.setattr(lab_bench, "warm_up", lambda profile: 0)
    return monkeypatch


def test_what_cannot_be_done_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no part 'speed'; choose all or one of tick, solvers"):
        chosen("speed")
    nowhere = tmp_path / "no" / "file"
    with pytest.raises(BenchError, match="folder does not exist"):
        bench("tick", Order(), nowhere)
    with pytest.raises(BenchError, match="it is a folder"):
        bench("tick", Order(), tmp_path)
    with pytest.raises(RecordError, match="there is no folder"):
        bench("memory", Order(log=str(nowhere)), None)


def test_a_figure_that_is_missing_or_missed_is_the_exit_status(
    tiny: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bars = (Bar("median", "too fast", at_most=1.0), Bar("none", "not there", at_most=1.0))
    tiny.setattr(lab_bench, "PARTS", {"tiny": Part("tiny", "times", measure, bars)})
    assert bench("tiny", Order(), None) == 1
    shown = capsys.readouterr().out
    assert "FAIL by 0.5" in shown and "FAIL by never" in shown


def test_a_tiny_bench_passes(
    tiny: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bench.json"
    assert bench("all", Order(seed=3), file) == 0
    shown = capsys.readouterr()
    assert "[notes] are told" in shown.out and "≤ 2" in shown.out
    assert f"{STEPS} of {STEPS}" in shown.err and "tiny, step 9" in shown.err
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["times_us"] == {"median": 1.5, "p99": None}
    assert told["asked"]["seed"] == 3
    assert told["verdicts"]["tiny"][0]["verdict"] == "pass"
    assert told["notes"]["tiny"] == ["[notes] are told"]


def test_every_part_judges_something() -> None:
    names = ["tick", "solvers", "devices", "lateness", "memory", "takes", "robots", "strides"]
    names.append("follow")
    assert list(PARTS) == names
    for part in PARTS.values():
        assert any(bar.judges for bar in part.bars)
        assert chosen(part.name) == [part]
