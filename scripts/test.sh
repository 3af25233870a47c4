#!/usr/bin/env bash
# Builds mlafuse and runs every test. On Debian 12 it first installs what is
# missing. The last line is "N passed, N failed", with ", N skipped" if some were.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: scripts/test.sh [--full] [--sanitize] [--build=DIRECTORY]
  --full             the long suite too, and kernels of AMD's chips at the sizes
                     of models on the simulator, for hours
  --sanitize         with AddressSanitizer and UndefinedBehaviorSanitizer
  --build=DIRECTORY  in place of build or, with --sanitize, build-asan"

preset=default build_dir=$root/build full=0
for argument in "$@"; do
  case $argument in
  --full) full=1 ;;
  --sanitize) preset=asan build_dir=$root/build-asan ;;
  --build=?*) custom_dir=$(realpath -m "${argument#*=}") ;;
  --help)
    echo "$usage"
    exit 0
    ;;
  *) die "unknown argument '$argument'"$'\n'"$usage" ;;
  esac
done
build_dir=${custom_dir:-$build_dir}

install_missing
build "$preset" "$build_dir"

if [[ $preset == asan ]]; then
  # libMLIR and libLLVM are not instrumented: containers that they fill look
  # overfull, and memory of an arena that both sides use looks unused.
  export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=1
  export UBSAN_OPTIONS=print_stacktrace=1
fi
# Unit tests have no parameters of lit's.
export MLAFUSE_TEST_FULL=$full

# Results of a run that was cut must not count for this one.
results=$build_dir/test-results
rm -rf "$results"
mkdir -p "$results"
lit-22 -qv -j "$(nproc)" -Dfull="$full" --output "$results/lit.json" \
  "$build_dir/test" || true
ctest --test-dir "$build_dir" --exclude-regex '^lit$' --parallel "$(nproc)" \
  --quiet --output-junit "$results/unit.xml" || true
reports=("$results/lit.json")
if [[ $full == 1 && $preset == default ]]; then
  # What test/Integration/ROCm runs in small, at the sizes of models: hours.
  python3 "$root/test/lib/gpu-cases/check_suite.py" --build="$build_dir" \
    --work="$results/amdsim" --suite=full --suite=wide --parts=16 \
    --tokens=0,1,3,7,128,257,4096 --second-tokens=1,7,257 --jobs="$(nproc)" \
    --report="$results/amdsim.json" --summary="$results/amdsim.txt" || true
  reports+=("$results/amdsim.json")
fi
exec python3 "$root/scripts/summarize-tests.py" "$results/unit.xml" "${reports[@]}"
