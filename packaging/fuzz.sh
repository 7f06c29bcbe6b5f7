#!/bin/bash
# Feeds every codec and every driver of devices, among them those of motion capture, and the readers
# of motions of other programs, for SECONDS each (default 60) under atheris, then sends ten million
# forged frames to the handset receiver. Stops at the first that fails and leaves the failing bytes
# in build/fuzz-crash-*.
#   packaging/fuzz.sh [SECONDS [TARGET...]]
#   FUZZ_SEED  number from which the inputs are drawn (default 0: others in each run)
set -eu
cd "$(dirname "$0")/.."
python="${PYTHON:-.venv/bin/python}"
seconds="${1:-60}"
shift || true

case "$seconds" in
'' | *[!0-9]*)
    echo "fuzz: $seconds is no number of seconds; usage: packaging/fuzz.sh [SECONDS [TARGET...]]" >&2
    exit 2
    ;;
esac
if ! "$python" -c 'import atheris' 2>/dev/null; then
    echo "fuzz: atheris is missing; only this command needs it. Install it so:" >&2
    echo "fuzz:     $python -m pip install --require-hashes -r packaging/lock/fuzz.txt" >&2
    exit 2
fi
mkdir -p build
for target in ${*:-$(PYTHONPATH=. "$python" -P -m tests.fuzz list)}; do
    echo "fuzz: $target, $seconds s"
    PYTHONPATH=. "$python" -P -m tests.fuzz "$target" "$seconds"
done
echo "fuzz: forgeries, about two minutes"
PYTHONPATH=. "$python" -P -m tests.fuzz forgeries 10000000
