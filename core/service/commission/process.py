"""Lets a technician work at the lines, in a process of its own that has the terminal."""

import contextlib
import subprocess
import sys

import msgspec

from core.errors import CoreError
from core.run.processes import REFUSED, TWIN, child_environment, lone_twin
from core.service.commission.order import CommissionOrder

LOOK_S = 0.1  # whether the twin lives, so often
GONE = 3  # status of a process whose twin is no more
GRACE_S = 5.0  # for what is under way at a line to end, once the twin has


def commission(order: CommissionOrder) -> int:
    """Do what is ordered and return its exit status; a twin is started if none is named.

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
