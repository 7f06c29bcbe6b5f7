#!/bin/bash
# Builds a bundle: all of Footlight in one folder that can be copied anywhere and needs no network.
#   packaging/bundle.sh robot|laptop OUT [camera]
# robot: no Qt, no simulator. laptop: all but the tools. camera: what a webcam needs, too. It holds the newest commit. In addition, the
# computer needs the Python that built it, at the same path (usually Debian's), and the
# system packages that packaging/bootstrap.sh names.
#   PYTHON  the interpreter to build with (default: python3.11)
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf 'bundle: %s\n' "$*" >&2
    exit 2
}

[ $# = 2 ] || [ $# = 3 ] || fail "usage: packaging/bundle.sh robot|laptop OUT [camera]"
kind="$1" out="$2" camera="${3:-}"
case "$kind" in
robot) lock=packaging/lock/robot.txt ;;
laptop) lock=packaging/lock/laptop.txt ;;
*) fail "$kind is no bundle; choose robot or laptop" ;;
esac
[ -z "$camera" ] || [ "$camera" = camera ] || fail "$camera is no addition; it is camera"
[ ! -e "$out" ] || fail "$out is there already; name a folder that is not"
python="$(command -v "${PYTHON:-python3.11}")" || fail "there is no ${PYTHON:-python3.11}; set PYTHON"

mkdir -p "$out/code"
out="$(cd "$out" && pwd)"
# Remove an unfinished bundle, which would look complete.
trap '[ $? = 0 ] || rm -rf "$out"' EXIT

echo "bundle: code"
git archive HEAD app core devices shows assets pyproject.toml LICENSE CHANGELOG.md | tar -x -C "$out/code"
git archive HEAD packaging | tar -x -C "$out"
rm -rf "$out/packaging/lock"
install -m 755 packaging/launcher.sh "$out/footlight"
git rev-parse HEAD >"$out/VERSION"

echo "bundle: packages from $lock"
"$python" -m venv --symlinks "$out/venv"
"$out/venv/bin/python" -m pip --disable-pip-version-check --quiet install --require-hashes \
    --only-binary :all: --no-compile -r "$lock" ${camera:+-r packaging/lock/camera.txt}
# No package may be installed later, and the scripts that pip wrote into bin name this folder.
"$out/venv/bin/python" -m pip --disable-pip-version-check --quiet uninstall --yes pip setuptools
find "$out/venv/bin" -mindepth 1 ! -name 'python*' -delete
sed -i '/^command = /d' "$out/venv/pyvenv.cfg"

echo "bundle: kernels of the tick"
PYTHONPATH="$out/code" "$out/venv/bin/python" -P -m core compile
"$out/venv/bin/python" -P -m compileall -q -x "[.]tmpl[.]py$" "$out/code" "$out/venv/lib"
if grep -rIl --exclude-dir=__pycache__ "$out" "$out" >/dev/null; then
    fail "the bundle names the folder in which it was built: $(grep -rIl --exclude-dir=__pycache__ "$out" "$out" | head -3)"
fi
echo "bundle: $out, $(du -sh "$out" | cut -f1)"
