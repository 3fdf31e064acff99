#!/usr/bin/env bash
# The onnx C++ library, built once into a cache folder outside the source tree; prints the folder it is installed in.
#   onnx.sh            onnx 1.22.0 from the Python package index, checked against its SHA-256
#   onnx.sh SOURCE     the checkout or unpacked archive at SOURCE
# TARN_CACHE_DIR moves the cache (default: $XDG_CACHE_HOME/tarn or ~/.cache/tarn).
# The source stays beside it (source/): it carries the backend test suite that tests/conformance runs.
set -euo pipefail
version=1.22.0
sha256=ef40c0aaf0b643857ea9306fc7eddce17eaf9fb0407e4801f1fc5758443a38e0
cache=${TARN_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tarn}
source=${1:-}

if [ -n "$source" ]; then
  source=$(cd "$source" && pwd)
  root=$cache/onnx-checkout-$(printf '%s' "$source" | sha256sum | cut -c1-12)
else
  root=$cache/onnx-$version
fi
if [ -e "$root/installed.ok" ]; then echo "$root/install"; exit 0; fi
mkdir -p "$root"
exec 9>"$root/lock"
flock 9                       # two builds started at once share one
if [ -e "$root/installed.ok" ]; then echo "$root/install"; exit 0; fi

rm -rf "$root/source" "$root/build" "$root/install"
mkdir -p "$root/source"
if [ -n "$source" ]; then
  (cd "$source" && tar -cf - --exclude=.git .) | tar -xf - -C "$root/source"
else
  archive=$root/onnx-$version.tar.gz
  if ! echo "$sha256  $archive" | sha256sum -c --status 2>/dev/null; then
    echo "onnx: downloading the source of $version" >&2
    for python in python3 /usr/bin/python3; do "$python" -m pip --version >/dev/null 2>&1 && break; done
    "$python" -m pip download --quiet --disable-pip-version-check "onnx==$version" --no-binary onnx --no-deps -d "$root" >&2
  fi
  echo "$sha256  $archive" | sha256sum -c --status || { echo "onnx: $archive has another SHA-256 than $sha256" >&2; exit 1; }
  tar -xzf "$archive" --strip-components=1 -C "$root/source"
fi

# onnx asks for CMake 3.26; nothing in it needs more than Debian's 3.25.
sed -i -E 's/cmake_minimum_required\(VERSION 3\.2[6-9]\)/cmake_minimum_required(VERSION 3.25)/' "$root/source/CMakeLists.txt"
generator=(); command -v ninja >/dev/null && generator=(-G Ninja)
echo "onnx: building the library once, into $root" >&2
log=$root/build.log
if ! { cmake "${generator[@]}" -S "$root/source" -B "$root/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 \
         -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DONNX_USE_UNITY_BUILD=ON -DCMAKE_POSITION_INDEPENDENT_CODE=ON &&
       cmake --build "$root/build" --parallel &&
       cmake --install "$root/build" --prefix "$root/install"; } >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "onnx: the build failed; the whole log is $log" >&2
  exit 1
fi
rm -rf "$root/build"
touch "$root/installed.ok"
echo "$root/install"
