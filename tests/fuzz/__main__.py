"""Runs one target under atheris for some seconds, or sends forgeries: see packaging/fuzz.sh."""

import argparse
import os
import sys
import time
from pathlib import Path
from types import CodeType, FunctionType
from typing import cast

import devices.compiled
from devices.compiled import Function, compiled

LONGEST = 1024  # bytes of a codec's input
LONGEST_SCRIPT = 192  # of a driver's


def as_written(function: Function) -> Function:
    """Compile a kernel from its source: machine code cannot be made of bytecode with probes."""
    path = function.__code__.co_filename
    module = compile(Path(path).read_text(encoding="utf-8"), path, "exec")
    code = next(
        constant
        for constant in module.co_consts
        if isinstance(constant, CodeType) and constant.co_name == function.__name__
    )
    return compiled(cast(Function, FunctionType(code, function.__globals__, function.__name__)))


def fuzz(name: str, seconds: int) -> None:
    """Feed a target until the time is over; atheris ends the process.

    Raises:
        ImportError: atheris is not installed.
    """
    import atheris

    devices.compiled.compiled = as_written
    with atheris.instrument_imports(
        include=[
            "devices.capture",
            "devices.wire",
            "devices.real",
            "shows.bvh",
            "shows.csv_motion",
        ]
    ):
        from tests.fuzz.drivers import DRIVERS
        from tests.fuzz.targets import TARGETS

    limits = (
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_SCRIPT if name in DRIVERS else LONGEST}",
        "-len_control=0",
        "-rss_limit_mb=1024",
        f"-seed={os.environ.get('FUZZ_SEED', '0')}",
    )
    options = (
        "-timeout=60",
        "-artifact_prefix=build/fuzz-",
        "-verbosity=0",
        "-print_final_stats=1",
    )
    atheris.Setup([sys.argv[0], *limits, *options], (TARGETS | DRIVERS)[name])
    atheris.Fuzz()


def forge(count: int) -> int:
    """Send forgeries to a session; return how many were taken."""
    from devices.families.native_handset.wire import Refusal
    from tests.devices.wire.forgery import forgeries, paired

    robot, handset = paired(3)
    begin = time.process_time()
    taken = sum(robot.receive(frame) is not None for frame in forgeries(robot, handset, count))
    reasons = ", ".join(f"{reason} {robot.refused[reason]}" for reason in Refusal)
    spent = time.process_time() - begin
    print(f"forgeries: {count} sent in {spent:.1f} s of CPU, {taken} taken; refused for {reasons}")
    return taken


def names() -> None:
    """Print the targets."""
    from tests.fuzz.drivers import DRIVERS
    from tests.fuzz.targets import TARGETS

    print("\n".join(TARGETS | DRIVERS))


def main() -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", help="a codec, a driver, `forgeries`, or `list` for their names")
    parser.add_argument("amount", type=int, nargs="?", default=10, help="seconds, or forgeries")
    options = parser.parse_args()
    if options.target == "list":
        names()
    elif options.target == "forgeries":
        return int(forge(options.amount) > 0)
    else:
        fuzz(options.target, options.amount)
    return 0


if __name__ == "__main__":
    sys.exit(main())
