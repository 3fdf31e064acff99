#!/usr/bin/env bash
# run_readme.sh EXAMPLES NAME TARN [installed]: runs every command of the example's README in a copy of the examples. TARN is a build
# folder, which then stands where a clone's own build would be; or, with `installed`, the prefix of an installed tarn. A command written
# with `!` must fail.
set -euo pipefail
examples=$1 name=$2 tarn=$3 how=${4:-built}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/clone"
cp -r "$examples" "$work/clone/examples"
if [ "$how" = installed ]; then
  export PATH=$tarn/bin:$PATH CMAKE_PREFIX_PATH=$tarn
  [ "$(command -v tarn)" = "$tarn/bin/tarn" ]
else
  ln -s "$tarn" "$work/clone/build"
fi
cd "$work/clone/examples/$name"
rm -rf build
commands=$(awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on' README.md)
[ -n "$commands" ] || { echo "$name: the README has no commands" >&2; exit 1; }
while IFS= read -r command; do
  echo "\$ $command"
  if [[ $command == '! '* ]]; then
    if eval "${command#! }"; then echo "$name: this should have failed: $command" >&2; exit 1; fi
  else
    eval "$command"
  fi
done <<<"$commands"
