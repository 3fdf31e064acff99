#!/usr/bin/env bash
# Fuzzes the whole of `tarn generate` with mutated ONNX graphs: run.sh SECONDS [OPTIONS]; 1 when anything was found.
#   --sanitize      AddressSanitizer and UndefinedBehaviorSanitizer; slower by a factor of three
#   --seed N        default: the time, so that every run is another one
#   --workdir DIR   keeps the corpus that grows, findings/ and the log there (default: build-fuzz/work, or build-fuzz-sanitize/work)
#   --models DIR    further seeds, repeatable
# Builds what it needs. Findings are kept, with the command that replays each; the run goes on behind them until the time is over.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
usage() { sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
[ $# -ge 1 ] && [[ $1 =~ ^[0-9]+$ ]] || usage
seconds=$1; shift
seed=$(date +%s) build=build-fuzz work="" sanitize=() models=()
while [ $# -gt 0 ]; do
  case $1 in
    --sanitize) build=build-fuzz-sanitize; sanitize=(-DTARN_SANITIZE=address,undefined) ;;
    --seed) seed=$2; shift ;;
    --workdir) work=$2; shift ;;
    --models) models+=("$2"); shift ;;
    *) usage ;;
  esac
  shift
done
work=${work:-$root/$build/work}
seed=$((seed % 2000000000 + 1))  # libFuzzer takes 0 for "any"

TARGETS="pipeline_fuzz fuzz_replay" .ci/build.sh "$build" -DTARN_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_COMPILER=clang-14 \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 "${sanitize[@]}"
fuzzer=$root/$build/tests/fuzz/pipeline_fuzz

# Small models alone: a larger one would be cut off, and takes the time of many.
largest=6000
mkdir -p "$work/corpus" "$work/findings"
backend=$(sed -n 's/^TARN_ONNX_INSTALL:INTERNAL=//p' "$build/CMakeCache.txt")/../source/onnx/backend/test/data
if [ ! -e "$work/seeds.ok" ]; then
  mkdir -p "$work/seeds"
  find tests/fuzz/corpus tests/fuzz/regressions tests/errors tests/conformance/more "$backend" "${models[@]}" -type f -name '*.onnx' \
    -size -${largest}c |
    while read -r file; do cp "$file" "$work/seeds/$(sha256sum "$file" | cut -c1-16).onnx"; done
  touch "$work/seeds.ok"
fi

export TARN_FUZZ_FINDINGS=$work/findings TARN_FUZZ_COUNTS=$work/counts TARN_FUZZ_SCRATCH=$work/scratch
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
count() { [ -e "$work/counts" ] && od -An -t u8 -w8 "$work/counts" | tr -d ' ' | sed -n "${1}p" || echo 0; }
runs_before=$(count 1) emitted_before=$(count 2)
findings_before=$(find "$work/findings" -type f | wc -l)
echo "fuzz: seed $seed, $(find "$work/seeds" -type f | wc -l) seeds, $(find "$work/corpus" -type f | wc -l) in the corpus, $seconds s"
start=$SECONDS
while [ $((SECONDS - start)) -lt "$seconds" ]; do
  rm -rf "$work/scratch"
  if "$fuzzer" -seed=$seed -max_total_time=$((seconds - SECONDS + start)) -max_len=$largest -timeout=90 -rss_limit_mb=3000 \
    -detect_leaks=0 -report_slow_units=20 -print_final_stats=0 -artifact_prefix="$work/findings/" "$work/corpus" "$work/seeds" \
    >"$work/log" 2>&1; then
    grep -A1 '^FINDING' "$work/log" || true
    break
  fi
  # The process died: what it ran last is the finding, whether it could still write it or not.
  grep -A1 '^FINDING' "$work/log" || true
  grep -m1 -E 'ERROR: |runtime error|deadly signal|FAILED' "$work/log" || tail -n 3 "$work/log"
  grep -E '^ +#[0-9]+ .* in tarn::' "$work/log" | head -n 3 || true
  if [ -e "$work/scratch/model.onnx" ]; then
    if ! grep -q 'Test unit written' "$work/log"; then
      cp "$work/scratch/model.onnx" "$work/findings/died-$(sha256sum "$work/scratch/model.onnx" | cut -c1-16)"
    fi
    # A seed over which it dies is met again at every start: it is left out.
    rm -f "$work/seeds/$(sha256sum "$work/scratch/model.onnx" | cut -c1-16).onnx" "$work/corpus/$(sha1sum "$work/scratch/model.onnx" | cut -c1-40)"
  fi
  seed=$((seed + 1))
done
took=$((SECONDS - start)) runs=$(($(count 1) - runs_before)) emitted=$(($(count 2) - emitted_before))
found=$(($(find "$work/findings" -type f ! -name 'slow-unit*' | wc -l) - findings_before))
echo "fuzz: $runs runs, $emitted to the end, in $took s; $(find "$work/corpus" -type f | wc -l) in the corpus; $found findings"
[ "$found" -gt 0 ] || exit 0
find "$work/findings" -type f ! -name 'slow-unit*' | while read -r file; do
  echo "replay: $build/tests/fuzz/fuzz_replay -v '$file'"
done
exit 1
