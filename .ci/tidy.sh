#!/usr/bin/env bash
# clang-tidy over the generator: tidy.sh [FILE ...]. Without files: those that differ from the commit TARN_TIDY_BASE (default:
# the one before HEAD), and a fixed sample of about one in forty of the others. All of them with TARN_FULL=1. Names choose
# the sample, so that a new file does not change the others' turn.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# A folder that is only configured: the command of every single file, with no precompiled header to be built first.
build=build-tidy
cmake -S . -B $build -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_COMPILER=clang-14 -DTARN_BUILD_TESTS=OFF -DTARN_UNITY=OFF \
  -DTARN_PRECOMPILE=OFF >/dev/null || exit 1
mapfile -t files < <(git ls-files 'generator/*.cc')
all=${#files[@]}
changed=0
if [ $# -gt 0 ]; then
  files=("$@")
elif [ "${TARN_FULL:-}" != 1 ]; then
  base=${TARN_TIDY_BASE:-HEAD~1}
  # Without history (an archive, a shallow copy) there is nothing to compare with.
  mapfile -t differ < <(git diff --name-only --diff-filter=d "$base" -- 'generator/*.cc' 2>/dev/null)
  changed=${#differ[@]}
  mapfile -t files < <({
    [ "$changed" = 0 ] || printf '%s\n' "${differ[@]}"
    for f in "${files[@]}"; do n=$(printf %s "$f" | cksum); [ $((${n%% *} % 40)) = 0 ] && echo "$f"; done
  } | sort -u)
fi
echo "clang-tidy: ${#files[@]} of $all files, $changed of them changed: ${files[*]#generator/}"
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 2 clang-tidy-14 -p "$build" --quiet 2>/dev/null
status=$?
[ $status = 0 ] && echo "clang-tidy: clean"
exit $status
