#!/usr/bin/env bash
# page.sh TARN MODEL...: the HTML report of each model in a browser, of the first one by lines too: no message on the console, nothing in doubt by the page's
# own check, no two names of the arena map and of the bars' scales over each other, at 1400 px in light and 480 px in dark colours; printed on two pages at most. Exit 77 without Chromium.
set -euo pipefail
tarn=$1; shift
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "page: SKIPPED, no Chromium on PATH"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
probe='<script>addEventListener("load",function(){setTimeout(function(){var t=[].slice.call(document.querySelectorAll("#map text.b")).map(function(e){return e.getBoundingClientRect()}),n=0;
for(var i=0;i<t.length;i++)for(var j=i+1;j<t.length;j++){var a=t[i],b=t[j];if(a.left<b.right-1&&b.left<a.right-1&&a.top<b.bottom-1&&b.top<a.bottom-1&&!(a.left==b.left&&Math.abs(a.top-b.top)>6))n++}
[].forEach.call(document.querySelectorAll(".scale"),function(e){var a=e.children[0],b=e.children[1];if(b&&b.getBoundingClientRect().left<a.getBoundingClientRect().right+2)n++});
document.body.setAttribute("data-overlaps",n);document.body.setAttribute("data-doubt",/IN DOUBT/.test(document.body.innerText));document.body.setAttribute("data-wide",document.documentElement.scrollWidth>innerWidth+1)},600)})</script>'
check() {
  local model=$1
  page=$work/page.html
  "$tarn" analyze "$@" --cc none --report "$page" >/dev/null || [ $? -lt 7 ]
  [ "$(stat -c %s "$page")" -lt 2097152 ] || { echo "page: $model: over 2 MB" >&2; exit 1; }
  # As it is nothing but its own scripts may run, and the console stays empty; the probe is one more.
  "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" --virtual-time-budget=4000 --enable-logging=stderr \
    --dump-dom "file://$page" >"$work/dom" 2>"$work/log"
  if grep -q CONSOLE "$work/log"; then grep -h CONSOLE "$work/log" >&2; exit 1; fi
  grep -q 'data-done=' "$work/dom" || { echo "page: $model: its scripts did not run" >&2; exit 1; }
  "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" --no-pdf-header-footer --print-to-pdf="$work/pdf" "file://$page" 2>/dev/null
  pages=$(grep -ac '/Type */Page\b' "$work/pdf")
  [ "$pages" -ge 1 ] && [ "$pages" -le 2 ] || { echo "page: $model: printed on $pages pages" >&2; exit 1; }
  sed -i '/Content-Security-Policy/d' "$page"
  printf '%s' "$probe" >>"$page"
  for look in "1400" "480 --force-dark-mode"; do
    local width=${look%% *} theme=${look#* }
    [ "$theme" != "$look" ] || theme=
    "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" $theme --window-size=$width,2000 --virtual-time-budget=4000 \
      --enable-logging=stderr --dump-dom "file://$page" >"$work/dom" 2>"$work/log"
    if grep -q CONSOLE "$work/log"; then grep -h CONSOLE "$work/log" >&2; exit 1; fi
    grep -q 'data-doubt="false"' "$work/dom" || { echo "page: $model: the page's own check does not hold" >&2; exit 1; }
    grep -q 'data-wide="false"' "$work/dom" || { echo "page: $model: wider than $width px" >&2; exit 1; }
    overlaps=$(grep -o 'data-overlaps="[0-9]*"' "$work/dom" | head -n 1 | tr -dc 0-9)
    [ "$overlaps" = 0 ] || { echo "page: $model at $width px: $overlaps names of the map over each other" >&2; exit 1; }
  done
  echo "page: $*: fine"
}
for model in "$@"; do check "$model"; done
check "$1" --stream fed
check "$1" --stream resident --lines table --ram 900
check "$1" --ram 4M
check "$1" --ram 1600 --stream off
check "$1" --ram 100
# Time, where it is known: in the verdict, of each step, and in the table.
check "$1" --target cortex-m4 --clock 168M
grep -q 'Time on cortex-m4, estimated' "$work/dom" && grep -qE '<dt>(instructions|cycles)</dt>' "$work/dom" || { echo "page: no time" >&2; exit 1; }
# A budget of time decides like one of memory: the stamp, the bar, what is in the way and what each change would take.
check "$1" --target cortex-m4 --clock 168M --time 1us
for words in 'DOES NOT FIT' 'over by' 'Time: the slowest steps' 'against the time budget'; do
  grep -q "$words" "$work/dom" || { echo "page: over the budget of time, no '$words'" >&2; exit 1; }
done
check "$1" --target cortex-m4 --instructions 900000000
grep -q 'instructions free' "$work/dom" || { echo "page: within the budget of instructions, not told" >&2; exit 1; }
# Several memories, a front and formulas of a size on two pages of paper too.
check "$1" --target cortex-m7 --bank fast=1K --bank slow=16K
check "$1" --target cortex-m4 --clock 168M --time 1us --ram 2K --pareto
