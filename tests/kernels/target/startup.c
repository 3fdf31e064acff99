/* Reset code for Cortex-M and RV32 under QEMU, semihosting, and the two memory functions that compilers call on their
 * own. Enough for test programs: initialised data, zeroed data, FPU on, main, exit; a fault ends the program with
 * status 99. */
#include "semihost.h"

extern uint32_t load_start[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
int main(void);

static void semihost_call(uint32_t operation, const void* argument) {
#if defined(__arm__)
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
#else /* the three words must be uncompressed and in one page */
  register uint32_t a0 __asm__("a0") = operation;
  register const void* a1 __asm__("a1") = argument;
  __asm__ volatile(
      ".balign 16\n.option push\n.option norvc\n"
      "slli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n.option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
#endif
}

void semihost_print(const char* text) { semihost_call(0x04, text); }

void semihost_exit(uint32_t status) {
  uint32_t block[2];
  block[0] = 0x20026; /* application exit */
  block[1] = status;
  semihost_call(0x20, block);
  for (;;) {
  }
}

/* Weak: a C library that is linked brings its own. */
__attribute__((weak)) void* memcpy(void* to, const void* from, __SIZE_TYPE__ count) {
  char* out = (char*)to;
  const char* in = (const char*)from;
  while (count-- > 0) {
    *out++ = *in++;
  }
  return to;
}

#ifdef __arm__
// What clang calls for copies of structs.
void __aeabi_memcpy4(void* to, const void* from, __SIZE_TYPE__ count);
__attribute__((weak)) void __aeabi_memcpy4(void* to, const void* from, __SIZE_TYPE__ count) { memcpy(to, from, count); }
#endif

__attribute__((weak)) void* memset(void* to, int value, __SIZE_TYPE__ count) {
  char* out = (char*)to;
  while (count-- > 0) {
    *out++ = (char)value;
  }
  return to;
}

__attribute__((used, noreturn)) static void start(void) {
  const uint32_t* from = load_start;
  uint32_t* to;
  for (to = data_start; to < data_end;) {
    *to++ = *from++;
  }
  for (to = bss_start; to < bss_end;) {
    *to++ = 0;
  }
  semihost_exit((uint32_t)main());
  for (;;) {
  }
}

__attribute__((used)) static void fault(void) {
  semihost_print("fault\n");
  semihost_exit(99);
}

#if defined(__arm__)
void reset(void);
__attribute__((naked, used)) void reset(void) {
  __asm__ volatile(
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
      "ldr r0, =0xE000ED88\n ldr r1, [r0]\n" /* CPACR: full access to coprocessors 10 and 11 */
      "ldr r2, =0x00F00000\n orrs r1, r2\n str r1, [r0]\n dsb\n isb\n"
#endif
      "bl start\n .ltorg");
}
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault};
#else
__attribute__((naked, aligned(4), used)) static void trap(void) { __asm__ volatile("j fault"); }
void _start(void);
__attribute__((naked, section(".vectors"), used)) void _start(void) {
  __asm__ volatile(
      ".option push\n.option norelax\n la gp, __global_pointer$\n.option pop\n"
      "la sp, stack_top\n la t0, trap\n csrw mtvec, t0\n"
#if defined(__riscv_flen)
      "li t0, 0x2000\n csrs mstatus, t0\n" /* FPU on */
#endif
      "j start");
}
#endif
