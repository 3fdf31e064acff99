#!/usr/bin/env bash
# Sets the machine up, builds tarn and its tests, and runs them. Arguments are handed to ctest (-L unit, -R conv, ...).
#   TARN_SHARED_DIR   the folder with data that is not part of the repository (default: ../shared beside it)
#   TARN_CI=1         larger samples, and a few tests more, as .ci/run takes them
#   TARN_FULL=1       everything: all models and all of the onnx backend suite, not the printed sample
#   TARN_BUILD_DIR    where to build (default: build)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
build=${TARN_BUILD_DIR:-build}
export TARN_SHARED_DIR=${TARN_SHARED_DIR:-$root/../shared}

.ci/setup.sh all
.ci/build.sh "$build" -DTARN_BUILD_TESTS=ON  # the quickstart configures without

# What is absent is said here; ctest counts the tests that it takes away as skipped.
for data in models exported planner_bench; do
  if [ -d "$TARN_SHARED_DIR/$data" ]; then
    echo "data: $TARN_SHARED_DIR/$data"
  else
    echo "data: SKIPPED, no $TARN_SHARED_DIR/$data (TARN_SHARED_DIR names the folder that holds it)"
  fi
done
code=0
ctest --test-dir "$build" --output-on-failure --output-junit tests.xml --no-tests=error -j "$(nproc)" "$@" || code=$?
[ $code = 0 ] || python3 -B tests/failures.py "$build/tests.xml" || true
exit $code
