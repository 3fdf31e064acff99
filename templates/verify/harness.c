// Runs a model over every data set of in.bin and writes what it computes to out.bin.
// in.bin: the number of single runs and of interleaved pairs (32 bits each), then every run's inputs, behind the size of
// the run-time dimension where there is one.
// out.bin: every run's outputs, in the same order, each followed by the run-time dimensions.
#include "tarn_firmware.h"

static uint32_t random_state = 0x9e3779b9u;

static uint32_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

// Every second fill is the complement of the one before it: a model whose outputs depend on any bit that it has not
// written gives itself away.
static void fill_with_garbage(void *to, size_t bytes, uint32_t mask) {
#ifdef TARN_NO_GARBAGE
  // For programs that are run for their numbers: filling takes as long as a small network.
  (void)to, (void)bytes, (void)mask, (void)next_random;
#else
  unsigned char *p = (unsigned char *)to;
  size_t i = 0;
  for (; i < bytes && ((uintptr_t)(p + i) & 3u) != 0; ++i) p[i] = (unsigned char)(next_random() ^ mask);
  for (; i + 4 <= bytes; i += 4) *(volatile uint32_t *)(void *)(p + i) = next_random() ^ mask;
  for (; i < bytes; ++i) p[i] = (unsigned char)(next_random() ^ mask);
#endif
}

static void set_up(struct tarn_instance *it, int instance) {
  unsigned i;
  for (i = 0; i < TARN_BANKS; ++i) {
    it->bank[i] = tarn_arena(i, tarn_banks[i].fixed, tarn_banks[i].bytes, TARN_ARENA_ALIGN, instance);
    // A bank that nothing lies in has no buffer.
    if (it->bank[i] == NULL && tarn_banks[i].fixed != NULL) it->absent = 1;
  }
  for (i = 0; i < TARN_INPUTS + TARN_OUTPUTS; ++i) {
    it->at[i] = tarn_ports[i].outside ? tarn_buffer(tarn_ports[i].bytes, tarn_ports[i].align) : NULL;
  }
}

static void check_status(int status) {
  if (status == 0) return;
  tarn_say("status", (uint32_t)status);
  tarn_exit(TARN_EXIT_STATUS);
}

static void load(struct tarn_instance *it, uint32_t fill) {
  const uint32_t mask = fill % 2 == 1 ? 0xffffffffu : 0;
  unsigned i;
  random_state = 0x9e3779b9u + fill / 2;
  for (i = 0; i < TARN_BANKS; ++i) fill_with_garbage(it->bank[i], tarn_banks[i].bytes, mask);
#if TARN_SIZED
  {
    int32_t size;
    tarn_read(&size, sizeof size);
    check_status(tarn_set_size(it, size));
  }
#endif
  tarn_bind(it);
  for (i = 0; i < TARN_INPUTS; ++i) {
    uint32_t bytes = (uint32_t)tarn_ports[i].bytes;
#if TARN_SIZED
    // At a smaller size something else may lie behind an input.
    tarn_read(&bytes, sizeof bytes);
#endif
    tarn_read(it->at[i], bytes);
  }
  for (i = TARN_INPUTS; i < TARN_INPUTS + TARN_OUTPUTS; ++i) {
    if (tarn_ports[i].outside) fill_with_garbage(it->at[i], tarn_ports[i].bytes, mask);
  }
}

static void save(struct tarn_instance *it) {
  unsigned i;
  for (i = 0; i < TARN_BANKS; ++i) {
    if (!tarn_guards_intact(i, it->bank[i], tarn_banks[i].bytes)) tarn_exit(TARN_EXIT_GUARD);
  }
  for (i = TARN_INPUTS; i < TARN_INPUTS + TARN_OUTPUTS; ++i) tarn_write(it->at[i], tarn_ports[i].bytes);
  for (i = 0; i < TARN_DIMS; ++i) {
    const uint32_t dim = tarn_dim(it, i);
    tarn_write(&dim, sizeof dim);
  }
}

// Bytes between the caller's frame and the lowest word that no longer holds the paint.
static uint32_t stack_used(const unsigned char *frame, uint32_t paint) {
  const unsigned char *const low = tarn_stack_low();
  const volatile uint32_t *p = (const volatile uint32_t *)(const void *)low;
  if (low == NULL) return 0;
  while ((const unsigned char *)(uintptr_t)p < frame && *p == paint) ++p;
  if ((const unsigned char *)(uintptr_t)p == low) tarn_exit(TARN_EXIT_STACK);
  return (uint32_t)(frame - (const unsigned char *)(uintptr_t)p);
}

int tarn_main(void) {
  static struct tarn_instance first, second;
  uint32_t counts[2], run, step, stack = 0;
  tarn_open_files();
  tarn_read(counts, sizeof counts);
  set_up(&first, 0);
  set_up(&second, 1);
  for (run = 0; run < counts[0]; ++run) {
    // The arena with guards first: what is written beside the other one may hit the harness itself.
    struct tarn_instance *it = run % 2 == 0 && !second.absent ? &second : &first;
    const uint32_t paint = 0xc5000001u + (run << 8);
    unsigned char *frame;
    uint32_t used;
    load(it, run);
    it->chunk = run % 3 == 0 ? 1 : run % 3 == 1 ? 3 : 0;
    check_status(tarn_run(it, paint, &frame));
    used = stack_used(frame, paint);
    if (used > stack) stack = used;
    if (run == 0) tarn_say("windows", tarn_windows);
    save(it);
  }
  if (counts[1] > 0 && second.absent) tarn_exit(TARN_EXIT_MEMORY);
  for (run = 0; run < counts[1]; ++run) {
    load(&first, 0);
    load(&second, 1);
#if TARN_BY_LINES
    int32_t one = 1, other = 1;
    first.chunk = 1;
    second.chunk = 2;
    tarn_start(&first);
    tarn_start(&second);
    while (one > 0 || other > 0) {
      one = tarn_move(&first);
      other = tarn_move(&second);
    }
    check_status(one + other + tarn_outcome(&first, 0) + tarn_outcome(&second, 0));
    (void)step;
#else
    for (step = 0; step < TARN_STEPS; ++step) {
      check_status(tarn_run_step(&first, step));
      check_status(tarn_run_step(&second, step));
    }
#endif
    save(&first);
    save(&second);
  }
  tarn_close_files();
  tarn_say("stack", stack);
  return 0;
}
