"""Lets the doctor look, in a process of its own: a driver that fails takes nobody with it."""

import os
import subprocess
import sys

import msgspec

from core.doctor.finding import Finding
from core.doctor.order import DoctorOrder
from core.errors import CoreError
from core.processes import ROOT

PATIENCE_S = 120.0  # hundreds of questions to actuators that do not answer take half a minute


def ask_doctor(order: DoctorOrder) -> list[Finding]:
    """Return what the doctor finds.

    Raises:
        CoreError: it refuses the order, or died.
    """
    environment = dict(os.environ)
    paths = (str(ROOT), environment.get("PYTHONPATH", ""))
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    command = (sys.executable, "-P", "-m", "core", "doctor", "--json", order.to_json())
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
        )
    except subprocess.TimeoutExpired as error:
        raise CoreError(f"the doctor did not end within {PATIENCE_S:g} s") from error
    words = done.stderr.decode(errors="replace").strip().splitlines()
    last = words[-1] if words else f"exit status {done.returncode}"
    if done.returncode:
        raise CoreError(last)
    try:
        return msgspec.json.decode(done.stdout, type=list[Finding])
    except msgspec.DecodeError as error:
        raise CoreError(f"the doctor said nothing that makes sense ({error})") from error
