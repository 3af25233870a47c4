#!/usr/bin/env bash
# Runs the attention block of DeepSeek-V3 on the CPU, unfused and fused, and checks
# the numbers. Usage: run.sh BUILD_DIR [--alter-weight]
#
# --alter-weight gives the fused run one altered weight: the check must fail then.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?usage: run.sh BUILD_DIR [--alter-weight]}
alter=${2:-}
if [[ -n $alter && $alter != --alter-weight ]]; then
  echo "run.sh: error: unknown option '$alter'; the only one is --alter-weight" >&2
  exit 2
fi
for program in bin/mlafuse-compile bin/mlafuse-run examples/deepseek-v3-inputs; do
  if [[ ! -x $build/$program ]]; then
    echo "run.sh: error: '$build' has no $program: build first (scripts/demo.sh does)" >&2
    exit 2
  fi
done
work=$(mktemp -d "${TMPDIR:-/tmp}/mlafuse-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT

count_ops() { grep -cE '= mlafuse\.|^ *mlafuse\.' "$1"; }

echo "== One DeepSeek-V3 attention block, four requests of 1, 65, 200 and 333 tokens"
"$build/examples/deepseek-v3-inputs" "$work/inputs.safetensors"
fused_inputs=$work/inputs.safetensors
if [[ -n $alter ]]; then
  fused_inputs=$work/altered.safetensors
  "$build/examples/deepseek-v3-inputs" "$fused_inputs" --alter-weight
fi

echo "== Compiling, unfused and fused"
"$build/bin/mlafuse-compile" "$here/attention.mlir" --no-fuse --emit=mlir -o "$work/unfused.mlir"
"$build/bin/mlafuse-compile" "$here/attention.mlir" --emit=mlir -o "$work/fused.mlir"
"$build/bin/mlafuse-compile" "$here/attention.mlir" --target=cpu --no-fuse -o "$work/unfused.so"
"$build/bin/mlafuse-compile" "$here/attention.mlir" --target=cpu --report=text -o "$work/fused.so"
unfused_ops=$(count_ops "$work/unfused.mlir")
fused_ops=$(count_ops "$work/fused.mlir")
echo "unfused: $unfused_ops mlafuse ops; fused: $fused_ops"
if (( fused_ops >= unfused_ops )); then
  echo "FAILED: nothing was fused" >&2
  exit 1
fi
grep -oE 'mlafuse\.(dual_rms_norm_quantize|mla_decode) .*' "$work/fused.mlir" | cut -c1-100

echo "== Running both on the CPU"
"$build/bin/mlafuse-run" "$work/unfused.so" --device=cpu \
  --inputs="$work/inputs.safetensors" --outputs="$work/unfused.safetensors"
"$build/bin/mlafuse-run" "$work/fused.so" --device=cpu \
  --inputs="$fused_inputs" --outputs="$work/fused.safetensors"

echo "== Checking"
"$build/examples/deepseek-v3-check" "$work/inputs.safetensors" \
  "$work/unfused.safetensors" "$work/fused.safetensors"
