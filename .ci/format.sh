#!/usr/bin/env bash
# Are the C++ sources as .clang-format has them? format.sh --fix makes them so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
how=(--dry-run -Werror)
[ "${1:-}" != --fix ] || how=(-i)
# Headers of C have guards instead.
{ git ls-files -z 'generator/*.cc' 'tests/*.cc'; git grep -lz '^#pragma once' -- 'generator/*.h' 'tests/*.h'; } | xargs -0 -P "$(nproc)" -n 50 clang-format-14 "${how[@]}"
echo "clang-format: clean"
