#!/usr/bin/env bash
# Runs every function of two libraries on a simulated chip and compares the results'
# bytes. Usage: compare-forms.sh CHIP FUSED.so UNFUSED.so FUNCTION...
set -euo pipefail
export AMDSIM_CHIP=$1
fused=$2 unfused=$3
shift 3
for function in "$@"; do
  for library in "$fused" "$unfused"; do
    mlafuse-run "$library" --device=hip --function="$function" --random=7 \
      --dim=T=300 --outputs="$library.safetensors"
  done
  cmp "$fused.safetensors" "$unfused.safetensors"
done
