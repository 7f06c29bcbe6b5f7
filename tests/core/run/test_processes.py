"""The supervisor: all processes start and end together, whichever ends first."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.link.session import free_endpoint
from core.record.reader import read
from core.run.launch import LaunchConfig, Pace, WalkOrder
from core.run.processes import LOOP, ROLES, TWIN, Ending, Supervisor, core_command
from tests.stand_in import Conduct, command

pytestmark = pytest.mark.realtime


def config(
    log: Path | None, conduct: Conduct = Conduct.PLAIN, pace: Pace = "real", dur: float = 60.0
) -> LaunchConfig:
    return LaunchConfig(
        free_endpoint(),
        pace=pace,
        seed=conduct,
        walk=(WalkOrder(dur=dur),),
        log=None if log is None else str(log),
    )


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def wait(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 40.0
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "run.mcap"


def written(log: Path) -> bool:
    return log.exists() and log.stat().st_size > 50_000


def end_and_check(supervisor: Supervisor) -> Ending:
    pids = supervisor.pids()
    assert pids
    ending = supervisor.end()
    assert not [role for role, pid in pids.items() if alive(pid)]
    return ending


def test_a_run_that_completes(log: Path) -> None:
    with Supervisor(config(log, pace="max", dur=3.0), command=command) as supervisor:
        assert set(supervisor.pids()) == {"loop", "scribe", "stagehand"}
        wait(lambda: supervisor.ended() is not None)
        assert supervisor.ended() == "loop"
        ending = end_and_check(supervisor)
    assert ending == Ending(True, "", "loop", 0, True)
    recording = read(log)
    assert recording.problem == "" and len(recording.column("t")) == 3000


def test_a_fall_is_no_completion_and_its_record_is_whole(log: Path) -> None:
    with Supervisor(config(log, Conduct.FALLS, "max"), command=command) as supervisor:
        wait(lambda: supervisor.ended() is not None)
        ending = end_and_check(supervisor)
    assert not ending.completed and ending.log_complete and ending.core_status == 1
    assert read(log).problem == ""


def test_ended_from_outside_everything_ends_in_order(log: Path) -> None:
    with Supervisor(config(log), command=command) as supervisor:
        needed = {role.name for role in ROLES if role.needed(supervisor.config)}
        unneeded = {"twin", "recorder", "partner"}
        assert set(supervisor.pids()) == needed == {role.name for role in ROLES} - unneeded
        wait(lambda: written(log))
        ending = end_and_check(supervisor)
    assert ending == Ending(False, "the run was ended from outside", None, 0, True)
    recording = read(log)
    assert recording.problem == "" and recording.event_text[-1] == "core: asked to end"


@pytest.mark.parametrize("role", ["loop", "scribe", "stagehand"])
def test_a_killed_process_ends_all_with_a_sentence(log: Path, role: str) -> None:
    with Supervisor(config(log), command=command) as supervisor:
        wait(lambda: written(log))
        os.kill(supervisor.pids()[role], signal.SIGKILL)
        wait(lambda: supervisor.ended() == role)
        ending = end_and_check(supervisor)
    assert not ending.completed
    assert ending.reason.startswith(
        f"the {'core' if role == 'loop' else role} was killed (SIGKILL)"
    )
    recording = read(log)
    assert len(recording.column("t")) > 100
    assert bool(recording.problem) == (role in ("loop", "scribe"))
    assert ending.log_complete == (role not in ("loop", "scribe"))


def operated(log: Path | None) -> LaunchConfig:
    return LaunchConfig(free_endpoint(), autopilot=False, log=None if log is None else str(log))


class Told:
    """The supervisor's sentences about the processes that it starts again."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.texts: list[str] = []
        self._supervisor = supervisor

    def more(self) -> int:
        """Call `revive` once more, and return the number of sentences."""
        text = self._supervisor.revive()
        self.texts += [text] if text else []
        return len(self.texts)


