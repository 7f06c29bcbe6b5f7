#!/bin/bash
# Runs the long checks: the tests marked "long", every property
# test with 300 examples, a fuzzer, the bundles.
#   FUZZ_S     time for each target of the fuzzer [s] (default 15)
#   FUZZ_SEED  number from which its inputs are drawn (default 1); 0: others in each run
set -eu
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"
. packaging/lanes.sh

fuzz() {
    python -c 'import atheris' 2>/dev/null ||
        python -m pip --disable-pip-version-check --quiet install --require-hashes \
            --only-binary :all: -r packaging/lock/fuzz.txt
    PYTHON=python PYTHONHASHSEED=0 FUZZ_SEED="${FUZZ_SEED:-1}" packaging/fuzz.sh "${FUZZ_S:-15}"
}

bundles() {
    make --no-print-directory bundles
}

lane "property tests, 300 examples" env FOOTLIGHT_EXAMPLES=300 nice -n 19 pytest -q \
    -p no:cacheprovider -n 2 --dist worksteal --timeout 1800 -m "hypothesis and not realtime"
lane "long tests" pytest -q -m long
lane "fuzzer" nice -n 10 bash -euc "$(declare -f fuzz); fuzz"
join
bundles
