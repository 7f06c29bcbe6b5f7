"""No tick waits for a compiler: the constructor has called every kernel as ticks will."""

import subprocess
import sys

from tests.tracked import REPOSITORY

SCRIPT = """
import sys
import numpy as np
from tests.devices.sim import rig

def compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith("devices.sim.")]
    kernels = {v for m in modules for v in vars(m).values() if hasattr(v, "signatures")}
    return {kernel.__name__: len(kernel.signatures) for kernel in kernels}

robot = rig.body()
before = compiled()
command = rig.hold(rig.posture(rig.CROUCH))
robot.push(np.array([1.0, 0.0, 0.0]), 0.01)
for tick in range(60):
    robot.write(command) if tick < 30 else robot.damp() if tick < 45 else robot.stop()
    robot.read()
    robot.truth()
print(len(before), set(filter(None, before.values())), before == compiled())
"""


def test_a_body_that_was_made_has_every_kernel_compiled() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    count, each, same = done.stdout.split()
    assert int(count) > 5
    assert (each, same) == ("{1}", "True")
