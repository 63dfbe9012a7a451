#!/bin/bash
# All trainings in a row on one GPU machine. Usage: drive.sh CODE DATA MINILM RUN OUT_SECONDS BACK_SECONDS INTO_SECONDS MLM_SECONDS
code=$1 data=$2 minilm=$3 run=$4
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=true
mkdir -p "$run"
stage() { # name, command...: its log, and a mark when it ended
  local name=$1; shift
  "$@" > "$run/$name.log" 2>&1; echo "$name ended with $? at $(date +%T)" | tee -a "$run/stages"
}
stage out python3 "$code/train_mt.py" --recipe out --data "$data" --out "$run/out" --seconds "$5"
stage back python3 "$code/train_mt.py" --recipe back --data "$data" --out "$run/back" --seconds "$6" --translate --rate 1.3e-3
stage into python3 "$code/train_mt.py" --recipe into --data "$data" --out "$run/into" --seconds "$7" --rate 1.2e-3
stage mlm python3 "$code/train_mlm.py" --minilm "$minilm" --data "$data" --mono "$minilm/mono.txt" --out "$run/mlm" --seconds "$8"
