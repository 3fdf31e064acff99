#!/usr/bin/env bash
# clang-tidy over the generator: tidy.sh BUILD_FOLDER [FILE ...], a folder configured with clang. Without files a fixed sample,
# about one in twelve, and all with TARN_FULL=1. Names choose it, so that a new file does not change the others' turn.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
shift
mapfile -t files < <(git ls-files 'generator/*.cc')
all=${#files[@]}
if [ $# -gt 0 ]; then
  files=("$@")
elif [ "${TARN_FULL:-}" != 1 ]; then
  mapfile -t files < <(for f in "${files[@]}"; do n=$(printf %s "$f" | cksum); [ $((${n%% *} % 12)) = 0 ] && echo "$f"; done)
fi
echo "clang-tidy: ${#files[@]} of $all files: ${files[*]#generator/}"
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 2 clang-tidy-14 -p "$build" --quiet 2>/dev/null
status=$?
[ $status = 0 ] && echo "clang-tidy: clean"
exit $status