def test_a_voice_that_dies_is_started_again_and_the_run_goes_on(log: Path) -> None:
    with Supervisor(config(log), command=command) as supervisor:
        wait(lambda: written(log))
        first = supervisor.pids()
        assert supervisor.revive() == ""
        os.kill(first["voice"], signal.SIGKILL)
        told = Told(supervisor)
        wait(lambda: told.more() == 1)
        assert told.texts == ["the voice was killed (SIGKILL); it is started again"]
        assert supervisor.ended() is None and supervisor.revive() == ""
        second = supervisor.pids()
        assert second["voice"] != first["voice"] and alive(second["voice"])
        assert {k: v for k, v in first.items() if k != "voice"}.items() <= second.items()
        ending = end_and_check(supervisor)
    assert ending.core_status == 0 and ending.log_complete
    assert read(log).problem == ""


def test_a_run_that_people_operate_goes_on_without_its_record(log: Path) -> None:
    with Supervisor(operated(log), command=command) as supervisor:
        wait(lambda: written(log))
        first = supervisor.pids()
        os.kill(first["scribe"], signal.SIGKILL)
        told = Told(supervisor)
        wait(lambda: told.more() == 1)
        assert told.texts == ["the scribe was killed (SIGKILL); the run continues without it"]
        for _ in range(5):
            time.sleep(0.1)
            assert supervisor.revive() == "" and supervisor.ended() is None
        assert supervisor.pids() == first
        ending = end_and_check(supervisor)
    assert ending.core_status == 0 and not ending.log_complete
    assert len(read(log).column("t")) > 100


def test_a_run_that_people_operate_gets_another_stagehand(log: Path) -> None:
    with Supervisor(operated(log), command=command) as supervisor:
        wait(lambda: written(log))
        first = supervisor.pids()
        os.kill(first["stagehand"], signal.SIGKILL)
        told = Told(supervisor)
        wait(lambda: told.more() == 1)
        assert told.texts == ["the stagehand was killed (SIGKILL); it is started again"]
        second = supervisor.pids()
        assert second["stagehand"] != first["stagehand"] and alive(second["stagehand"])
        assert supervisor.ended() is None
        ending = end_and_check(supervisor)
    assert ending.core_status == 0 and ending.log_complete


@pytest.mark.parametrize("role", ["scribe", "stagehand", "voice"])
def test_what_refuses_its_input_ends_even_a_run_that_people_operate(role: str) -> None:
    def picky(started: str, launch: LaunchConfig) -> list[str]:
        if started == role:
            return ["/bin/sh", "-c", "echo the log cannot be written >&2; exit 2"]
        return ["sleep", "60"]

    with Supervisor(operated(Path("run.mcap")), command=picky) as supervisor:
        wait(lambda: supervisor.ended() == role)
        assert supervisor.revive() == ""
        ending = supervisor.end(hurry=lambda: True)
    assert ending.reason == (
        f"the {role} ended unexpectedly: the log cannot be written; the run ends without it"
    )


def test_a_voice_that_dies_at_once_again_and_again_is_given_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def mute(role: str, launch: LaunchConfig) -> list[str]:
        if role == "voice":
            return ["/bin/sh", "-c", "echo no numpy >&2; exit 1"]
        return ["sleep", "60"]

    monkeypatch.setattr("core.run.processes.PATIENCE_S", (0.0, 0.0, 60.0))
    with Supervisor(config(None), command=mute) as supervisor:
        told = Told(supervisor)
        wait(lambda: told.more() == 2)
        dead = supervisor.pids()["voice"]
        for _ in range(5):
            time.sleep(0.1)
            assert supervisor.revive() == "" and supervisor.ended() is None
        assert supervisor.pids()["voice"] == dead
    assert set(told.texts) == {"the voice ended unexpectedly: no numpy; it is started again"}


def test_a_loop_that_is_deaf_is_killed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.run.processes.LOOP_END_S", 0.3)
    with Supervisor(config(log, Conduct.DEAF), command=command) as supervisor:
        wait(lambda: written(log))
        ending = end_and_check(supervisor)
    assert ending.core_status == -signal.SIGKILL
    assert len(read(log).column("t")) > 100


