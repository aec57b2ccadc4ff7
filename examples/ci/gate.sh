#!/usr/bin/env bash
# The action's one step; it works on any build server that runs bash. Settings come from the environment:
#   JUDGEKIT_STUDY    study.yaml, its folder, or one of its run folders
#   JUDGEKIT_RUN      true: judge this build's replies first
#   JUDGEKIT_OUT      folder of the runs
#   JUDGEKIT_JUNIT    where the JUnit XML goes
#   JUDGEKIT_INSTALL  what to hand to pip, if anything
#   JUDGEKIT          the command, if it is not `judgekit`
# It ends with the exit code of `judgekit gate`. The verdicts are added to $GITHUB_STEP_SUMMARY, where that is set.
set -euo pipefail

study=${JUDGEKIT_STUDY:?set JUDGEKIT_STUDY to a study}
junit=${JUDGEKIT_JUNIT:-judgekit-junit.xml}
read -r -a judgekit <<<"${JUDGEKIT:-judgekit}"

if [ -n "${JUDGEKIT_INSTALL:-}" ]; then
  python -m pip install --quiet -- "$JUDGEKIT_INSTALL"
fi

note() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
  fi
}

# What the gate cannot reach is red too, with its own code: 2 bad input, 3 could not finish (run again to go on).
ended() {
  note exit-code "$1"
  if [ "$1" -ne 0 ] && [ "${GITHUB_ACTIONS:-}" = true ]; then
    printf '::error title=judgekit gate::%s (exit code %s)\n' "$2" "$1"
  fi
  exit "$1"
}

if [ "${JUDGEKIT_RUN:-false}" = true ]; then
  options=()
  if [ -n "${JUDGEKIT_OUT:-}" ]; then
    options+=(--out "$JUDGEKIT_OUT")
  fi
  code=0
  "${judgekit[@]}" run "$study" ${options[@]+"${options[@]}"} || code=$?
  if [ "$code" -ne 0 ]; then
    ended "$code" "judgekit run did not finish"
  fi
fi

# A file of an earlier build must not pass for this one's.
rm -f -- "$junit"
shown=$(mktemp)
trap 'rm -f "$shown"' EXIT
code=0
"${judgekit[@]}" gate "$study" --junit "$junit" | tee "$shown" || code=${PIPESTATUS[0]}
gate=$(sed -n 's/^gate: //p' "$shown" | tail -n 1)
note gate "$gate"
if [ -f "$junit" ]; then
  note junit "$junit"
fi
ended "$code" "${gate:-the gate could not be reached}"
