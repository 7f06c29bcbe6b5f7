#!/bin/bash
# Every check, in the order of how soon it tells something. Stops at the first that fails.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"

ruff check .
ruff format --check .
lint-imports
# Fields and arguments are read by name at places that vulture does not see; the rest counts.
if vulture | grep -vE 'unused (variable|attribute)'; then
    echo "dead code: nothing names the above" >&2
    exit 1
fi
mypy
pytest
