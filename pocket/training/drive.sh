#!/bin/bash
# The trainings in a row on one GPU machine: drive.sh CODE DATA RUN OUT_SECONDS BACK_SECONDS LAST
# LAST: seconds after the start at which the last training must be over. The data of `into` may arrive later than that
# of `out`: a file `into.ready` beside it says that they are there. A stage that breaks off is begun once more where it was.
code=$1 data=$2 run=$3 began=$(date +%s)
export PYTHONUNBUFFERED=1
mkdir -p "$run"
stage() { # name, arguments...: its log, and a mark when it ended
  local name=$1 start=$(date +%s); shift
  python3 "$code/train_mt.py" --recipe "$name" --data "$data" --out "$run/$name" "$@" > "$run/$name.log" 2>&1
  local ended=$?
  if [ $ended -ne 0 ]; then
    if [ $(($(date +%s) - start)) -lt 90 ]; then export TORCHDYNAMO_DISABLE=1; fi  # perhaps nothing can be compiled here
    python3 "$code/train_mt.py" --recipe "$name" --data "$data" --out "$run/$name" "$@" --resume >> "$run/$name.log" 2>&1
    ended=$?
  fi
  echo "$name ended with $ended after $(($(date +%s) - began)) s" | tee -a "$run/stages"
}
stage out --seconds "$4" ${SMOKE:-}
for _ in $(seq 120); do [ -e "$data/into.ready" ] && break; sleep 1; done
stage back --seconds "$5" --rate 8e-4 --translate ${SMOKE:-}
left=$((began + $6 - $(date +%s) - 45))
stage into --seconds $((left > 60 ? left : 60)) --rate 7e-4 ${SMOKE:-}
