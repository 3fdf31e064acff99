#!/bin/sh
# For `tarn verify --on board --run examples/digits/board/flash_and_read.sh`: builds $TARN_FIRMWARE for a Cortex-M4, "flashes" and prints
# what the board says. Here the board is QEMU's; for a real one the last line programs it and reads its serial port.
set -e
board=$(dirname "$0")
image=$(mktemp)
trap 'rm -f "$image"' EXIT
arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2 -ffunction-sections -fdata-sections \
  -I"$TARN_FIRMWARE" "$TARN_FIRMWARE"/*.c "$board/startup.c" -nostartfiles --specs=rdimon.specs -Wl,--gc-sections \
  -T"$board/an386.ld" -lm -o "$image"
qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -semihosting-config enable=on,target=native -kernel "$image"
