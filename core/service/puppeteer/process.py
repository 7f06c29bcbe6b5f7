"""Runs the puppeteer in a process of its own."""

import subprocess

from core.run.processes import child_environment, core_command
from core.service.puppeteer.order import PuppeteerOrder


def puppeteer(order: PuppeteerOrder) -> int:
    """Play a take or a recording; return the exit status: 1 if it was ended early."""
    return subprocess.run(
        core_command("puppeteer", order), env=child_environment(), check=False
    ).returncode
