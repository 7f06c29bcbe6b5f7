"""Runs the doctor in a process of its own, so that a failing driver ends that process only."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable

import msgspec

from core.errors import CoreError
from core.run.processes import TWIN, child_environment, lone_twin
from core.service.doctor.finding import Finding
from core.service.doctor.order import DoctorOrder

PATIENCE_S = 120.0  # hundreds of requests to actuators that do not answer take half a minute
TWIN_START_S = 120.0  # more, on a slow computer
LOOK_S = 0.1  # period of the check whether the twin runs


def ask_doctor(order: DoctorOrder) -> list[Finding]:
    """Return the doctor's findings; a twin is started for it if none is named.

    Raises:
        CoreError: it refuses the order, or died, or the twin did.
    """
    if order.body != TWIN:
        return _ask(order, PATIENCE_S)
    patience_s = TWIN_START_S + PATIENCE_S
    if order.ports is not None:
        return _ask(order, patience_s)
    with lone_twin(order.robot, order.faults) as supervisor:
        order = msgspec.structs.replace(order, ports=supervisor.config.ports)
        try:
            return _ask(order, patience_s, lambda: supervisor.ended() is not None)
        except CoreError:
            if supervisor.ended() is None:
                raise
            raise CoreError(supervisor.end().reason) from None


def _ask(
    order: DoctorOrder, patience_s: float, hopeless: Callable[[], bool] = lambda: False
) -> list[Finding]:
    """Return the doctor's findings, unless its twin has ended."""
    command = (sys.executable, "-P", "-m", "core", "doctor", "--json", order.to_json())
    asked = subprocess.Popen(
        command,
        env=child_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with asked:
        try:
            out, errors = _awaited(asked, patience_s, hopeless)
        except BaseException:
            asked.kill()
            raise
    words = errors.decode(errors="replace").strip().splitlines()
    last = words[-1] if words else f"exit status {asked.returncode}"
    if asked.returncode:
        raise CoreError(last)
    try:
        return msgspec.json.decode(out, type=list[Finding])
    except msgspec.DecodeError as error:
        raise CoreError(f"the doctor's output is invalid ({error})") from error


def _awaited(
    asked: subprocess.Popen[bytes], patience_s: float, hopeless: Callable[[], bool]
) -> tuple[bytes, bytes]:
    """Return the doctor's output.

    Raises:
        CoreError: it did not end in time, or its twin has ended.
    """
    deadline_s = time.monotonic() + patience_s
    while time.monotonic() < deadline_s:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return asked.communicate(timeout=LOOK_S)
        if hopeless():
            raise CoreError("the doctor's twin has ended")
    raise CoreError(f"the doctor did not end within {patience_s:g} s")
