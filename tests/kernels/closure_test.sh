#!/usr/bin/env bash
# The files that the generator copies for a kernel are all that the kernel needs: its .c, every tarn header that it includes
# directly or through others, and the .c of the same name beside each. Linking those alone must leave nothing undefined.
#   closure_test.sh RUNTIME_FOLDER WORK_FOLDER
set -euo pipefail
runtime=$(cd "$1" && pwd); work=$2
mkdir -p "$work"
declare -A headers   # of each .c, by name without ending
failed=0; count=0

for file in "$runtime"/tarn_*.c; do
  name=$(basename "$file" .c)
  gcc -std=c99 -O0 -fPIC -I"$runtime" -MMD -MF "$work/$name.d" -c "$file" -o "$work/$name.o"
  headers[$name]=$(grep -oE 'tarn_[a-z0-9_]+\.h' "$work/$name.d" | sed 's/\.h$//' | sort -u | tr '\n' ' ')
done
for file in "$runtime"/tarn_*.c; do
  name=$(basename "$file" .c)
  declare -A taken=([$name]=1)
  queue=$name
  while [ -n "$queue" ]; do
    next=
    for part in $queue; do
      for other in ${headers[$part]}; do
        if [ -f "$runtime/$other.c" ] && [ -z "${taken[$other]:-}" ]; then taken[$other]=1; next+=" $other"; fi
      done
    done
    queue=$next
  done
  objects=(); for part in "${!taken[@]}"; do objects+=("$work/$part.o"); done
  gcc -shared -Wl,-z,defs "${objects[@]}" -o "$work/$name.so" || { echo "$name: FAILED"; failed=1; }
  unset taken
  count=$((count + 1))
done
echo "$count files, each complete with what it includes"
exit $failed
