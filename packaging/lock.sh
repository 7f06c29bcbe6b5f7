#!/bin/bash
# Rebuilds packaging/lock/*.txt from pyproject.toml and fuzz.in: every version pinned, every file hashed,
# no address of an index. Run it with pip-tools installed: COMPILER=path/to/pip-compile.
# Versions already in a lock file stay; UPGRADE=--upgrade takes the newest.
set -eu
cd "$(dirname "$0")/.."

export CUSTOM_COMPILE_COMMAND=packaging/lock.sh
compile() {
    "${COMPILER:-pip-compile}" --quiet --generate-hashes --allow-unsafe --strip-extras \
        --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
        ${UPGRADE:-} "$@"
}

compile --extra sim --extra sound --extra lab --extra console --extra camera --extra dev --output-file packaging/lock/development.txt pyproject.toml
# The robot's computer: no simulator, no tools; the build backend for the editable install.
compile --extra sound --build-deps-for editable --output-file packaging/lock/robot.txt pyproject.toml
# The operator's laptop: all but the tools.
compile --extra sim --extra sound --extra lab --extra console --output-file packaging/lock/laptop.txt pyproject.toml
# Beside either of them: what a camera needs.
compile --extra camera --output-file packaging/lock/camera.txt pyproject.toml
# The compiler drops the condition of an extra's requirement.
sed -i -E 's/^((mediapipe|opencv-contrib-python)==\S+) \\$/\1 ; python_version < "3.12" \\/' \
    packaging/lock/development.txt packaging/lock/camera.txt
compile --output-file packaging/lock/fuzz.txt packaging/lock/fuzz.in
