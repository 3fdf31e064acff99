/* SPDX-License-Identifier: MIT-0
 * The least a Cortex-M4 needs to reach main(): vectors, the FPU, initialised data. printf goes to the emulator, or to a
 * debugger, by semihosting (newlib's librdimon). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern uint8_t data_load[], data_first[], data_end[], bss_first[], bss_end[], stack_end[];
extern void initialise_monitor_handles(void);
int main(void);
void reset(void);

void reset(void) {
  int status;
  *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20; /* CPACR: full access to the FPU */
  __asm__ volatile("dsb\n isb" : : : "memory");
  memcpy(data_first, data_load, (size_t)(data_end - data_first));
  memset(bss_first, 0, (size_t)(bss_end - bss_first));
  initialise_monitor_handles();
  status = main();
  fflush(stdout);
  _Exit(status);
}

/* A fault ends the program instead of hanging it. */
static void fault(void) { _Exit(99); }

__attribute__((section(".vectors"), used)) static const struct {
  uint8_t *stack;
  void (*handlers[15])(void);
} vectors = {stack_end, {reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault}};
