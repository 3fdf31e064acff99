// The model under test, as the harness sees it. The holes are filled by the generator.
#ifndef TARN_FIRMWARE_H
#define TARN_FIRMWARE_H

#define TARN_INPUTS @inputs@
#define TARN_OUTPUTS @outputs@
#define TARN_PORTS @ports@  // inputs and outputs, at least 1
#define TARN_DIMS @dims@    // run-time dimensions that the model tells
#define TARN_CALLER_IO @caller_io@
#define TARN_SIZED @sized@          // each run's size is set first
#define TARN_BY_LINES @by_lines@    // inputs and outputs move line by line, in place of one run

#include "@header@"
#include "tarn_harness.h"
@image@
#define TARN_BANKS @banks@  // arenas
#define TARN_ARENA_ALIGN ((size_t)(@NAME@_ARENA_ALIGN))
#define TARN_STEPS ((uint32_t)(@NAME@_STEPS))
#define TARN_INCOMPLETE (-1001)  // the network stopped before all lines had moved

// The arena, or several, and where each input and then each output lies.
struct tarn_instance {
  void *bank[TARN_BANKS];
@arenas@  int absent;  // there is no room for it
  void *at[TARN_PORTS];
  int32_t moved[TARN_PORTS];  // lines
  int32_t chunk;              // lines moved in one call; 0: all
};

struct tarn_port {
  size_t bytes, align;
  int32_t outside;            // in memory of the harness, not in the arena
  int32_t lines;              // moved so; 0: as a whole
  int32_t passes;             // how often all of them are
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

// Of run-time dimensions.
static inline int tarn_set_size(const struct tarn_instance *it, int32_t n) {
  int status = 0;
  (void)it;
  (void)n;
@set_size@  return status;
}

// Lines of a port in this run; where that is open, tarn_ports has the most.
static inline int32_t tarn_lines(const struct tarn_instance *it, unsigned port) {
  (void)it;
  switch (port) {
@line_cases@    default: return tarn_ports[port].lines;
  }
}

static inline int32_t tarn_lines_left(const struct tarn_instance *it, unsigned port) {
  const int32_t lines = tarn_lines(it, port), moved = it->moved[port];
  // A pass is the end of what stands together.
  const int32_t left = lines == 0 || moved == lines * tarn_ports[port].passes ? 0 : lines - moved % lines;
  return it->chunk > 0 && it->chunk < left ? it->chunk : left;
}

static inline void *tarn_next_line(const struct tarn_instance *it, unsigned port) {
  const size_t line = tarn_ports[port].bytes / (size_t)tarn_ports[port].lines;
  return (unsigned char *)it->at[port] + line * (size_t)(it->moved[port] % tarn_lines(it, port));
}

static inline void tarn_start(struct tarn_instance *it) {
  unsigned i;
  for (i = 0; i < TARN_PORTS; ++i) it->moved[i] = 0;
  @start@;
}

// By lines the instructions of calls that move lines are counted, each in a window of its own, and no others of the
// harness, which asks every port in turn.
static uint32_t tarn_windows;
static __attribute__((noinline, used)) void tarn_count_from(void) { __asm__ volatile("" ::: "memory"); }
static __attribute__((noinline, used)) void tarn_count_to(void) { __asm__ volatile("" ::: "memory"); }
static inline void tarn_counted(int32_t moved) {
  if (moved <= 0) return;
  tarn_count_to();
  ++tarn_windows;
}

// Pushes and pulls once at every port; returns how many lines moved, or a negative status.
static inline __attribute__((always_inline)) int32_t tarn_move(struct tarn_instance *it) {
  int32_t total = 0, n = 0;
  (void)it;
  (void)n;
@moves@
  return total;
}

// The status once nothing moves any more. A call of its own: with several ways out the compiler might copy the label that
// follows the run.
static inline __attribute__((noinline)) int32_t tarn_outcome(const struct tarn_instance *it, int32_t moved) {
  unsigned i;
  if (moved < 0) return moved;
  for (i = 0; i < TARN_PORTS; ++i) {
    if (it->moved[i] != tarn_lines(it, i) * tarn_ports[i].passes) return TARN_INCOMPLETE;
  }
  return 0;
}

static inline __attribute__((always_inline)) int32_t tarn_move_all(struct tarn_instance *it) {
  int32_t moved;
  tarn_start(it);
  do moved = tarn_move(it);
  while (moved > 0);
  return tarn_outcome(it, moved);
}

static inline int tarn_run_step(const struct tarn_instance *it, uint32_t step) {
  (void)it;
  return (int)@run_step@;
}

// Fills the stack below this frame with `paint`, then runs the model. Nothing but the run itself may come between the
// two, and the frame must not move: calls pass their arguments in space set aside at entry.
static __attribute__((noinline, noclone)) int tarn_run(struct tarn_instance *it, uint32_t paint,
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
