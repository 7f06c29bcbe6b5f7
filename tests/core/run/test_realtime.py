"""Real-time settings, tried in a separate process."""

import subprocess
import sys

from tests.tracked import REPOSITORY


def run(code: str) -> str:
    """Run code in a new interpreter and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def test_the_garbage_collector_rests() -> None:
    out = run(
        "import gc\n"
        "from core.run.realtime import freeze_garbage\n"
        "freeze_garbage()\n"
        "print(gc.isenabled(), gc.get_freeze_count() > 0)\n"
    )
    assert out.split() == ["False", "True"]


def test_what_is_granted_is_in_force_and_what_is_refused_is_said() -> None:
    out = run(
        "import os\n"
        "from core.run.realtime import PRIORITY, become_real_time\n"
        "refused = become_real_time()\n"
        "fifo = os.sched_getscheduler(0) == os.SCHED_FIFO\n"
        "assert fifo is not any('FIFO' in sentence for sentence in refused), refused\n"
        "assert not fifo or os.sched_getparam(0).sched_priority == PRIORITY\n"
        "status = open('/proc/self/status').read()\n"
        "locked = int(status.split('VmLck:')[1].split()[0]) > 0\n"
        "assert locked is not any('memory' in sentence for sentence in refused), refused\n"
        "for sentence in refused:\n"
        "    assert 'limits.conf' in sentence and '\\n' not in sentence\n"
        "print('checked')\n"
    )
    assert out.strip() == "checked"


def test_refusals_do_not_raise_where_nothing_is_allowed() -> None:
    out = run(
        "import os, resource\n"
        "from core.run.realtime import become_real_time\n"
        "resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))\n"
        "resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))\n"
        "if os.getuid() == 0:\n"
        "    os.setgid(65534); os.setuid(65534)\n"
        "print(len(become_real_time()))\n"
    )
    assert out.strip() == "2"
