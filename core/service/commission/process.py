"""Runs commissioning in a process of its own with the terminal."""

import contextlib
import subprocess
import sys

import msgspec

from core.errors import CoreError
from core.run.processes import REFUSED, TWIN, child_environment, lone_twin
from core.service.commission.order import CommissionOrder

LOOK_S = 0.1  # period of the check whether the twin runs
GONE = 3  # exit status of a process whose twin has ended
GRACE_S = 5.0  # time for requests on a line to end after the twin has


def commission(order: CommissionOrder) -> int:
    """Execute a command and return its exit status; a twin is started if none is named.

    Raises:
        CoreError: the twin died.
    """
    if order.body != TWIN or order.ports is not None:
        status = _work(order).wait()
        return REFUSED if status == GONE else status
    with lone_twin(order.robot, order.faults) as supervisor:
        order = msgspec.structs.replace(order, ports=supervisor.config.ports)
        work = _work(order)
        while supervisor.ended() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = work.wait(LOOK_S)
                if status != GONE:
                    return status
        if work.poll() is None:
            try:
                work.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                work.kill()
                work.wait()
        raise CoreError(supervisor.end().reason)


def _work(order: CommissionOrder) -> "subprocess.Popen[bytes]":
    command = (sys.executable, "-P", "-m", "core", "commission", "--json", order.to_json())
    return subprocess.Popen(command, env=child_environment())
