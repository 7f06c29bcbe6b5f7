"""What every test runs under."""

import os

from hypothesis import HealthCheck, settings

from tests.draws import EXAMPLES, EXPLORES

# MuJoCo draws in software where there is no screen; a choice made outside is kept.
os.environ.setdefault("MUJOCO_GL", "osmesa")

# Shared machines are slow at times: an example has no deadline, a test has (pyproject.toml).
settings.register_profile(
    "footlight",
    deadline=None,
    max_examples=EXAMPLES,
    print_blob=True,
    derandomize=not EXPLORES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("footlight")
