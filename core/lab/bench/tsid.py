"""Whether TSID, another whole-body controller, can be set beside ours in this environment.

Nothing else needs TSID, so it is no dependency. The wheel of 1.10.0 installs beside Pinocchio 4.1
and breaks at its first call, as one made for another Pinocchio does; hence no comparison.
"""

import importlib.util
import subprocess
import sys
from typing import Literal, TypeAlias

import pinocchio as pin

State: TypeAlias = Literal["missing", "broken", "works"]

TRIAL_S = 60.0
TRIAL = (
    "import pinocchio, tsid; "
    "model = pinocchio.buildSampleModelHumanoid(); "
    "tsid.RobotWrapper(model, tsid.FLOATING_BASE_SYSTEM, False)"
)


def tsid_here() -> tuple[State, str]:
    """Return whether TSID can be used, and a sentence on it.

    It is tried in a process of its own, because a broken one may abort the whole process.
    """
    if importlib.util.find_spec("tsid") is None:
        return "missing", "TSID is not installed, so it is not compared."
    command = [sys.executable, "-P", "-W", "ignore", "-c", TRIAL]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TRIAL_S)
    except subprocess.TimeoutExpired:
        return "broken", _broken(f"no answer within {TRIAL_S:g} s")
    if done.returncode:
        words = done.stderr.strip().splitlines()
        return "broken", _broken(words[-1] if words else f"exit status {done.returncode}")
    return "works", f"TSID works with Pinocchio {pin.__version__} here, but is not compared."


def _broken(cause: str) -> str:
    told = f"TSID is installed but breaks with Pinocchio {pin.__version__} ({cause})"
    return f"{told}, so it is not compared."
