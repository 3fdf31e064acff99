/* SPDX-License-Identifier: MIT-0
 * Vectors, text by semihosting, and SysTick as a counter of instructions: with -icount shift=0 QEMU lets a nanosecond pass for
 * each instruction, and this board's SysTick ticks every 40 ns (25 MHz). On a real board it counts cycles of the clock, and
 * INSTRUCTIONS_A_TICK is 1. */
#include <stdint.h>
#include <string.h>

#ifndef INSTRUCTIONS_A_TICK
#define INSTRUCTIONS_A_TICK 40u
#endif

#define REGISTER(address) (*(volatile uint32_t *)(address))

extern uint32_t data_load[], data_first[], data_end[], bss_first[], bss_end[];
extern uint8_t stack_end[];
int main(void);
void reset(void);
void say(const char *text, uint32_t length);
uint64_t executed(void);

static volatile uint32_t rounds; /* of SysTick's 24 bits */

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void say(const char *text, uint32_t length)
{
    char part[64]; /* SYS_WRITE0 wants an end */
    while (length > 0) {
        const uint32_t now = (length < sizeof part) ? length : (uint32_t)sizeof part - 1u;
        memcpy(part, text, now);
        part[now] = 0;
        semihost(4u, part);
        text += now;
        length -= now;
    }
}

uint64_t executed(void)
{
    uint32_t before;
    uint32_t left;
    do {
        before = rounds;
        left = REGISTER(0xe000e018u);
    } while (before != rounds);
    return (((uint64_t)before << 24) + (0xffffffu - left)) * INSTRUCTIONS_A_TICK;
}

static void tick(void) { rounds = rounds + 1u; }

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
    REGISTER(0xe000ed88u) |= 0xfu << 20; /* CPACR: full access to the FPU */
    __asm__ volatile("dsb\n isb" : : : "memory");
    for (to = data_first; to != data_end; ++to) {
        *to = *from++;
    }
    for (to = bss_first; to != bss_end; ++to) {
        *to = 0;
    }
    REGISTER(0xe000e014u) = 0xffffffu; /* SysTick: reload, current, on with its interrupt and the processor's clock */
    REGISTER(0xe000e018u) = 0;
    REGISTER(0xe000e010u) = 7u;
    leave(main() == 0);
}

static void fault(void) { leave(0); }

__attribute__((section(".vectors"), used)) static const struct {
    uint8_t *stack;
    void (*handlers[15])(void);
} vectors = {stack_end, {reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, tick}};
