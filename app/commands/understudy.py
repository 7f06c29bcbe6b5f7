"""The understudy: a take that plays the person whom the robot follows in a rehearsal.

It stands in the T-pose from the start, is calibrated, and performs once the first cue runs.
"""

import math
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Final

from core.link import topics
from core.link.client import Client
from core.link.partner import Calibrate, PartnerReport
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from core.run.processes import child_environment, core_command
from core.service.puppeteer.order import PuppeteerOrder
from shows.document import LiveClip
from shows.errors import ShowError
from shows.storage import load_show

HOST: Final = "127.0.0.1"
HEARD_S: Final = 0.5  # age of a frame up to which the source is heard
AGAIN_S: Final = 1.0  # from one order to calibrate to the next
END_S: Final = 2.0


def free_port() -> int:
    """Return a UDP port of this computer at which nobody listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def follows(show: Path, profile: Profile) -> bool:
    """Return whether the robot follows a person in a show; not in one that cannot be read."""
    try:
        loaded = load_show(show, joint_table(profile), unfinished=True)
    except ShowError:
        return False
    return any(isinstance(clip, LiveClip) for cue in loaded.show.cues for clip in cue.clips())


class Understudy:
    """Owns the puppeteer's process.

    Args:
        take: of the person; it begins in the T-pose.

    Attributes:
        source: of the run, as the option --source.
    """

    def __init__(self, take: Path) -> None:
        port = free_port()
        self.source = f"vmc:{port}@{HOST}"
        self._order = PuppeteerOrder(str(take), "vmc", HOST, port, waits=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._report = PartnerReport(-math.inf)
        self._asked_s = -math.inf
        self._performs = False

    def start(self) -> None:
        """Stand in the T-pose.

        Raises:
            OSError: the process cannot be started.
        """
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            core_command("puppeteer", self._order),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=child_environment(),
            process_group=0,
        )

    def look(self, client: Client) -> str:
        """Order the calibration, and begin with the first cue; call it some times a second.

        Returns:
            A sentence for the operator if the puppeteer has failed, once, or an empty string.
        """
        process = self._process
        if process is None or process.stdin is None or self._errors is None:
            return ""
        for report in client.subscribe(topics.PARTNER_REPORT).poll():
            self._report = report
        status = client.status()
        if not self._performs and status is not None and status.running_cue:
            self._performs = True
            process.stdin.close()
        elif not self._performs:
            self._calibrate(client, time.monotonic())
        if process.poll():
            self._errors.seek(0)
            words = self._errors.read().decode(errors="replace").strip().splitlines()
            self._process = None
            reason = words[-1] if words else f"it ended with exit status {process.returncode}"
            return f"nobody plays the person any more: {reason}"
        return ""

    def _calibrate(self, client: Client, now_s: float) -> None:
        """Order the calibration of a person who is heard and not calibrated."""
        heard = self._report.source.age_s < HEARD_S
        wanting = self._report.calibration.state in ("none", "failed")
        if heard and wanting and now_s - self._asked_s > AGAIN_S:
            self._asked_s = now_s
            client.publish(Calibrate())

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin is not None:
                process.stdin.close()
        if self._errors is not None:
            self._errors.close()
