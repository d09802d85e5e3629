#!/usr/bin/env bash
# Trains by recipes of this folder, one after the other, and stops each when it has measured, before it tunes: run.sh TRACEBANK NAME...
tracebank=$1
shift
for name in "$@"; do
  : > "$name.json"
  "$tracebank" train "$name.toml" --out "$name.tbm" --force --log "$name.json" --checkpoint-minutes 60 --threads 1 > "$name.log" 2>&1 &
  run=$!
  while kill -0 "$run" 2> /dev/null && [ "$(grep -c '"measured"' "$name.json")" -lt 4 ]; do sleep 1; done
  kill -KILL "$run"
  wait "$run"
  grep '^step' "$name.log"
done
