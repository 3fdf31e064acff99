// Reset and fault code for Cortex-M and RV32. Faults run on a stack of their own, so that an overflow of the main
// stack is told, not suffered.
#include "tarn_board.h"

#if defined(__arm__) && __ARM_ARCH < 8
// Some boards ignore stores where there is no memory. With an MPU (of version 7) nothing but the image's regions can be
// accessed, and code and constants cannot be written.
static void protect_memory(void) {
  volatile uint32_t *const mpu = (volatile uint32_t *)0xe000ed90u;  // TYPE, CTRL, RNR, RBAR, RASR
  uint32_t i;
  if (((mpu[0] >> 8) & 0xffu) < 3) return;
  for (i = 0; i < 3; ++i) {
    mpu[2] = i;
    mpu[3] = tarn_regions[2 * i];
    mpu[4] = tarn_regions[2 * i + 1];
  }
  mpu[1] = 1;
  __asm__ volatile("dsb\n isb" : : : "memory");
}
#else
static void protect_memory(void) {}
#endif

__attribute__((used, noreturn)) static void start(void) {
  const uint32_t *from = tarn_data_load;
  volatile uint32_t *to;
  protect_memory();
  for (to = tarn_data_first; to < tarn_data_end;) *to++ = *from++;
  for (to = tarn_bss_first; to < tarn_bss_end;) *to++ = 0;
  tarn_exit(tarn_main());
}

__attribute__((used, noreturn)) static void report_fault(const uint32_t *sp, uint32_t cause, uint32_t pc) {
  tarn_say("fault_cause", cause);
  if (sp < tarn_stack_first + 8) tarn_exit(TARN_EXIT_STACK);
  tarn_say("fault_pc", pc);
  tarn_exit(TARN_EXIT_FAULT);
}

#if defined(__arm__)

__attribute__((naked)) void tarn_reset(void) {
  __asm__ volatile(
      ".syntax unified\n"
#if defined(__ARM_FP) || (defined(__ARM_FEATURE_MVE) && __ARM_FEATURE_MVE)
      // CPACR: full access to the FPU and MVE. FPSCR is left alone: on v8.1-M a zero in LTPSIZE breaks `le` loops.
      "ldr r0, =0xe000ed88\n ldr r1, [r0]\n ldr r2, =0x00f00000\n orrs r1, r2\n str r1, [r0]\n dsb\n isb\n"
#endif
      "ldr r0, =tarn_stack_end\n msr psp, r0\n"
#if __ARM_ARCH >= 8 && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB >= 2
      "ldr r0, =tarn_stack_first\n msr psplim, r0\n"
#endif
      "movs r0, #2\n msr control, r0\n isb\n"  // thread mode on PSP, handlers on MSP
      "bl start\n .ltorg");
}

// The stacked frame cannot be trusted after an overflow: its address is judged before it is read.
__attribute__((used)) static void on_fault(const uint32_t *sp, uint32_t exception) {
  uint32_t cause = exception;
#if __ARM_ARCH_ISA_THUMB >= 2
  cause = *(volatile uint32_t *)0xe000ed28u;  // CFSR
#endif
  report_fault(sp, cause, sp < tarn_stack_first ? 0 : sp[6]);
}

__attribute__((naked)) static void fault_entry(void) {
  __asm__ volatile("mrs r0, psp\n mrs r1, ipsr\n bl on_fault");
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))tarn_handler_stack_end, tarn_reset,  fault_entry, fault_entry, fault_entry, fault_entry,
    fault_entry,                            fault_entry, 0,           0,           0,           fault_entry,
    fault_entry,                            0,           fault_entry, fault_entry};

#else  // RV32

// A locked PMP entry makes the 4096 bytes below the stack untouchable even in machine mode.
__attribute__((naked, section(".vectors"), used)) void tarn_reset(void) {
  __asm__ volatile(
      ".option push\n.option norelax\n la gp, __global_pointer$\n.option pop\n"
      "la sp, tarn_stack_end\n la t0, trap_entry\n csrw mtvec, t0\n"
      "la t0, tarn_handler_stack_end\n csrw mscratch, t0\n"
      "la t0, tarn_stack_first\n li t1, 4096\n sub t0, t0, t1\n srli t0, t0, 2\n ori t0, t0, 0x1ff\n"
      "csrw pmpaddr0, t0\n li t0, 0x98\n csrw pmpcfg0, t0\n"
#if defined(__riscv_flen)
      "li t0, 0x2000\n csrs mstatus, t0\n"  // mstatus.FS = initial
#endif
      "j start");
}

__attribute__((naked, aligned(4), used)) static void trap_entry(void) {
  __asm__ volatile("mv a0, sp\n csrr a1, mcause\n csrr a2, mepc\n csrr sp, mscratch\n j report_fault");
}

#endif
