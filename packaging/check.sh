#!/bin/bash
# Every check, in the order of how soon it tells something. Stops at the first that fails.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH" MUJOCO_GL="${MUJOCO_GL:-osmesa}"

ruff check .
ruff format --check .
lint-imports
vulture
mypy
pytest
