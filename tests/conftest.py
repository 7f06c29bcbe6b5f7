"""What every test runs under."""

import os

from hypothesis import settings

# MuJoCo draws in software where there is no screen; a choice made outside is kept.
os.environ.setdefault("MUJOCO_GL", "osmesa")

# Shared machines are slow at times: an example has no deadline, a test has (pyproject.toml).
settings.register_profile("footlight", deadline=None, print_blob=True)
settings.load_profile("footlight")
