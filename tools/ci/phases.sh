# Phases of a run that no process can hold up. Source this file, with `work` as the path of a folder.

# phase NAME SECONDS LOG COMMAND...: runs a command with its output in LOG, and notes its wall time in $work/times. A command that
# takes longer ends, with code 124, and LOG says what ran. A process that the command leaves behind is killed; it never holds our
# own output open, which would keep a reader waiting.
phase() {
  local name=$1 seconds=$2 log=$3 begun=$SECONDS code=0
  shift 3
  timeout --kill-after=30 "$seconds" "$@" >>"$log" 2>&1 &
  local command=$!
  echo "$command" >>"$work/groups"
  node tools/ci/still-running.mjs "$command" "$((seconds > 20 ? seconds - 10 : seconds / 2))" >>"$log" 2>&1 &
  local watch=$!
  wait "$command" || code=$?
  kill "$watch" 2>/dev/null || true
  # `timeout` made a process group with its own number.
  kill -KILL -- "-$command" 2>/dev/null || true
  if ((code == 124 || code == 137)); then
    code=124
    echo "The phase \"$name\" did not end within $seconds s." >>"$log"
    printf '{ "tiers": [{ "passed": 0, "failed": 1 }], "failures": [{ "file": "the phase", "test": "%s", "message": "late", "warnings": [] }] }' \
      "$name" >"$work/late-$command.json"
  fi
  echo "$((SECONDS - begun)) s  $name" >>"$work/times"
  return "$code"
}

# shown NAME SECONDS COMMAND...: a phase whose output is printed while it runs.
shown() {
  local log code=0
  log=$(mktemp -p "$work" --suffix=.log)
  phase "$1" "$2" "$log" "${@:3}" &
  local running=$!
  tail --lines=+1 --follow --sleep-interval=0.2 --pid="$running" "$log" &
  local printing=$!
  wait "$running" || code=$?
  wait "$printing" || true
  return "$code"
}

# Ends the phases that still run.
end_phases() {
  local group
  while read -r group; do
    kill -TERM "$group" 2>/dev/null || true
  done < <(cat "$work/groups" 2>/dev/null || true)
}
