/* SPDX-License-Identifier: MIT-0
 * Vectors, and semihosting for text and the end of the program: no C library, so that all RAM is in the linker script. */
#include <stdint.h>

extern uint32_t data_load[], data_first[], data_end[], bss_first[], bss_end[];
extern uint8_t stack_end[];
int main(void);
void reset(void);
void say(const char *text);

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void say(const char *text) { semihost(4u, text); }

static void leave(int good)
{
    /* ADP_Stopped_ApplicationExit, or a run-time error. */
    semihost(0x18u, (const void *)(uintptr_t)(good ? 0x20026u : 0x20023u));
    for (;;) {
    }
}

void reset(void)
{
    const uint32_t *from = data_load;
    uint32_t *to;
    *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20; /* CPACR: full access to the FPU */
    __asm__ volatile("dsb\n isb" : : : "memory");
    for (to = data_first; to != data_end; ++to) {
        *to = *from++;
    }
    for (to = bss_first; to != bss_end; ++to) {
        *to = 0;
    }
    leave(main() == 0);
}

static void fault(void) { leave(0); }

__attribute__((section(".vectors"), used)) static const struct {
    uint8_t *stack;
    void (*handlers[15])(void);
} vectors = {stack_end, {reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault}};
