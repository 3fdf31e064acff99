# Toolchain for the emulated RV32 board of the cross builds, without a C library.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-march=rv32imac -mabi=ilp32 -ffreestanding -ffunction-sections -fdata-sections")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib -Wl,--gc-sections -T${CMAKE_CURRENT_LIST_DIR}/virt.ld")
# gcc's own arithmetic stands behind the objects that call it.
set(CMAKE_C_STANDARD_LIBRARIES "-lgcc")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-system-riscv32;-M;virt;-bios;none;-display;none;-monitor;none;-serial;none;-kernel)
