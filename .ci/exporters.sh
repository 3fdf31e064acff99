#!/usr/bin/env bash
# The Python packages of one section of examples/guides/from_other_formats.md, in an environment of its own in the cache folder:
#   exporters.sh sklearn|keras|torch        prints its python
#   exporters.sh --installed NAME           the same, or nothing where it has not been installed
# The versions are those that the guide was last run with. Without a network the section is left out of the test.
set -euo pipefail
only=; if [ "${1:-}" = --installed ]; then only=yes; shift; fi
case ${1:-} in
  sklearn) packages=(scikit-learn==1.9.1 skl2onnx==1.20.0 onnx==1.23.2 onnxruntime==1.32.0) ;;
  keras) packages=(tensorflow-cpu==2.21.0 tf2onnx==1.17.0) ;;
  torch) packages=(torch==2.14.1 onnxscript==0.7.2 onnx==1.23.2) ;;
  *) echo "exporters: sklearn, keras or torch?" >&2; exit 2 ;;
esac
# What setup.sh installs is pinned with the SHA-256 of each package, for CPython 3.11.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pinned=("${packages[@]}")
[ "$1" != sklearn ] || pinned=(--require-hashes -r "$here/sklearn.txt")
cache=${TARN_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tarn}
root=$cache/exporters-$1
wanted="${packages[*]}"
has_all() { [ "$(cat "$root/installed.ok" 2>/dev/null)" = "$wanted" ]; }
if ! has_all; then
  [ -z "$only" ] || exit 0
  mkdir -p "$root"
  exec 9>"$root/lock"
  flock 9                     # two started at once share one
  if ! has_all; then
    python3 -m venv "$root/venv" >&2
    "$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check "${pinned[@]}" >&2
    echo "$wanted" >"$root/installed.ok"
  fi
fi
echo "$root/venv/bin/python"
