#!/bin/bash
# Wait on the device machine, then bring weights home: collect.sh RUN OUT UNTIL [STAGE...]
# Waits until every STAGE has ended, at most UNTIL seconds, and copies the weights of each: as they are if it is running.
run=$1 out=$2 began=$(date +%s) until=$(($(date +%s) + $3)); shift 3
over() { for s in "$@"; do grep -q "^$s ended" "$run/stages" 2>/dev/null || return 1; done; }
while ! over "$@" && [ "$(date +%s)" -lt $((until - 30)) ]; do sleep 1; done
for s in "$@"; do
  if [ -d "$run/$s" ] && ! over "$s"; then
    touch "$run/$s/wanted"
    while [ -e "$run/$s/wanted" ] && ! over "$s" && [ "$(date +%s)" -lt $((until - 4)) ]; do sleep 0.5; done
    rm -f "$run/$s/wanted"
  fi
  mkdir -p "$out/$s"
  cp "$run/$s/weights/"*.safetensors "$out/$s/" 2>/dev/null
done
cat "$run"/stages "$run"/*.log > "$out/log.txt" 2>/dev/null
for l in "$run"/*.log; do echo "== $l"; grep -v "^step" "$l" | tail -n 12 | cut -c1-400; grep "^step" "$l" | tail -n 2; done
cat "$run/stages" 2>/dev/null; ls -l "$out"/*
