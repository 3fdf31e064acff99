/* A QEMU plugin that counts executed instructions between executions of the function at mark=ADDRESS, and prints each
 * difference. Counts are exact and repeatable: they do not depend on the machine or its load. Debian ships no
 * qemu-plugin.h; these are the declarations of API version 1 that it needs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int, void*);
struct qemu_plugin_tb;
struct qemu_plugin_insn;
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn*, int, void*, uint64_t);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, qemu_plugin_vcpu_udata_cb_t, int, void*);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(qemu_plugin_id_t, const void*, int, char**);
int qemu_plugin_version = 1;

static uint64_t mark;
static uint64_t count;
static uint64_t count_before;

static void on_mark(unsigned int cpu, void* data) {
  (void)cpu;
  (void)data;
  fprintf(stderr, "marked %" PRIu64 "\n", count - count_before);
  count_before = count;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  const size_t n = qemu_plugin_tb_n_insns(block);
  size_t i;
  (void)id;
  for (i = 0; i < n; ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, 0 /* add */, &count, 1);
    if (qemu_plugin_insn_vaddr(instruction) == mark) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_mark, 0 /* no registers */, NULL);
    }
  }
}

int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
  int i;
  (void)info;
  for (i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "mark=", 5) == 0) {
      mark = strtoull(argv[i] + 5, NULL, 0) & ~(uint64_t)1;
    }
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  return 0;
}
