// A TCG plugin for QEMU: counts the instructions executed from one address up to another, exactly and repeatably.
// Arguments: start=ADDRESS,end=ADDRESS,out=FILE[,profile=FILE[,constants=LOW:HIGH]]. A window opens when `start` is
// reached and closes at `end`; every window's count becomes a line of `out`. In `profile`, for every window: "window
// READS BYTES" with the loads from LOW up to HIGH; "block ADDRESS LENGTH TIMES" for instructions that ran together;
// "edge LAST TO TIMES" from the last instruction of a block to the first of the one that ran next.
// QEMU's header is not installed everywhere: the few functions used are declared here, after its documentation.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
typedef void (*translate_callback)(plugin_id, struct qemu_plugin_tb *);
typedef void (*execute_callback)(unsigned cpu, void *data);
typedef void (*exit_callback)(plugin_id, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, translate_callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, execute_callback, int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, execute_callback, int flags, void *data);
typedef void (*memory_callback)(unsigned cpu, uint32_t info, uint64_t address, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, memory_callback, int flags, int access, void *data);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
void qemu_plugin_register_atexit_cb(plugin_id, exit_callback, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
// Gone from newer versions; where it exists, counting costs next to nothing.
__attribute__((weak)) void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int add, void *to,
                                                                    uint64_t amount);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = TARN_PLUGIN_VERSION;

// Where a block went on to.
struct edge {
  struct edge *next;
  struct block *to;
  uint64_t times;
};
// A block of instructions that are executed together.
struct block {
  struct block *next;
  uint64_t times, times_at_start;
  size_t length;
  uint64_t first, last;  // addresses of instructions
  struct edge *edges;
};
// An instruction of interest: the block it is in, and how many of the block's instructions come before it.
struct mark {
  struct block *block;
  size_t before;
};

static struct block *blocks;
static uint64_t start_address, end_address, counted_at_start;
static uint64_t constants_low, constants_high, reads, read_bytes;
static int window_open;
static struct block *previous;  // the block that ran last
static FILE *out, *profile;

// The block that holds the mark has been counted as a whole already.
static uint64_t counted_before(const struct mark *m) {
  uint64_t total = 0;
  const struct block *b;
  for (b = blocks; b != NULL; b = b->next) total += b->times * b->length;
  return total - (m->block->length - m->before);
}

static void on_start(unsigned cpu, void *data) {
  const struct mark *m = data;
  struct block *b;
  (void)cpu;
  counted_at_start = counted_before(m);
  window_open = 1;
  for (b = blocks; b != NULL; b = b->next) {
    struct edge *e;
    b->times_at_start = b->times;
    for (e = b->edges; e != NULL; e = e->next) e->times = 0;
  }
  m->block->times_at_start -= 1;  // a function's first instruction begins its block
  reads = read_bytes = 0;
}

static void write_profile(const struct mark *m) {
  const struct block *b;
  const struct edge *e;
  fprintf(profile, "window %" PRIu64 " %" PRIu64 "\n", reads, read_bytes);
  for (b = blocks; b != NULL; b = b->next) {
    const uint64_t times = b->times - b->times_at_start - (b == m->block ? 1 : 0);
    if (times > 0) fprintf(profile, "block %" PRIx64 " %zu %" PRIu64 "\n", b->first, b->length, times);
    for (e = b->edges; e != NULL; e = e->next) {
      if (e->times > 0) fprintf(profile, "edge %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", b->last, e->to->first, e->times);
    }
  }
  if (m->before > 0) fprintf(profile, "block %" PRIx64 " %zu 1\n", m->block->first, m->before);
}

static void on_end(unsigned cpu, void *data) {
  const struct mark *m = data;
  (void)cpu;
  if (!window_open) return;
  window_open = 0;
  fprintf(out, "%" PRIu64 "\n", counted_before(m) - counted_at_start);
  if (profile != NULL) write_profile(m);
}

static void on_block(unsigned cpu, void *data) {
  (void)cpu;
  ((struct block *)data)->times += 1;
}

// Most blocks go on to one or two others, which are found at once.
static void on_block_and_edge(unsigned cpu, void *data) {
  struct block *b = data;
  (void)cpu;
  b->times += 1;
  if (previous != NULL) {
    struct edge *e = previous->edges;
    while (e != NULL && e->to != b) e = e->next;
    if (e == NULL) {
      e = calloc(1, sizeof *e);
      if (e == NULL) abort();
      e->to = b;
      e->next = previous->edges;
      previous->edges = e;
    }
    e->times += 1;
  }
  previous = b;
}

static void on_load(unsigned cpu, uint32_t info, uint64_t address, void *data) {
  (void)cpu;
  (void)data;
  if (address < constants_low || address >= constants_high) return;
  reads += 1;
  read_bytes += UINT64_C(1) << qemu_plugin_mem_size_shift(info);
}

static void watch(struct qemu_plugin_insn *instruction, struct block *block, size_t before, execute_callback callback) {
  struct mark *m = malloc(sizeof *m);
  if (m == NULL) abort();
  m->block = block;
  m->before = before;
  qemu_plugin_register_vcpu_insn_exec_cb(instruction, callback, 0, m);
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *tb) {
  const size_t length = qemu_plugin_tb_n_insns(tb);
  struct block *b = calloc(1, sizeof *b);
  size_t i;
  (void)id;
  if (b == NULL) abort();
  b->length = length;
  b->next = blocks;
  blocks = b;
  if (profile != NULL) {
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block_and_edge, 0, b);
  } else if (qemu_plugin_register_vcpu_tb_exec_inline != NULL) {
    qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &b->times, 1);
  } else {
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, 0, b);
  }
  for (i = 0; i < length; ++i) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, i);
    const uint64_t address = qemu_plugin_insn_vaddr(instruction);
    if (i == 0) b->first = address;
    b->last = address;
    if (address == start_address) watch(instruction, b, i, on_start);
    if (address == end_address) watch(instruction, b, i, on_end);
    if (constants_high > 0) qemu_plugin_register_vcpu_mem_cb(instruction, on_load, 0, 3 /* any: nobody stores there */, NULL);
  }
}

static void on_exit_of_qemu(plugin_id id, void *data) {
  (void)id;
  (void)data;
  fclose(out);
  if (profile != NULL) fclose(profile);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments) {
  int i;
  (void)info;
  for (i = 0; i < count; ++i) {
    const char *value = strchr(arguments[i], '=');
    if (value == NULL) return -1;
    value += 1;
    if (strncmp(arguments[i], "start=", 6) == 0) start_address = strtoull(value, NULL, 0);
    if (strncmp(arguments[i], "end=", 4) == 0) end_address = strtoull(value, NULL, 0);
    if (strncmp(arguments[i], "out=", 4) == 0) out = fopen(value, "w");
    if (strncmp(arguments[i], "profile=", 8) == 0) profile = fopen(value, "w");
    if (strncmp(arguments[i], "constants=", 10) == 0) {
      char *colon;
      constants_low = strtoull(value, &colon, 0);
      constants_high = *colon == ':' ? strtoull(colon + 1, NULL, 0) : 0;
    }
  }
  if (out == NULL) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
  return 0;
}
