#!/usr/bin/env bash
# Instructions per call of every function of runtime/maths, counted under QEMU, and the bytes of code of each.
#   run.sh [WORK_FOLDER [BOARD...]]      boards: cortex-m4 cortex-m0 rv32imac by default
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kernels=$here/../../kernels; runtime=$(cd "$here/../../../runtime" && pwd)
. "$kernels/target/boards.sh"
work=${1:-$(mktemp -d)}; shift || true
mkdir -p "$work/objects"
list=${*:-cortex-m4 cortex-m0 rv32imac}

gcc -O2 -fPIC -shared "$kernels/target/count_plugin.c" -o "$work/count.so"
columns=()
for name in $list; do
  board_present "$name" || { echo "$name: compiler or emulator missing" >&2; continue; }
  board_build "$name" "$work/$name.elf" -std=c99 -I"$runtime" -I"$runtime/maths" -I"$kernels/math" "$here/bench.c" "$runtime"/maths/tarn_math_*.c
  mark=0x$("${compiler%gcc}nm" "$work/$name.elf" | awk '$3 == "bench_mark" { print $1 }')
  board_run "$name" "$work/$name.elf" -plugin "$work/count.so,mark=$mark" 2>"$work/$name.log"
  # The two marks of a function follow its name; the second difference is the loop's. 200 calls.
  awk '/^marked/ { if (++seen == 2) { if (name == "nothing") empty = $2; else printf "%s\t%.0f\n", name, ($2 - empty) / 200; } next }
       { name = $0; seen = 0 }' "$work/$name.log" >"$work/$name.tsv"
  columns+=("$work/$name.tsv")
done

board cortex-m4
for file in "$runtime"/maths/tarn_math_*.c; do
  object=$work/objects/$(basename "$file" .c).o
  $compiler $flags -std=c99 -O2 -c "$file" -I"$runtime" -I"$runtime/maths" -o "$object"
done
echo "instructions per call on $list; bytes of code and constants on cortex-m4 (shared parts below)"
for object in "$work"/objects/*.o; do
  arm-none-eabi-size "$object" | awk -v name="$(basename "$object" .o)" 'NR == 2 && $1 > 0 { sub("tarn_math_", "", name); print name "\t" $1 }'
done | awk -F'\t' -v columns="${columns[*]}" '
  BEGIN { n = split(columns, file, " ");
          for (i = 1; i <= n; ++i) while ((getline line < file[i]) > 0) { split(line, cell, "\t"); count[cell[1], i] = cell[2]; if (i == 1) order[++rows] = cell[1]; } }
  { bytes[$1] = $2; all[++files] = $1 }
  END { for (r = 1; r <= rows; ++r) { printf "%-14s", order[r]; for (i = 1; i <= n; ++i) printf "%8s", count[order[r], i]; printf "%8s bytes\n", bytes[order[r]]; known[order[r]] = 1 }
        for (f = 1; f <= files; ++f) if (!(all[f] in known)) printf "%-14s %30s bytes\n", all[f], bytes[all[f]] }'
