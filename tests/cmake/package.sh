#!/usr/bin/env bash
# package.sh BUILD MODELS: the .deb and the .tar.gz, unpacked into an empty root each, plan a model and serve find_package.
set -euo pipefail
build=$1 models=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work" >log 2>&1) || { cat "$work/log" >&2; exit 1; }
mkdir "$work/deb" "$work/tgz"
dpkg -x "$work"/*.deb "$work/deb"
tar -xzf "$work"/*.tar.gz --strip-components=1 -C "$work/tgz"
for root in "$work/deb/usr" "$work/tgz"; do
  for file in bin/tarn lib/cmake/tarn/tarnConfig.cmake share/man/man1/tarn.1 share/bash-completion/completions/tarn share/tarn/runtime/tarn.h; do
    [ -e "$root/$file" ] || { echo "package: $file is missing in $root" >&2; exit 1; }
  done
  "$root/bin/tarn" analyze "$models/digits.onnx" | grep -q '^RAM'
  mkdir "$root/project"
  printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(tarn REQUIRED)\ntarn_add_model(net MODEL %s/digits.onnx)\n' "$models" >"$root/project/CMakeLists.txt"
  cmake -S "$root/project" -B "$root/project/build" -Dtarn_DIR="$root/lib/cmake/tarn" >/dev/null
  cmake --build "$root/project/build" >/dev/null
done
echo "package: both work in a root of their own"
