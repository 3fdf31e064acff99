#!/usr/bin/env bash
# clang-tidy over the generator: tidy.sh BUILD_FOLDER [FILE ...], a folder configured with clang. Without files a fixed sample,
# every twelfth, and all with TARN_FULL=1.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
shift
mapfile -t files < <(git ls-files 'generator/*.cc')
all=${#files[@]}
if [ $# -gt 0 ]; then
  files=("$@")
elif [ "${TARN_FULL:-}" != 1 ]; then
  mapfile -t files < <(printf '%s\n' "${files[@]}" | awk 'NR % 12 == 1')
fi
echo "clang-tidy: ${#files[@]} of $all files: ${files[*]#generator/}"
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 2 clang-tidy-14 -p "$build" --quiet 2>/dev/null
status=$?
[ $status = 0 ] && echo "clang-tidy: clean"
exit $status
