"""The udev rules: their syntax, and that the table knows the lines of the robot."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from devices.real.settings import load_hardware
from shows.folders import ROBOTS
from tests.tracked import REPOSITORY

RULES = sorted((REPOSITORY / "packaging" / "udev").glob("*.rules"))
TABLE, MECHANICS = RULES
PAIR = re.compile(r'([A-Z_]+)(?:\{([^{}]+)\})?(==|!=|\+=|=)"([^"]*)"')
MATCHES = {"ACTION", "SUBSYSTEM", "DRIVER"}  # only compared
ASSIGNS = {"SYMLINK", "GROUP", "MODE", "GOTO", "LABEL"}  # only set
BOTH = {"ENV", "ATTR"}  # with a name in braces


def rules(path: Path) -> list[list[tuple[str, str, str, str]]]:
    """Return each rule as its pairs: key, name in braces, operator, value."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pairs = [PAIR.fullmatch(part) for part in re.split(r", (?=[A-Z])", line)]
        assert all(pairs), f"{path.name}: {line}"
        found.append([(p[1], p[2] or "", p[3], p[4]) for p in pairs if p])
    return found


def test_the_table_comes_before_what_uses_it() -> None:
    names = [path.name for path in RULES]
    assert names == ["70-footlight-adapters.rules", "71-footlight.rules"]
    # 60-serial.rules of the system tells the serial number.
    assert all(name > "60-serial.rules" for name in names)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_every_rule_is_one(path: Path) -> None:
    for rule in rules(path):
        for key, name, operator, _ in rule:
            assert key in MATCHES | ASSIGNS | BOTH, key
            assert bool(name) is (key in BOTH), f"{key}{{{name}}}"
            assert operator in ("==", "!=") if key in MATCHES else True
            assert operator in ("=", "+=") if key in ASSIGNS else True


def test_every_jump_has_a_place_ahead_to_land_on() -> None:
    at: dict[str, list[int]] = {"GOTO": [], "LABEL": []}
    names = set()
    for number, rule in enumerate(rules(MECHANICS)):
        for key, _, _, value in rule:
            if key in at:
                at[key].append(number)
                names.add(value)
    assert len(names) == 1 and len(at["LABEL"]) == 1
    assert max(at["GOTO"]) < at["LABEL"][0]


def test_the_table_has_a_row_for_every_line_and_no_number_twice() -> None:
    lines = load_hardware(ROBOTS / "kid_cosmo" / "hardware.toml").lines
    told, numbers = [], []
    for match, assignment in rules(TABLE):
        assert match[:3] == ("ENV", "ID_SERIAL_SHORT", "==")
        assert assignment[:3] == ("ENV", "FOOTLIGHT_LINE", "=")
        numbers.append(match[3])
        told.append(assignment[3])
    assert told == list(lines)
    assert len(set(numbers)) == len(numbers)


def test_a_line_is_found_where_drivers_look_and_belongs_to_the_group() -> None:
    (line,) = [rule for rule in rules(MECHANICS) if rule[0][0] == "SYMLINK"]
    assert line[0][2:] == ("+=", "footlight/$env{FOOTLIGHT_LINE}")
    assert ("GROUP", "", "=", "footlight") in line and ("MODE", "", "=", "0660") in line


def test_adapters_hold_nothing_back() -> None:
    (rule,) = [rule for rule in rules(MECHANICS) if ("DRIVER", "", "==", "ftdi_sio") in rule]
    assert ("ATTR", "latency_timer", "=", "1") in rule


# Older ones (systemd 252) judge only while they act: on a device, in a namespace of their own.
ACT = """
mount -t tmpfs run /run
mkdir -p /etc/udev && mount -t tmpfs rules /etc/udev && mkdir /etc/udev/rules.d
[ ! -d /dev/char ] || mount -t tmpfs char /dev/char
cp "$1" /etc/udev/rules.d/
"$2" test --action=add /sys/class/tty/tty 2>&1
"""


def faults_of(path: Path) -> list[str]:
    """Return what udev itself has to say of a file of rules."""
    if shutil.which("udevadm") is None and "CI" not in os.environ:
        pytest.skip("udevadm is not installed")
    udevadm = "udevadm"
    help_text = subprocess.run([udevadm, "--help"], capture_output=True, text=True).stdout
    if "verify" in help_text:
        done = subprocess.run([udevadm, "verify", os.fspath(path)], capture_output=True, text=True)
        return (done.stdout + done.stderr).splitlines() if done.returncode else []
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c", ACT, "sh"]
    done = subprocess.run([*alone, os.fspath(path), udevadm], capture_output=True, text=True)
    if f"Reading rules file: /etc/udev/rules.d/{path.name}" not in done.stdout:
        pytest.skip("udevadm may not act here")
    # Who has not installed anything has no such group.
    told = [line for line in done.stdout.splitlines() if f"/{path.name}:" in line]
    return [line for line in told if "Unknown group 'footlight'" not in line]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_udev_itself_finds_no_fault(path: Path) -> None:
    assert faults_of(path) == []


def test_udev_itself_finds_a_fault_where_there_is_one(tmp_path: Path) -> None:
    bad = tmp_path / "72-bad.rules"
    bad.write_text('SUBSYTEM=="tty", SYMLINK+="x"\n')
    assert "SUBSYTEM" in " ".join(faults_of(bad))
