"""The systemd units: what they start exists, and the limits are those that the core asks for."""

import os
import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from app.commands.parser import build_parser
from core.run.processes import LOOP_END_S, REFUSED, SIBLING_END_S
from core.run.realtime import PRIORITY
from tests.tracked import REPOSITORY

UNITS = sorted((REPOSITORY / "packaging" / "systemd").glob("*.service"))
PROGRAM = "/opt/footlight/footlight"
CORE, DOCTOR = "footlight-core.service", "footlight-doctor.service"


def read_unit(path: Path) -> RawConfigParser:
    """Return a unit file; where a key comes more than once, the last one counts."""
    found = RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(path, encoding="utf-8")
    return found


def unit(name: str) -> RawConfigParser:
    return read_unit(REPOSITORY / "packaging" / "systemd" / name)


def test_the_units_are_these() -> None:
    assert [path.name for path in UNITS] == [CORE, DOCTOR]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_the_bundles_program(path: Path) -> None:
    program, *_ = shlex.split(read_unit(path)["Service"]["ExecStart"])
    assert program == PROGRAM
    folder, _, name = PROGRAM.rpartition("/")
    install = (REPOSITORY / "packaging" / "install.sh").read_text(encoding="utf-8")
    assert folder in install
    assert (REPOSITORY / "packaging" / "launcher.sh").is_file() and name == "footlight"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_command_takes_every_option_of_a_unit(path: Path) -> None:
    _, command, *options = shlex.split(read_unit(path)["Service"]["ExecStart"])
    found = build_parser().parse_args([command, *options])
    assert found.command == command


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_is_sound(path: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None and "CI" not in os.environ:
        pytest.skip("systemd-analyze is not installed")
    there = tmp_path / path.name
    there.write_text(path.read_text(encoding="utf-8").replace(PROGRAM, "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(there)], capture_output=True, text=True
    )
    ours = [line for line in done.stderr.splitlines() if "footlight" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_grants_the_loops_requests(path: Path) -> None:
    service = read_unit(path)["Service"]
    assert service["LimitRTPRIO"] == str(PRIORITY)
    assert service["LimitMEMLOCK"] == "infinity"
    assert service["User"] == service["Group"] == "footlight"
    assert service["StateDirectory"] == "footlight"


def test_doctor_and_core_run_with_the_same_rights() -> None:
    same = (*(f"Limit{name}" for name in ("RTPRIO", "MEMLOCK", "CORE")), "SupplementaryGroups")
    core, doctor = unit(CORE)["Service"], unit(DOCTOR)["Service"]
    assert [core[key] for key in same] == [doctor[key] for key in same]


def test_a_core_that_dies_is_started_anew_and_not_for_ever() -> None:
    core = unit(CORE)
    service = core["Service"]
    assert service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == str(REFUSED)
    assert int(core["Unit"]["StartLimitBurst"]) <= 3
    # It operates itself no more than `footlight core` does: it has no autopilot, so no motion.
    assert shlex.split(service["ExecStart"])[1] == "core"


def test_a_stop_leaves_time_to_settle() -> None:
    service = unit(CORE)["Service"]
    assert float(service["TimeoutStopSec"]) > LOOP_END_S + 2.0 * SIBLING_END_S
    assert service["WatchdogSignal"] == "SIGTERM"
    assert service["KillMode"] == "control-group"


def test_a_stop_asks_the_command_alone_and_waits_for_it() -> None:
    program, option, script = shlex.split(unit(CORE)["Service"]["ExecStop"])
    assert option == "-c"
    asleep = subprocess.Popen(["sleep", "60"])
    stopper = subprocess.Popen(
        [program, option, script], env={**os.environ, "MAINPID": str(asleep.pid)}
    )
    assert asleep.wait(30) == -15
    assert stopper.wait(30) == 0
    gone = subprocess.run([program, option, script], env={**os.environ, "MAINPID": ""}, timeout=30)
    assert gone.returncode == 0


def test_the_limits_of_technicians_are_the_units() -> None:
    text = (REPOSITORY / "packaging" / "systemd" / "footlight.limits").read_text(encoding="utf-8")
    assert re.search(rf"^@footlight +- +rtprio +{PRIORITY}$", text, re.M)
    assert re.search(r"^@footlight +- +memlock +unlimited$", text, re.M)


def test_installing_puts_everything_in_its_place_and_keeps_the_table(tmp_path: Path) -> None:
    script = REPOSITORY / "packaging" / "install.sh"
    run = [str(script)]
    environment = {**os.environ, "DESTDIR": str(tmp_path)}
    subprocess.run(run, env=environment, check=True, timeout=30)
    put = [path for path in tmp_path.rglob("*") if path.is_file()]
    folders = (REPOSITORY / "packaging" / name for name in ("systemd", "udev"))
    shipped = [path for folder in folders for path in folder.iterdir()]
    assert sorted(path.read_bytes() for path in put) == sorted(p.read_bytes() for p in shipped)
    command = tmp_path / "usr" / "local" / "bin" / "footlight"
    assert os.readlink(command) == PROGRAM  # what every note calls by its name alone
    table = tmp_path / "etc" / "udev" / "rules.d" / "70-footlight-adapters.rules"
    table.write_text("# filled in\n")
    subprocess.run(run, env=environment, check=True, timeout=30)
    assert table.read_text() == "# filled in\n"
