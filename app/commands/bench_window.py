"""The window of a run, measured: `python -m app.commands.bench_window STARTED_S RUN.mcap`."""

import sys
from functools import partial
from pathlib import Path

from app.commands.log import library
from app.runs.application import show
from app.runs.bench import measure

if __name__ == "__main__":
    sys.exit(show(Path(sys.argv[2]), None, library(), partial(measure, float(sys.argv[1]))))
