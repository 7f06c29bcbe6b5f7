#!/bin/bash
# Every check, in the order of how soon it tells something. Stops at the first that fails.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"

# They judge units and rules; whoever lacks them and may not install them skips those tests.
if [ "$(id -u)" = 0 ] && ! { command -v systemd-analyze && command -v udevadm; } >/dev/null; then
    echo "installing the Debian packages systemd udev, which judge units and rules"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends systemd udev; } >/dev/null 2>&1 ||
        echo "they could not be installed: the tests that need them are skipped" >&2
fi

# These compute, and what processes they start go in step: none minds how slow it is. The others
# work a real program in real time, and wait for much of it: what they leave of the processors is
# enough for these, behind them.
computing="tests/core/behave tests/core/lab tests/core/plants tests/core/robot
    tests/devices/families/bear/wire tests/devices/families/boards/wire
    tests/devices/families/crsf/wire tests/devices/families/mip/wire tests/devices/wire tests/shows"

ruff check .
ruff format --check .
lint-imports
# Fields and arguments are read by name at places that vulture does not see; the rest counts.
if vulture | grep -vE 'unused (variable|attribute)'; then
    echo "dead code: nothing names the above" >&2
    exit 1
fi

told="$(mktemp)"
nice -n 19 pytest -p no:cacheprovider --timeout 600 $computing >"$told" 2>&1 &
behind=$!
trap 'kill $behind 2>/dev/null || true; rm -f "$told"' EXIT
mypy
pytest ${computing//tests/--ignore=tests}
echo "the tests that only compute, behind these:"
wait $behind || { cat "$told"; exit 1; }
grep -E "^SKIPPED| passed" "$told"
