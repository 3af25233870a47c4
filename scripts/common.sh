# Shared by demo.sh and test.sh, which source it: installs what is missing on
# Debian 12, and builds a preset.

# Debian packages that the build and the tests need. libclang-rt-22-dev has the
# sanitizers, libzstd-dev and zlib1g-dev are what liblld-22-dev's libraries need.
packages=(
  clang-22 lld-22 liblld-22-dev libclang-rt-22-dev
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools libzstd-dev zlib1g-dev
  cmake ninja-build ccache python3
  libdlpack-dev libgtest-dev
)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  echo "${0##*/}: error: $*" >&2
  exit 1
}

# Puts the packages that are not installed into the array `missing`.
find_missing() {
  missing=()
  local package status
  for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || true
    [[ $status == installed ]] || missing+=("$package")
  done
}

install_missing() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "this script installs Debian packages, and there is no apt-get here: install" \
      "LLVM, MLIR, clang and lld 22.1, CMake, Ninja, ccache, Python 3, RapidJSON, DLPack," \
      "GoogleTest and Google Benchmark, and then use 'cmake --preset default'."
  find_missing
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "these packages are missing and neither root nor sudo is there to install" \
        "them: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "These packages are missing: ${missing[*]}"
  echo "Installing them now with '${as_root[*]:+sudo }apt-get update' and '${as_root[*]:+sudo }apt-get install' (all of them take about 1.5 GB)."
  "${as_root[@]}" apt-get update || die "apt-get update failed (see above)"
  local package
  for package in "${missing[@]}"; do
    [[ -n $(apt-cache madison "$package") ]] ||
      die "apt knows no package $package: mlafuse needs LLVM 22.1 as in Debian 12 with" \
        "'deb http://security.debian.org/debian-security bookworm-security main'."
  done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}" ||
    die "apt-get install failed (see above)"
}

# build PRESET DIRECTORY: configures if there is nothing yet (Ninja configures
# again by itself when a CMake file changes) and builds what changed.
build() {
  local preset=$1 directory=$2
  if [[ ! -f $directory/build.ninja ]]; then
    (cd "$root" && cmake --preset "$preset" -B "$directory") || die "configuring failed (see above)"
  fi
  cmake --build "$directory" --parallel "$(nproc)" || die "the build failed (see above)"
}
