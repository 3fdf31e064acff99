// A TCG plugin for QEMU: counts the instructions executed from one address up to another, exactly and repeatably.
// Arguments: start=ADDRESS,end=ADDRESS,out=FILE[,histogram=FILE]. A window opens when `start` is reached and closes at
// `end`; every window's count becomes a line of `out`. The histogram is of the first window: address and executions.
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
void qemu_plugin_register_atexit_cb(plugin_id, exit_callback, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
// Gone from newer versions; where it exists, counting costs next to nothing.
__attribute__((weak)) void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int add, void *to,
                                                                    uint64_t amount);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = TARN_PLUGIN_VERSION;

// A block of instructions that are executed together; its address list follows.
struct block {
  struct block *next;
  uint64_t times, times_at_start;
  size_t length;
  uint64_t address[];
};
// An instruction of interest: the block it is in, and how many of the block's instructions come before it.
struct mark {
  struct block *block;
  size_t before;
};

static struct block *blocks;
static uint64_t start_address, end_address, counted_at_start;
static int window_open, histogram_done;
static const char *histogram_path;
static FILE *out;

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
  for (b = blocks; b != NULL; b = b->next) b->times_at_start = b->times;
  m->block->times_at_start -= 1;  // a function's first instruction begins its block
}

static void write_histogram(const struct mark *m) {
  FILE *f = fopen(histogram_path, "w");
  const struct block *b;
  size_t i;
  if (f == NULL) return;
  for (b = blocks; b != NULL; b = b->next) {
    for (i = 0; i < b->length; ++i) {
      const uint64_t times = b->times - b->times_at_start - (b == m->block && i >= m->before ? 1 : 0);
      if (times > 0) fprintf(f, "%" PRIx64 " %" PRIu64 "\n", b->address[i], times);
    }
  }
  fclose(f);
}

static void on_end(unsigned cpu, void *data) {
  const struct mark *m = data;
  (void)cpu;
  if (!window_open) return;
  window_open = 0;
  fprintf(out, "%" PRIu64 "\n", counted_before(m) - counted_at_start);
  if (histogram_path != NULL && !histogram_done) write_histogram(m);
  histogram_done = 1;
}

static void on_block(unsigned cpu, void *data) {
  (void)cpu;
  ((struct block *)data)->times += 1;
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
  struct block *b = calloc(1, sizeof *b + length * sizeof b->address[0]);
  size_t i;
  (void)id;
  if (b == NULL) abort();
  b->length = length;
  b->next = blocks;
  blocks = b;
  if (qemu_plugin_register_vcpu_tb_exec_inline != NULL) {
    qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &b->times, 1);
  } else {
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, 0, b);
  }
  for (i = 0; i < length; ++i) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, i);
    b->address[i] = qemu_plugin_insn_vaddr(instruction);
    if (b->address[i] == start_address) watch(instruction, b, i, on_start);
    if (b->address[i] == end_address) watch(instruction, b, i, on_end);
  }
}

static void on_exit_of_qemu(plugin_id id, void *data) {
  (void)id;
  (void)data;
  fclose(out);
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
    if (strncmp(arguments[i], "histogram=", 10) == 0) histogram_path = strdup(value);
  }
  if (out == NULL) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
  return 0;
}
