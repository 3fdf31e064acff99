#!/usr/bin/env bash
# wheel.sh SOURCE MODEL [CMAKE DEFINE...]: `pip install SOURCE/generator/python` into a fresh environment: tarn is on its PATH, as `python -m tarn` and
# as a module, CMake finds the package there, and the wheel carries a manylinux tag where auditwheel can be had.
set -euo pipefail
source=$(cd "$1" && pwd) model=$(readlink -f "$2")
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() { echo "wheel: $*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/build" 2>"$work/log" || { echo "wheel: SKIPPED, python3 has no venv"; exit 77; }
if ! "$work/build/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r "$here/requirements.txt" >"$work/log" 2>&1; then
  echo "wheel: SKIPPED, the packages that build it cannot be had:"; tail -n 2 "$work/log"
  exit 77
fi
settings=()
for define in "$@"; do settings+=(-C "cmake.define.$define"); done
CMAKE_BUILD_PARALLEL_LEVEL=1 "$work/build/bin/pip" wheel --disable-pip-version-check --no-build-isolation --no-deps "${settings[@]}" -w "$work" "$source/generator/python" >"$work/log" 2>&1 ||
  { tail -n 40 "$work/log" >&2; fail "it does not build"; }
wheel=$(ls "$work"/*.whl)
PATH=$work/build/bin:$PATH auditwheel repair --plat auto -w "$work/repaired" "$wheel" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "auditwheel cannot give it a tag"; }
wheel=$(ls "$work"/repaired/*.whl)
[[ $wheel == *manylinux* ]] || fail "no manylinux tag: $wheel"

python3 -m venv "$work/user"
bin=$work/user/bin
"$bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
for file in bin/tarn lib/cmake/tarn/tarnConfig.cmake share/tarn/runtime/tarn.h share/tarn/report.schema.json share/man/man1/tarn.1; do
  [ -e "$work/user/$file" ] || fail "$file is missing in the environment"
done
cd "$work"
env -u TARN "$bin/tarn" analyze "$model" --ram 64K | grep -q '^RAM' || fail "bin/tarn does not plan"
env -u TARN TARN_TEST_MODEL="$model" PATH="/usr/bin:/bin" "$bin/python" -B "$here/test_module.py" 2>"$work/log" || { cat "$work/log" >&2; fail "the module's tests fail"; }
mkdir project
printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(tarn REQUIRED)\ntarn_add_model(net MODEL %s)\n' "$model" >project/CMakeLists.txt
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$work/user" >"$work/log" 2>&1 && cmake --build project/build >>"$work/log" 2>&1 ||
  { cat "$work/log" >&2; fail "a project with find_package(tarn) does not build"; }
grep -q "^tarn_DIR:PATH=$work/user/" project/build/CMakeCache.txt || fail "another tarn was found"
"$bin/pip" uninstall --quiet --yes tarn
[ ! -e "$bin/tarn" ] || fail "bin/tarn is left behind"
echo "wheel: $(basename "$wheel") works in a fresh environment"
