#!/usr/bin/env bash
# package.sh BUILD MODELS: the .deb and the .tar.gz, each unpacked into a root that holds nothing but what the .deb says it depends
# on: tarn runs there, plans and writes code; that code compiles; find_package finds it; man page and completion work.
set -euo pipefail
build=$1 models=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "package: $*" >&2; exit 1; }
(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work" >log 2>&1) || { cat "$work/log" >&2; exit 1; }

# The libraries' packages and those that they depend on, file by file.
dependencies() {
  local names=$1 more
  while :; do
    more=$(for name in $names; do echo "$name"; dpkg-query -W -f='${Depends}\n' "$name"; done | tr ',' '\n' | sed 's/(.*//; s/|.*//; s/:any//; s/ //g' | sort -u | grep .)
    [ "$more" != "$names" ] || break
    names=$more
  done
  echo "$names"
}
names=$(dependencies "$(dpkg-deb -f "$work"/*.deb Depends | tr ',' '\n' | sed 's/(.*//; s/ //g' | sort -u)")
mkdir -p "$work"/{deb,tgz}/usr/{lib,lib32,lib64,libx32}
for name in $names; do dpkg -L "$name"; done | while read -r file; do [ -d "$file" ] && [ ! -L "$file" ] || echo "$file"; done |
  grep -v -E '/share/(doc|locale|man)/|^package diverts' >"$work/files"
for root in deb tgz; do tar -cf - -T "$work/files" 2>/dev/null | tar -xf - -C "$work/$root"; done
dpkg -x "$work"/*.deb "$work/deb"

tar -xzf "$work"/*.tar.gz --strip-components=1 -C "$work/tgz/usr"

enter=()
if chroot "$work/deb" /usr/bin/tarn --version >/dev/null 2>&1; then enter=(chroot)
elif unshare -r chroot "$work/deb" /usr/bin/tarn --version >/dev/null 2>&1; then enter=(unshare -r chroot)
elif [ "$(id -u)" = 0 ]; then chroot "$work/deb" /usr/bin/tarn --version; fail "tarn does not run with its dependencies alone"
else echo "package: SKIPPED the run in a root of its own: neither chroot nor unshare is allowed"
fi
for root in "$work/deb" "$work/tgz"; do
  for file in bin/tarn lib/cmake/tarn/tarnConfig.cmake share/man/man1/tarn.1 share/bash-completion/completions/tarn share/tarn/runtime/tarn.h \
      share/tarn/report.schema.json share/doc/tarn/{LICENSE,README.md,examples/guides/README.md,examples/ram_budget/CMakeLists.txt,generator/doc/interface.md}; do
    [ -e "$root/usr/$file" ] || fail "$file is missing in $root"
  done
  cp "$models/digits.onnx" "$root/"
  if [ ${#enter[@]} -gt 0 ]; then
    "${enter[@]}" "$root" /usr/bin/tarn --version | grep -q '^tarn ' || fail "tarn does not run in $root"
    "${enter[@]}" "$root" /usr/bin/tarn generate /digits.onnx -o /made | grep -q '^RAM' || fail "tarn does not plan in $root"
    (cd "$root/made" && cc -std=c99 -Wall -Wextra -Werror -c ./*.c) || fail "the code written in $root does not compile"
  fi
  mkdir "$root/project"
  printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(tarn 0.1 REQUIRED)\ntarn_add_model(net MODEL ../digits.onnx)\n' >"$root/project/CMakeLists.txt"
  cmake -S "$root/project" -B "$root/project/build" -DCMAKE_PREFIX_PATH="$root/usr" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "find_package does not find tarn"; }
  cmake --build "$root/project/build" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the project does not build"; }
  grep -q "^tarn_DIR:PATH=$root/usr/" "$root/project/build/CMakeCache.txt" || fail "another tarn was found"
  if command -v groff >/dev/null; then
    [ -z "$(groff -man -Tutf8 -ww -rLL=100n "$root/usr/share/man/man1/tarn.1" 2>&1 >"$work/man")" ] || fail "groff warns of the man page"
    grep -q -- '--model' "$work/man" && grep -q -- '--ram' "$work/man" || fail "the man page lacks options"
  fi
  offered=$(PATH=$root/usr/bin:$PATH bash -c "source '$root/usr/share/bash-completion/completions/tarn'
    COMP_WORDS=(tarn an) COMP_CWORD=1; _tarn; echo \"\${COMPREPLY[@]}\"; COMP_WORDS=(tarn analyze --ra) COMP_CWORD=2; _tarn; echo \"\${COMPREPLY[@]}\"")
  [ "$offered" = $'analyze\n--ram' ] || fail "completion offers '$offered'"
done
echo "package: both work in a root of their own"
