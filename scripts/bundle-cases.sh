#!/usr/bin/env bash
# Compiles cases of GPU kernels into what check-on-device.sh runs on a machine with a
# GPU and without LLVM.
# Usage: bundle-cases.sh [--build=DIR] [--out=DIR] [--suite=NAME] [--ops=REGEX]
#                        [--seed=N] [--parts=N] [--jobs=N] [--chip=CHIP] [--ptx-chip=CHIP]
#                        [--ptx-parts=N] [--no-golden]
#
# DIR (build/bundle) then holds the programs and the runtime, libraries of the suite
# (attention) for the CPU and for CHIP (sm_90a), the first of their parts (4 of 16) also
# for PTX-CHIP (sm_80 with the suite attention-few, else none; empty for none), whose code
# the driver compiles for its card, and the golden cases of attention. With an empty CHIP
# those parts alone, and no golden cases. A case that does not compile is named and left
# out, and the exit status is 1. The seed of random suites stands in DIR/seed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build out= suite=attention ops= parts=16 jobs=2 chip=sm_90a ptx_chip=default
ptx_parts=4 golden=yes seed=$(date +%s)
for option in "$@"; do
  value=${option#*=}
  case $option in
  --build=*) build=$value ;;
  --out=*) out=$value ;;
  --suite=*) suite=$value ;;
  --ops=*) ops=$value ;;
  --seed=*) seed=$value ;;
  --parts=*) parts=$value ;;
  --jobs=*) jobs=$value ;;
  --chip=*) chip=$value ;;
  --ptx-chip=*) ptx_chip=$value ;;
  --ptx-parts=*) ptx_parts=$value ;;
  --no-golden) golden= ;;
  --help)
    sed -n '2,/^set/{s/^# \?//p}' "${BASH_SOURCE[0]}"
    exit
    ;;
  *)
    echo "bundle-cases.sh: error: unknown option '$option'" >&2
    exit 2
    ;;
  esac
done
out=${out:-$root/build/bundle}
if [[ $ptx_chip == default ]]; then
  # Its libraries hold PTX and code, and are the largest.
  ptx_chip=
  [[ $suite != attention-few ]] || ptx_chip=sm_80
fi
if [[ -z $chip ]]; then
  golden=
  if [[ -z $ptx_chip ]]; then
    echo "bundle-cases.sh: error: no chip: give --chip or --ptx-chip" >&2
    exit 2
  fi
fi
for file in bin/mlafuse-compile bin/mlafuse-device-check bin/mlafuse-run; do
  if [[ ! -x $build/$file ]]; then
    echo "bundle-cases.sh: error: '$build' has no $file: build first" >&2
    exit 2
  fi
done

# The level of instructions that all servers of today have.
cpu=cpu:x86-64-v3
if [[ -n $(ls -A "$out" 2>/dev/null) && ! -e $out/seed ]]; then
  echo "bundle-cases.sh: error: '$out' holds something else: give another --out" >&2
  exit 2
fi
rm -rf "$out"
mkdir -p "$out/bin" "$out/lib" "$out/log"
cp "$build/bin/mlafuse-device-check" "$build/bin/mlafuse-run" "$out/bin"
cp -L "$build"/lib/libmlafuse_runtime.so.* "$build"/lib/libmlafuse_backend_c*.so \
  "$out/lib"
echo "$seed" >"$out/seed"

# cases PART [option of make_cases.py]...
cases() {
  python3 -B "$root/test/lib/gpu-cases/make_cases.py" --suite="$suite" --ops="$ops" \
    --seed="$seed" --part="$1/$parts" "${@:2}"
}

# compile SOURCE TARGETS LIBRARY: with its errors in a log.
compile() {
  local log
  log=$out/log/$(basename "$3" .so).txt
  "$build/bin/mlafuse-compile" "$1" --target="$2" -o "$3" >"$log" 2>&1 && return
  echo "$(basename "$3" .so) does not compile: $(grep -m1 error: "$log")"
  return 1
}

# part N: its cases, for the CPU and for each chip.
part() {
  local source=$out/log/$suite-$1.mlir on_chip=$out/log/$suite-$1-chip.mlir
  local target name failed=0
  [[ -n $chip ]] || (($1 < ptx_parts)) || return 0
  cases "$1" >"$source"
  grep -q func.func "$source" || return 0
  compile "$source" "$cpu" "$out/oracle-$1.so" || return 1
  # What belongs to a case and is run by the CPU alone.
  functions '' '__(quantize|dequantize|f32)[(]' <"$source" >"$on_chip"
  for target in $chip $ptx_chip; do
    [[ $target != "$ptx_chip" ]] || (($1 < ptx_parts)) || continue
    compile "$on_chip" "nvvm:$target" "$out/$target-$1.so" && continue
    failed=1
    # The others of the part, one by one.
    for name in $(cases "$1" --list); do
      functions "@$name(__|[(])" '^$' <"$on_chip" >"$out/log/$name.mlir"
      compile "$out/log/$name.mlir" "nvvm:$target" "$out/$target-$1-$name.so" || true
    done
  done
  return $failed
}

# functions WANTED UNWANTED: those of a module whose first lines match the one regular
# expression and not the other.
functions() {
  awk -v wanted="$1" -v unwanted="$2" \
    '/^func.func / { keep = $0 ~ wanted && $0 !~ unwanted } keep'
}

golden() {
  compile "$root/test/Integration/CPU/$1.mlir" "$cpu,nvvm:$chip" "$out/golden/$1.so"
}

export -f cases compile part functions golden
export root build out suite ops seed parts chip ptx_chip ptx_parts cpu
status=0
seq 0 $((parts - 1)) | xargs -P "$jobs" -I{} bash -c 'part {}' || status=1
if [[ -n $golden ]]; then
  mkdir "$out/golden"
  python3 -B "$root/test/lib/gpu-cases/check_golden.py" --list |
    xargs -P "$jobs" -I{} bash -c 'golden {}' || status=1
fi
libraries=$(ls "$out"/oracle-*.so "$out/${chip:-none}"-*.so "$out/${ptx_chip:-none}"-*.so \
  2>/dev/null || true)
strip --strip-debug "$out"/bin/mlafuse-* "$out"/lib/libmlafuse_* $libraries \
  "$out"/golden/*.so 2>/dev/null || true
[[ -z $libraries ]] || gzip $libraries
rm -rf "$out"/log/*.mlir
echo "seed $seed; $(wc -w <<<"$libraries") libraries, $(du -sm "$out" | cut -f1) MiB in $out"
exit $status
