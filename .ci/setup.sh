#!/usr/bin/env bash
# Everything this machine needs to build and test tarn; the second run finds all of it in place.
#   setup.sh build     what building tarn and running its code on the host takes
#   setup.sh example   that, and a Cortex-M compiler with its emulator
#   setup.sh all       that, and the other compilers, emulators and test libraries
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scope=${1:-all}

build=(g++ gcc cmake ninja-build ccache libprotobuf-dev protobuf-compiler libcxxopts-dev
       python3 python3-pip python3-venv)
others=()
if [ "$scope" != build ]; then others+=(gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm); fi
if [ "$scope" = all ]; then
  others+=(qemu-system-misc gcc-riscv64-unknown-elf libgtest-dev nlohmann-json3-dev
           gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
           clang-14 libclang-rt-14-dev clang-tidy-14 clang-format-14 cppcheck cargo)
fi

# A tool that is on PATH already (from pip, say) stands for its package.
have() {
  case $1 in
    g++|gcc|cmake|ccache|python3|cargo) command -v "$1" >/dev/null && return ;;
    ninja-build) command -v ninja >/dev/null && return ;;
    python3-pip) python3 -m pip --version >/dev/null 2>&1 && return ;;
    python3-venv) python3 -c 'import venv, ensurepip' >/dev/null 2>&1 && return ;;
  esac
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

updated=
install() {
  local missing=() package
  for package in "$@"; do have "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "setup: installing ${missing[*]}" >&2
  if ! command -v apt-get >/dev/null; then
    echo "setup: this machine has no apt-get; install what corresponds to the packages above" >&2
    return 1
  fi
  local as_root=(); [ "$(id -u)" = 0 ] || as_root=(sudo)
  # `env` inside: sudo does not hand the environment on.
  apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >&2; }
  [ -n "$updated" ] || apt update || return
  updated=yes
  apt install -y --no-install-recommends "${missing[@]}"
}

# What builds comes first, so that the onnx library is built while the other packages are fetched and unpacked.
install "${build[@]}"
install "${others[@]}" &
installing=$!
# Packages of Python come from elsewhere, and meanwhile too.
python_packages() {
  "$here/ortools.sh" >/dev/null || echo "setup: no ortools: the test against another solver is skipped" >&2
  "$here/exporters.sh" sklearn >/dev/null || echo "setup: no skl2onnx: a section of a guide is not run" >&2
}
fetching=
if [ "$scope" = all ]; then python_packages & fetching=$!; fi
"$here/onnx.sh" >/dev/null
wait "$installing"
[ -z "$fetching" ] || wait "$fetching"
