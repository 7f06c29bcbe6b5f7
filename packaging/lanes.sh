# Runs commands side by side, for check.sh and check-long.sh, which source it. The first that fails
# ends the others.
#   lane NAME COMMAND...   starts a command; its output is printed when it ends
#   join                   waits for all of them
set -m # every lane is a process group of its own, which takes SIGINT
declare -A lanes=()
output="$(mktemp -d)"

lane() {
    "${@:2}" >"$output/$1" 2>&1 &
    lanes[$!]="$1"
}

join() {
    local ended status
    while [ ${#lanes[@]} -gt 0 ]; do
        status=0
        wait -n -p ended "${!lanes[@]}" || status=$?
        echo "=== ${lanes[$ended]}, ${SECONDS} s"
        cat "$output/${lanes[$ended]}"
        unset "lanes[$ended]"
        [ "$status" = 0 ] || exit 1
    done
}

end() {
    for group in "${!lanes[@]}"; do
        kill -INT -- "-$group" 2>/dev/null && wait "$group" 2>/dev/null
    done
    rm -rf "$output"
}
trap end EXIT
trap 'exit 130' INT TERM
