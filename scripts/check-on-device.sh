#!/usr/bin/env bash
# Runs what bundle-cases.sh made on this machine's GPU, each case against the CPU.
# With --device=cpu the CPU takes the place of the GPU.
# Usage: check-on-device.sh BUNDLE [--device=NAME] [--jobs=N] [--log=FILE]
#                           [--no-golden] [option of mlafuse-device-check]...
#
# So many libraries (one to two cores) at once share the GPU, and the threads of the CPU.
# Options such as --streams and --requests=BxN go to mlafuse-device-check. Prints each
# library as it ends, with its cases that failed; the log has a line for each case. Ends
# with `N passed, N failed`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ${1:-} == --help ]]; then
  sed -n '2,/^set/{s/^# \?//p}' "${BASH_SOURCE[0]}"
  exit
fi
bundle=${1:?usage: check-on-device.sh BUNDLE [option]...}
shift
device=cuda jobs=$((($(nproc) + 1) / 2)) golden=yes log= options=()
for option in "$@"; do
  value=${option#*=}
  case $option in
  --device=*) device=$value ;;
  --jobs=*) jobs=$value ;;
  --log=*) log=$value ;;
  --no-golden) golden= ;;
  *) options+=("$option") ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$(cd "$bundle" && pwd)
export LD_LIBRARY_PATH=$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
threads=$((($(nproc) + jobs - 1) / jobs))
[[ -z $log ]] || : >"$log"
echo "seed of the cases: $(cat "$bundle/seed")"

# finish NAME: prints what it says of its failures, and how it ended.
finish() {
  local text=$work/$1.txt
  # What broke off has no last line.
  tail -1 "$text" | grep -q '^[0-9]* passed, [0-9]* failed$' ||
    printf '\n0 passed, 1 failed\n' >>"$text"
  [[ -z $log ]] || cat "$text" >>"$log"
  # At once, since others print, too.
  printf '%s\n' "$(
    grep -A1 -E '^FAILED|error:' "$text"
    echo "$1: $(tail -1 "$text"), $((SECONDS - begin)) s"
  )"
}

# One library, named CHIP-PART or CHIP-PART-CASE.
check() {
  local name part target=() begin=$SECONDS
  name=$(basename "$1" .so.gz)
  part=${name#*-}
  gunzip -c "$1" >"$work/$name.so"
  [[ $device == cpu ]] || target=(--target="${name%%-*}")
  "$bundle/bin/mlafuse-device-check" "$work/$name.so" --device="$device" --threads="$threads" \
    --oracle="$work/oracles/oracle-${part%%-*}.so" "${target[@]}" "${@:2}" \
    >"$work/$name.txt" 2>&1 || true
  finish "$name"
}

check_golden() {
  local begin=$SECONDS
  python3 -B "$root/test/lib/gpu-cases/check_golden.py" "$bundle/golden" \
    --run="$bundle/bin/mlafuse-run" --device="$device" >"$work/golden.txt" 2>&1 || true
  finish golden
}
export -f check finish
export bundle work device threads log
mkdir "$work/oracles"
for library in "$bundle"/oracle-*.so.gz; do
  gunzip -c "$library" >"$work/oracles/$(basename "$library" .gz)"
done
if [[ -n $golden && -d $bundle/golden ]]; then
  check_golden &
fi
if [[ $device == cpu ]]; then libraries='oracle-*'; else libraries='sm_*'; fi
# The chip's own code (sm_90a) ahead of PTX (sm_80).
find "$bundle" -maxdepth 1 -name "$libraries.so.gz" -print0 | sort -zr |
  xargs -0 -P "$jobs" -I{} bash -c 'check "$@"' bash {} "${options[@]}"
wait
cat "$work"/*.txt | awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
  END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
