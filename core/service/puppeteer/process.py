"""Runs the puppeteer in a process of its own."""

import subprocess
import sys

from core.run.processes import child_environment
from core.service.puppeteer.order import PuppeteerOrder


def puppeteer(order: PuppeteerOrder) -> int:
    """Play a take or a recording; return the exit status: 1 if it was ended early."""
    command = (sys.executable, "-P", "-m", "core", "puppeteer", "--json", order.to_json())
    return subprocess.run(command, env=child_environment(), check=False).returncode
