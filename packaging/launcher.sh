#!/bin/sh
# The footlight command of a bundle at any path.
here="$(dirname "$(readlink -f "$0")")"
export PYTHONPATH="$here/code" PYTHONDONTWRITEBYTECODE=1 PYTHONNOUSERSITE=1
exec "$here/venv/bin/python" -P -m app "$@"
