#!/usr/bin/env bash
# same_files.py finds no difference between an executable and itself, and one that writes another byte: same_files_test.sh TARN MODEL
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tarn=$1 model=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/same_files.py" "$tarn" "$tarn" "$model"
cat > "$work/other" <<END
#!/bin/sh
"$tarn" "\$@" || exit \$?
[ ! -f out/m.c ] || echo '/* other */' >> out/m.c
END
chmod +x "$work/other"
if "$here/same_files.py" "$tarn" "$work/other" "$model" > "$work/text"; then
  echo "same_files.py overlooks a line that is different"
  exit 1
fi
grep -q 'files differ: out/m.c' "$work/text"
