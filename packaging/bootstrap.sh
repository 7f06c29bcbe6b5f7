#!/bin/bash
# Creates .venv with the footlight command; has no effect if it is complete.
#   PYTHON  the interpreter to build from (default: the first Python >= 3.11 found)
#   LOCK    development (default) or robot: which file of packaging/lock to install
set -eu
cd "$(dirname "$0")/.."

lock="packaging/lock/${LOCK:-development}.txt"
stamp=.venv/.footlight-setup
# PortAudio for sound; OpenGL without a screen, and a sound server for the tests.
debian_packages="libportaudio2"
# Packages for Qt windows, and a screen, a window manager and input tools for the tests.
window_packages="libgl1-mesa-dri libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 \
    libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libdbus-1-3 \
    fonts-dejavu-core xvfb xauth openbox xdotool"
[ "${LOCK:-development}" = robot ] ||
    debian_packages="$debian_packages libgl1 libegl1 libosmesa6 pulseaudio libasound2-plugins $window_packages"

say() { printf 'setup: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

missing_debian_packages() {
    command -v dpkg-query >/dev/null || return 0
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            printf '%s ' "$package"
    done
}

install_debian_packages() {
    [ "$(id -u)" = 0 ] ||
        fail "these Debian packages are missing: $*; install them (apt-get install $*) and run setup again"
    say "installing the Debian packages $*"
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null; } ||
        fail "apt-get could not install $*; install them by hand and run setup again"
}

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_new_enough "$PYTHON" || fail "PYTHON=$PYTHON is no Python >= 3.11; name another one"
        echo "$PYTHON"
        return
    fi
    # The lock file was made for 3.11, so that one is preferred.
    for candidate in python3.11 python3 python3.12 python3.13; do
        if is_new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    fail "no Python >= 3.11 found; install one (apt-get install python3 python3-venv) or set PYTHON"
}

[ -f "$lock" ] || fail "$lock does not exist; LOCK is development or robot"
key="$(cat "$lock" pyproject.toml packaging/bootstrap.sh | sha256sum) $PWD $lock"
missing="$(missing_debian_packages $debian_packages)"
if [ -z "$missing" ] && [ -x .venv/bin/footlight ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then
    exit 0
fi
[ -z "$missing" ] || install_debian_packages $missing

python="$(find_python)"
# Debian splits ensurepip from Python: without it a venv has no pip.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    install_debian_packages "python$version-venv"
fi

rm -f "$stamp"
identity='import sys; print(sys.version, sys.base_prefix)'
if [ "$(.venv/bin/python -m pip --version >/dev/null 2>&1 && .venv/bin/python -c "$identity")" \
    != "$("$python" -c "$identity")" ]; then
    say "making .venv with $("$python" -V)"
    "$python" -m venv --clear .venv
fi
pip=".venv/bin/python -m pip --disable-pip-version-check --quiet"
say "installing packages from $lock, which takes some minutes the first time"
$pip install --require-hashes --only-binary :all: -r "$lock"
$pip install --no-deps --no-build-isolation -e .
say "compiling the kernels of the tick"
.venv/bin/python -P -m core compile
printf '%s\n' "$key" >"$stamp"
say "done: .venv/bin/footlight"