def test_haste_cuts_the_patience(log: Path) -> None:
    with Supervisor(config(log, Conduct.DEAF), command=command) as supervisor:
        wait(lambda: written(log))
        pids = supervisor.pids()
        supervisor.end(hurry=lambda: True)
        assert not [role for role, pid in pids.items() if alive(pid)]


def test_a_core_that_cannot_start_is_told() -> None:
    def broken(role: str, launch: LaunchConfig) -> list[str]:
        if role != LOOP:
            return ["sleep", "60"]
        return ["/bin/sh", "-c", "echo Traceback >&2; echo profile.toml is truncated >&2; exit 3"]

    with Supervisor(config(None), command=broken) as supervisor:
        wait(lambda: supervisor.ended() is not None)
        ending = supervisor.end()
    assert ending.reason == "the core ended unexpectedly: profile.toml is truncated"


@pytest.mark.parametrize(
    ("twin", "reason"),
    [
        ("{ready}; kill -9 $$", "the twin was killed (SIGKILL); the run ends without it"),
        (
            # It is still about to say what was wrong when its core is gone already.
            "trap 'sleep 0.3; echo its model is torn >&2; exit 1' TERM; {ready}; {waits}",
            "the twin ended unexpectedly: its model is torn; the run ends without it",
        ),
        ("trap 'exit 0' TERM; {ready}; {waits}", "twin: has ended"),
        ("trap '' TERM; {ready}; {waits}", "twin: has ended"),
        ("{ready}; {waits}", "twin: has ended"),
    ],
)
def test_a_core_whose_twin_fails_is_not_the_reason(twin: str, reason: str, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    words = twin.format(ready=f": > {ready}", waits="while :; do sleep 0.1; done")

    def lines(role: str, launch: LaunchConfig) -> list[str]:
        if role == TWIN:
            return ["/bin/sh", "-c", words]
        if role == LOOP:
            waits = f"while [ ! -e {ready} ]; do sleep 0.02; done; sleep 0.2"
            return ["/bin/sh", "-c", f"{waits}; echo twin: has ended >&2; exit 2"]
        return ["sleep", "60"]

    rehearsed = LaunchConfig(free_endpoint(), body="twin", pace="max", walk=(WalkOrder(dur=60.0),))
    with Supervisor(rehearsed, command=lines) as supervisor:
        loop = supervisor.pids()[LOOP]
        wait(lambda: os.waitid(os.P_PID, loop, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None)
        ending = supervisor.end()
    assert (ending.completed, ending.reason) == (False, reason)
    assert ending.first == (LOOP if reason == "twin: has ended" else TWIN)


def test_a_program_that_is_not_there_leaves_nothing_behind() -> None:
    started: list[str] = []

    def half(role: str, launch: LaunchConfig) -> list[str]:
        started.append(role)
        return ["sleep", "60"] if len(started) == 1 else ["/does/not/exist"]

    supervisor = Supervisor(config(None), command=half)
    with pytest.raises(FileNotFoundError):
        supervisor.start()
    assert supervisor.pids() == {}


def test_an_error_meanwhile_leaves_nothing_behind() -> None:
    supervisor = Supervisor(config(None), command=lambda role, launch: ["sleep", "60"])
    pids: dict[str, int] = {}
    with pytest.raises(ZeroDivisionError), supervisor:
        pids = supervisor.pids()
        raise ZeroDivisionError
    assert pids and not [pid for pid in pids.values() if alive(pid)]


def test_what_a_run_needs() -> None:
    plain = Supervisor(config(None, pace="max"))
    assert plain.config.siblings == ("stagehand",)
    full = Supervisor(config(Path("run.mcap")))
    assert set(full.config.siblings) == {"scribe", "stagehand", "voice"}
    line = core_command("scribe", full.config)
    assert line[3:5] == ("core", "scribe") and LaunchConfig.from_json(line[-1]) == full.config
