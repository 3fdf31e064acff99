// The harness on the host: plain files, a second arena between pages that may not be touched, and a stack of its own
// for the run, so that the whole of it can be painted.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tarn_harness.h"

#define STACK_BYTES ((size_t)1 << 20)
#define GUARD_BYTE 0xa5

static FILE *in_file, *out_file;
static unsigned char *stack_low;
static unsigned char *second_arena[TARN_MOST_BANKS], *second_mapping[TARN_MOST_BANKS];

void tarn_exit(int code) {
  fflush(NULL);
  _exit(code);
}

void tarn_say(const char *key, uint32_t value) { fprintf(stderr, "tarn: %s %lu\n", key, (unsigned long)value); }

void tarn_open_files(void) {
  in_file = fopen("in.bin", "rb");
  out_file = fopen("out.bin", "wb");
  if (in_file == NULL) tarn_exit(TARN_EXIT_INPUT);
  if (out_file == NULL) tarn_exit(TARN_EXIT_OUTPUT);
}

void tarn_read(void *to, size_t bytes) {
  if (bytes > 0 && fread(to, 1, bytes, in_file) != bytes) tarn_exit(TARN_EXIT_INPUT);
}

void tarn_write(const void *from, size_t bytes) {
  if (bytes > 0 && fwrite(from, 1, bytes, out_file) != bytes) tarn_exit(TARN_EXIT_OUTPUT);
}

void tarn_close_files(void) {
  if (fclose(out_file) != 0) tarn_exit(TARN_EXIT_OUTPUT);
}

// `bytes` that end as close to a forbidden page as `align` allows; `*start` is where the usable pages begin.
static unsigned char *map_before_guard(size_t bytes, size_t align, unsigned char **start) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t usable = (bytes + align + page - 1) / page * page;
  unsigned char *base = mmap(NULL, usable + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base + page, usable, PROT_READ | PROT_WRITE) != 0) tarn_exit(TARN_EXIT_MEMORY);
  *start = base + page;
  return (unsigned char *)(((uintptr_t)base + page + usable - bytes) & ~(uintptr_t)(align - 1));
}

void *tarn_arena(unsigned bank, void *fixed, size_t bytes, size_t align, int instance) {
  unsigned char *p;
  size_t i;
  if (instance == 0 && fixed != NULL) return fixed;
  p = map_before_guard(bytes, align, &second_mapping[bank]);
  for (i = 0; second_mapping[bank] + i < p; ++i) second_mapping[bank][i] = GUARD_BYTE;
  second_arena[bank] = p;
  return p;
}

void *tarn_buffer(size_t bytes, size_t align) {
  unsigned char *start;
  return map_before_guard(bytes, align, &start);
}

int tarn_guards_intact(unsigned bank, const void *arena, size_t bytes) {
  const unsigned char *p;
  (void)bytes;  // what lies behind faults by itself
  if (arena != second_arena[bank]) return 1;
  for (p = second_mapping[bank]; p < second_arena[bank]; ++p) {
    if (*p != GUARD_BYTE) return 0;
  }
  return 1;
}

unsigned char *tarn_stack_low(void) { return stack_low; }

#ifndef TARN_NO_PAINT
static void *on_own_stack(void *unused) {
  (void)unused;
  return (void *)(intptr_t)tarn_main();
}

int main(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *base =
      mmap(NULL, STACK_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pthread_attr_t attributes;
  pthread_t thread;
  void *result = NULL;
  if (base == MAP_FAILED || mprotect(base, page, PROT_NONE) != 0) tarn_exit(TARN_EXIT_MEMORY);
  stack_low = base + page;
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack_low, STACK_BYTES) != 0 ||
      pthread_create(&thread, &attributes, on_own_stack, NULL) != 0 || pthread_join(thread, &result) != 0) {
    tarn_exit(TARN_EXIT_MEMORY);
  }
  tarn_exit((int)(intptr_t)result);
}
#else
int main(void) { tarn_exit(tarn_main()); }
#endif
