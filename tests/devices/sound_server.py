"""The sound server of the benches, and what tests do where there cannot be one."""

from importlib import import_module
from typing import Any

import pytest


def sounddevice_or_skip() -> Any:
    """Return the module, or skip the test where it or its library is not installed."""
    try:
        return import_module("sounddevice")
    except (ImportError, OSError) as error:
        pytest.skip(f"no sounddevice: {error}", allow_module_level=True)
