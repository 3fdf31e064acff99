# Sourced by test scripts: the QEMU boards that stand for the targets, and how to build and run a program on one.
#   board_build BOARD out.elf [flags and sources...]     board_run BOARD program.elf [QEMU options...]
boards="cortex-m0 cortex-m3 cortex-m4 cortex-m7 cortex-m33 cortex-m55 rv32imac rv32imafc"
target_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Sets machine, flags and memory (code address and size, RAM address and size).
board() {
  case $1 in
    cortex-m0)  machine="arm -M microbit";    flags="-mcpu=cortex-m0 -mthumb"; memory="0x00000000 256K 0x20000000 16K" ;;
    cortex-m3)  machine="arm -M mps2-an385";  flags="-mcpu=cortex-m3 -mthumb"; memory="0x00000000 4M 0x20000000 4M" ;;
    cortex-m4)  machine="arm -M mps2-an386";  flags="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
                memory="0x00000000 4M 0x20000000 4M" ;;
    cortex-m7)  machine="arm -M mps2-an500";  flags="-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16"
                memory="0x00000000 4M 0x20000000 4M" ;;
    cortex-m33) machine="arm -M mps2-an505";  flags="-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16"
                memory="0x10000000 4M 0x38000000 2M" ;;
    cortex-m55) machine="arm -M mps3-an547";  flags="-mcpu=cortex-m55 -mthumb -mfloat-abi=hard"
                memory="0x00000000 512K 0x21000000 2M" ;;
    rv32imac)   machine="riscv32 -M virt -bios none"; flags="-misa-spec=2.2 -march=rv32imac -mabi=ilp32"
                memory="0x80000000 32M 0x82000000 32M" ;;
    rv32imafc)  machine="riscv32 -M virt -bios none"; flags="-misa-spec=2.2 -march=rv32imafc -mabi=ilp32f"
                memory="0x80000000 32M 0x82000000 32M" ;;
    *) echo "boards.sh: no board $1" >&2; return 1 ;;
  esac
  case $1 in
    rv32*) compiler=riscv64-unknown-elf-gcc; entry=_start ;;
    *) compiler=arm-none-eabi-gcc; entry=reset ;;
  esac
}

# Whether the compiler and the emulator of a board are installed.
board_present() {
  board "$1"
  command -v "$compiler" >/dev/null && command -v "qemu-system-${machine%% *}" >/dev/null
}

board_build() {
  board "$1"
  local out=$2; shift 2
  local code code_bytes ram ram_bytes
  read -r code code_bytes ram ram_bytes <<<"$memory"
  cpp -P -DCODE="$code" -DCODE_BYTES="$code_bytes" -DRAM="$ram" -DRAM_BYTES="$ram_bytes" -DENTRY_SYMBOL="$entry" \
    "$target_folder/link.ld.in" >"$out.ld"
  # Loops that copy must not become calls of the memcpy that they implement.
  local compile=($compiler $flags -ffreestanding -O2 -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns -I"$target_folder")
  local link=(-nostdlib -nostartfiles -Wl,--gc-sections,--no-warn-rwx-segments -T "$out.ld")
  if ! command -v ccache >/dev/null; then
    "${compile[@]}" "${link[@]}" "$target_folder/startup.c" "$@" -lgcc -o "$out"
    return
  fi
  # Object by object through the compiler's cache: kernels are the same in many programs and from one run to the next.
  local given sources=("$target_folder/startup.c") options=() rest=() made=()
  for given in "$@"; do
    case $given in
      -l* | -Wl,* | *.o) rest+=("$given") ;;
      -*) options+=("$given") ;;
      *) sources+=("$given") ;;
    esac
  done
  mkdir -p "$out.objects"
  for given in "${sources[@]}"; do
    made+=("$out.objects/${#made[@]}.o")
    CCACHE_NOHASHDIR=1 ccache "${compile[@]}" "${options[@]}" -c "$given" -o "${made[-1]}" || return
  done
  "${compile[@]}" "${options[@]}" "${link[@]}" "${made[@]}" "${rest[@]}" -lgcc -o "$out"
}

board_run() {
  board "$1"
  local program=$2; shift 2
  timeout 120 qemu-system-$machine -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native "$@" -kernel "$program"
}
