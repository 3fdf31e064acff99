// The model under test, as the harness sees it. The holes are filled by the generator.
#ifndef TARN_FIRMWARE_H
#define TARN_FIRMWARE_H

#define TARN_INPUTS @inputs@
#define TARN_OUTPUTS @outputs@
#define TARN_PORTS @ports@  // inputs and outputs, at least 1
#define TARN_DIMS @dims@    // run-time dimensions that the model tells
#define TARN_CALLER_IO @caller_io@

#include "@header@"
#include "tarn_harness.h"

#define TARN_BANKS @banks@  // arenas
#define TARN_ARENA_ALIGN ((size_t)(@NAME@_ARENA_ALIGN))
#define TARN_STEPS ((uint32_t)(@NAME@_STEPS))

// The arena, or several, and where each input and then each output lies.
struct tarn_instance {
  void *bank[TARN_BANKS];
@arenas@  int absent;  // there is no room for it
  void *at[TARN_PORTS];
};

struct tarn_port {
  size_t bytes, align;
};
static const struct tarn_port tarn_ports[TARN_PORTS] = {
@port_rows@
};

#ifdef TARN_BOARD
// Room for the caller's inputs and outputs; empty when they live in the arena.
unsigned char tarn_buffers[@buffer_bytes@] __attribute__((section(".bss.tarn_buffers"), aligned(8)));
#endif

struct tarn_bank {
  size_t bytes;
  void *fixed;
};
static const struct tarn_bank tarn_banks[TARN_BANKS] = {
@bank_rows@};

// Where inputs and outputs lie inside the arena; with buffers of the caller's this does nothing.
static void tarn_bind(struct tarn_instance *it) {
  (void)it;
@bind@
}

static uint32_t tarn_dim(const struct tarn_instance *it, unsigned index) {
  (void)it;
  switch (index) {
@dim_cases@
    default: return 0;
  }
}

static int tarn_run_step(const struct tarn_instance *it, uint32_t step) { return (int)@run_step@; }

// Fills the stack below this frame with `paint`, then runs the model. Nothing but the run itself may come between the
// two, and the frame must not move: calls pass their arguments in space set aside at entry.
static __attribute__((noinline, noclone)) int tarn_run(const struct tarn_instance *it, uint32_t paint,
                                                       unsigned char **frame) {
  unsigned char *const low = tarn_stack_low();
  unsigned char *const sp = tarn_stack_pointer();
  int status;
  *frame = sp;
  if (low != NULL) {
    volatile uint32_t *p;
    for (p = (volatile uint32_t *)(void *)sp; (unsigned char *)(uintptr_t)p > low;) *--p = paint;
  }
  status = (int)@run@;
  TARN_RETURNED(status);
  return status;
}

#endif
