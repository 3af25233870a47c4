#!/usr/bin/env bash
# Compares what fused and unfused code writes of 4 rows, behind an offset of 3, into
# buffers of 1 to 8 rows. Usage: compare-cut-rows.sh DEVICE FUSED.so UNFUSED.so
set -euo pipefail
for function in residual kept merged; do
  for rows in 1 3 5 7 8; do
    for library in "$2" "$3"; do
      mlafuse-run "$library" --device="$1" --function=$function --random=5 --poison \
        --dim=T=4 --dim=all=$rows --outputs="$library.safetensors"
    done
    cmp "$2.safetensors" "$3.safetensors"
  done
done
