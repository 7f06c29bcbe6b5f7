"""A run is read on demand: ticks from close by, ranges from afar, holes where it is damaged."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.console.telemetry.traces import Line
from app.runs.digest import Digest
from app.runs.run import FINE_S, Run, RunError
from app.runs.source import Library
from core.record.reader import read
from core.record.run_file import RunFile
from core.record.summary import summarise
from tests.app.runs.recording import (
    CUES,
    EVENTS,
    KNEE,
    LENGTH_S,
    SPIKE,
    SPIKE_S,
    knee_at,
    write_run,
)

POSITION = Line("q", KNEE, "knee", 180.0 / math.pi)
TORQUE = Line("tau_applied", KNEE, "knee")
BATTERY = Line("battery_v@status", 0, "voltage")


def test_close_by_every_tick_is_drawn(run: Run) -> None:
    ((times_s, values),) = run.lines([POSITION], 4.0, 4.2, 700)
    assert len(times_s) in (200, 201)
    expected = [math.degrees(knee_at(time_s)) for time_s in times_s]
    np.testing.assert_allclose(values, expected, atol=1e-4)


def test_from_afar_the_single_spike_is_still_there(run: Run) -> None:
    assert LENGTH_S > FINE_S
    run.digest.finish()
    ((times_s, values),) = run.lines([TORQUE], 0.0, LENGTH_S, 100)
    assert values.max() == SPIKE and np.nanmin(values) == 3.0
    assert times_s[int(np.argmax(values))] == pytest.approx(SPIKE_S, abs=0.3)


@given(st.floats(0.0, LENGTH_S - 0.002))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_value_at_a_time_is_that_of_its_tick(run: Run, time_s: float) -> None:
    (value,) = run.values([POSITION], time_s)
    tick_s = math.floor(1e3 * time_s + 1e-6) / 1e3
    assert value == pytest.approx(math.degrees(knee_at(tick_s)), abs=1e-3)


def test_a_status_is_a_line_too(run: Run) -> None:
    run.digest.finish()
    assert run.values([BATTERY], 10.0) == [25.0]
    ((times_s, values),) = run.lines([BATTERY], 3.0, 6.0, 700)
    assert len(times_s) > 40 and set(values.tolist()) == {25.0}


def test_the_picture_is_that_of_the_tick(run: Run) -> None:
    scene = run.scene(7.25)
    assert scene is not None
    assert scene.q[KNEE] == pytest.approx(knee_at(7.25), abs=1e-5)
    assert scene.base_position[2] == pytest.approx(0.7) and all(scene.contact)
    assert run.scene(-5.0) is None


def test_the_digest_is_the_whole_run(run: Run, recorded: Path) -> None:
    digest = run.digest
    digest.finish()
    assert [(c.number, c.name) for c in digest.cues] == [cue[:2] for cue in CUES]
    for cue, (_, _, start_s, end_s) in zip(digest.cues, CUES, strict=True):
        assert cue.start_s == pytest.approx(start_s, abs=0.06)
        assert cue.end_s == pytest.approx(end_s, abs=0.06)
    assert [event.text for event in digest.events] == [event[2] for event in EVENTS]
    assert [event.text for event in digest.alarms()] == ["the knee is <hot>", "RESET"]
    assert digest.facts == summarise(read(recorded)).rows()
    assert digest.extremes("tau_applied", KNEE)[1] == SPIKE
    assert digest.problem == ""


@settings(max_examples=5, deadline=None)
@given(budget_s=st.floats(1e-6, 0.2))
def test_the_size_of_its_steps_does_not_change_the_digest(
    recorded: Path, reading: Library, budget_s: float
) -> None:
    digests = [Digest(reading.open(recorded), reading) for _ in range(2)]
    while not digests[0].done:
        digests[0].step(budget_s)
    digests[1].finish()
    found = [digest.ranges(POSITION, 0.0, LENGTH_S) for digest in digests]
    np.testing.assert_array_equal(found[0], found[1])
    for digest in digests:
        digest.close()


def test_a_damaged_part_is_a_hole_that_is_told(
    recorded: Path, reading: Library, tmp_path: Path
) -> None:
    whole = RunFile(recorded)
    whole.close()
    place = whole.places[len(whole.places) // 2]
    content = bytearray(recorded.read_bytes())
    content[place.offset + place.length // 2] ^= 0xFF
    damaged = tmp_path / "damaged.mcap"
    damaged.write_bytes(content)
    run = Run(damaged, reading)
    run.digest.finish()
    assert "1 damaged part left out" in run.digest.problem
    ((times_s, values),) = run.lines([POSITION], 0.0, LENGTH_S, 700)
    assert 0 < np.isnan(values).sum() < 100
    hole_s = times_s[np.isnan(values)]
    ((fine_s, _),) = run.lines([POSITION], hole_s[0] - 1.0, hole_s[0] + 1.0, 9999)
    assert 1000 < len(fine_s) < 2000
    run.close()


@given(st.integers(0, 10**6), st.sampled_from([0, 8]), st.integers(0, 2**64 - 1))
@example(0, 0, 1_055_000_001)  # near enough to be believed
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_a_damaged_time_of_a_part_hides_at_most_that_part(
    recorded: Path, reading: Library, tmp_path: Path, which: int, at: int, time_ns: int
) -> None:
    whole = RunFile(recorded)
    whole.close()
    places = whole.places
    place = places[which % len(places)]
    content = bytearray(recorded.read_bytes())
    content[place.offset + at : place.offset + at + 8] = time_ns.to_bytes(8, "little")
    damaged = tmp_path / "damaged.mcap"
    damaged.write_bytes(content)
    run = Run(damaged, reading)
    assert run.end_s - run.start_s < 2.0 * LENGTH_S
    for other in places:
        middle_s = 0.5 * (other.start_s + other.end_s)
        if abs(middle_s - place.start_s) > 1.0:
            (value,) = run.values([POSITION], middle_s)
            assert value == pytest.approx(math.degrees(knee_at(middle_s)), abs=0.2)
    run.close()


def test_a_run_without_its_end_is_read_as_far_as_it_goes(reading: Library, tmp_path: Path) -> None:
    path = write_run(tmp_path / "run.mcap", last=False, length_s=3.0)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    run = Run(path, reading)
    run.digest.finish()
    assert "its end is missing" in run.digest.problem
    assert run.digest.facts
    run.close()


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no run"])
def test_what_is_no_run_is_refused_in_one_sentence(
    tmp_path: Path, reading: Library, content: bytes | None
) -> None:
    path = tmp_path / "odd.mcap"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RunError) as caught:
        Run(path, reading)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
