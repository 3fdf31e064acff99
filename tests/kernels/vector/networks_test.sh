#!/usr/bin/env bash
# Networks as emitted for targets with vectors, by layers and by lines, beside their stored outputs: on this machine where it
# runs the code, AArch64 under qemu-aarch64 where that is installed.
#   networks_test.sh TARN EXAMPLES_FOLDER
set -uo pipefail
tarn=$1 examples=$2
failed=0 ran=0

# MODEL OPTIONS...
check() {
  local model=$1; shift
  local words
  if words=$("$tarn" verify "$examples/$model" "$@" 2>&1); then
    ran=$((ran + 1))
  elif ! grep -q 'E402' <<<"$words"; then
    echo "$model $*: FAILED"$'\n'"$words"
    failed=1
  fi
}

for target in x86-64-v3 x86-64-v4 aarch64 cortex-m55; do
  check digits/digits.onnx --target $target --on $target
  check keyword_stream/keyword_whole.onnx --target $target --on $target
  check digits/digits.onnx --target $target --on $target --stream resident --reference naive
done
# On the host code for these targets is built for them where the processor has what they take, else for any.
check digits/digits.onnx --target x86-64-v3 --on host
echo "$ran runs"
[ $failed = 0 ] && [ $ran -gt 0 ]
