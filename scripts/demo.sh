#!/usr/bin/env bash
# Builds mlafuse and runs a DeepSeek-V3 attention block on the CPU, unfused and
# fused. On Debian 12 it first installs what is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_dir=$root/build
for argument in "$@"; do
  case $argument in
  --build=?*) build_dir=$(realpath -m "${argument#*=}") ;;
  --help)
    echo "usage: scripts/demo.sh [--build=DIRECTORY]"
    exit 0
    ;;
  *) die "unknown argument '$argument'; known: --build=DIRECTORY, --help" ;;
  esac
done

install_missing
build default "$build_dir"
"$root"/examples/deepseek-v3/run.sh "$build_dir"
