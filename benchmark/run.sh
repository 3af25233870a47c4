#!/usr/bin/env bash
# Prints what the benchmarks measure on this machine. Usage: run.sh [BUILD_DIR]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build}
if [[ ! -x $build/bin/mlafuse-bench-compile ]]; then
  echo "run.sh: error: '$build' has no bin/mlafuse-bench-compile: build first" >&2
  exit 2
fi
echo "machine: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) cores; $(date -u +%F)"
"$build/bin/mlafuse-bench-compile" "$root/examples/deepseek-v3/attention.mlir" \
  "$build/bin/mlafuse-compile"
