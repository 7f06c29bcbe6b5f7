"""Readers of facts about the computer from Linux; they do not judge."""

import ctypes
import importlib.util
import os
import resource
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from core.link.wording import text
from core.run.realtime import become_real_time
from core.service.doctor.facts import Clocks, Disk, Kernel, Rights

ROOT = Path("/")
_STA_UNSYNC = 0x40
_TIMEX_BYTES = 512  # more than any architecture's
_TIMEX_STATUS_WORD = 10  # of 32 bits: modes, padding, four longs
_TRIAL_S = 10  # a trial that hangs is ended


def read_rights() -> Rights:
    """Return the permissions of the loop: a short process requests them and ends."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(_TRIAL_S)
            os.write(writer, "\n".join(map(text, become_real_time())).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as answer:
        refused = answer.read().decode().splitlines()
    _, status = os.waitpid(child, 0)
    if status:
        refused.append("the request for real time was ended by the system; check its log")
    fifo, _ = resource.getrlimit(resource.RLIMIT_RTPRIO)
    memlock, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    return Rights(tuple(refused), fifo, memlock)


def read_kernel(root: Path = ROOT) -> Kernel:
    """Return the kernel and the processors."""
    cpu = root / "sys/devices/system/cpu"
    governors = sorted(cpu.glob("cpu[0-9]*/cpufreq/scaling_governor"))
    version = _text(root / "proc/sys/kernel/version")
    swaps = _text(root / "proc/swaps").splitlines()[1:]
    return Kernel(
        release=_text(root / "proc/sys/kernel/osrelease"),
        real_time=_text(root / "sys/kernel/realtime") == "1" or "PREEMPT_RT" in version,
        processors=os.cpu_count() or 1,
        isolated=_text(cpu / "isolated"),
        governors=tuple(_text(path) for path in governors),
        swaps=tuple(line.split()[0] for line in swaps if line.strip()),
    )


def read_clocks(root: Path = ROOT) -> Clocks:
    """Return the facts of the computer's clocks."""
    source = root / "sys/devices/system/clocksource/clocksource0/current_clocksource"
    return Clocks(time.get_clock_info("monotonic").resolution, _text(source), _synchronised())


def read_disk(folder: Path) -> Disk:
    """Return the free space in the folder of records."""
    if not folder.is_dir():
        return Disk(str(folder), "there is no such folder; make it, or name another", 0)
    if not os.access(folder, os.W_OK | os.X_OK):
        return Disk(str(folder), "cannot be written by this user; change its owner", 0)
    found = os.statvfs(folder)
    return Disk(str(folder), "", found.f_bavail * found.f_frsize)


def read_missing(packages: Sequence[str]) -> tuple[str, ...]:
    """Return the packages that are not installed."""
    return tuple(name for name in packages if importlib.util.find_spec(name) is None)


def _synchronised() -> bool:
    """Return whether the kernel considers its wall clock synchronised to a time server."""
    timex = (ctypes.c_int32 * (_TIMEX_BYTES // 4))()
    if ctypes.CDLL(None, use_errno=True).adjtimex(timex) < 0:
        return False
    return not timex[_TIMEX_STATUS_WORD] & _STA_UNSYNC


def _text(path: Path) -> str:
    """Return a file's text without surrounding blanks; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
