#!/usr/bin/env bash
# Prints what the benchmarks measure on this machine. Usage: run.sh [BUILD_DIR]
# Run it on an idle machine. The kernels' part needs Debian's libbenchmark-dev and
# libopenblas-dev when the build is configured.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build}
if [[ ! -x $build/bin/mlafuse-bench-compile ]]; then
  echo "run.sh: error: '$build' has no bin/mlafuse-bench-compile: build first (scripts/demo.sh does)" >&2
  exit 2
fi
echo "machine: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2- | xargs), $(nproc) cores; $(date -u +%F)"
"$build/bin/mlafuse-bench-compile" "$root/examples/deepseek-v3/attention.mlir" \
  "$build/bin/mlafuse-compile"
if [[ ! -x $build/bin/mlafuse-bench-cpu ]]; then
  echo "run.sh: no CPU kernels: install libbenchmark-dev and libopenblas-dev, then configure and build again" >&2
  exit 2
fi
# Medians of runs in random order: the columns see the same machine.
"$build/bin/mlafuse-bench-cpu" "$build/benchmark/cpu/kernels.so" \
  --benchmark_repetitions=15 --benchmark_enable_random_interleaving=true \
  --benchmark_report_aggregates_only=true |
  grep -E '^Benchmark|_median'
