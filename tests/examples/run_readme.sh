#!/usr/bin/env bash
# run_readme.sh EXAMPLES NAME TARN_BUILD: runs every command of the example's README in a copy of the examples, with the
# tarn of TARN_BUILD standing where a clone's own build would be. A command written with `!` must fail.
set -euo pipefail
examples=$1 name=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/clone"
cp -r "$examples" "$work/clone/examples"
ln -s "$build" "$work/clone/build"
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
