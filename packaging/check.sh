#!/bin/bash
# Checks everything that a change may break, within some minutes. Stops at the first that fails.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"
. packaging/lanes.sh

# The tests of units and rules need them, and are skipped where they cannot be installed.
if [ "$(id -u)" = 0 ] && ! { command -v systemd-analyze && command -v udevadm; } >/dev/null; then
    echo "installing the Debian packages systemd udev, which the tests of units and rules need"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends systemd udev; } >/dev/null 2>&1 ||
        echo "they could not be installed: the tests that need them are skipped" >&2
fi

static_checks() {
    set -e
    lint-imports
    # Vulture does not see where fields and arguments are read by name.
    if vulture | grep -vE 'unused (variable|attribute)'; then
        echo "dead code: nothing names the above" >&2
        return 1
    fi
    mypy
}

ruff check .
ruff format --check .
# Tests in real time need little processor time without delay; the other tests use the rest.
lane "static checks" nice -n 10 bash -c "$(declare -f static_checks); static_checks"
lane "tests" nice -n 19 pytest -q -p no:cacheprovider -n 2 --dist worksteal --timeout 600 \
    -m "not realtime and not long"
lane "tests in real time" pytest -q -m "realtime and not long" \
    tests/system $(grep -rl 'pytest.mark.realtime' tests --include='test_*.py')
join
