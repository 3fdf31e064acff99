/* A QEMU plugin that counts executed instructions. Counts are exact and repeatable: they do not depend on the machine or its
 * load. Debian ships no qemu-plugin.h; these are the declarations of API version 1 that it needs.
 *   mark=ADDRESS   prints how many there were between executions of the function there
 *   limit=COUNT    ends QEMU with status 98 soon after so many: what is caught in a loop
 *   ran=FILE       writes the address of every block that ran */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static uint64_t limit;
static uint64_t count;
static uint64_t count_before;
static FILE* ran;

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
  if (ran != NULL && n > 0) {
    fprintf(ran, "%" PRIx64 "\n", qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0)));
    fflush(ran);
  }
  for (i = 0; i < n; ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, 0 /* add */, &count, 1);
    if (qemu_plugin_insn_vaddr(instruction) == mark) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_mark, 0 /* no registers */, NULL);
    }
  }
}

/* A call at every block would cost more than the counting. */
static void* watch(void* data) {
  for (;;) {
    usleep(20000);
    if (*(volatile uint64_t*)&count > limit) {
      fprintf(stderr, "more than %" PRIu64 " instructions\n", limit);
      fflush(stderr);
      _exit(98);
    }
  }
  return data;
}

int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
  pthread_t thread;
  int i;
  (void)info;
  for (i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "mark=", 5) == 0) {
      mark = strtoull(argv[i] + 5, NULL, 0) & ~(uint64_t)1;
    } else if (strncmp(argv[i], "limit=", 6) == 0) {
      limit = strtoull(argv[i] + 6, NULL, 0);
    } else if (strncmp(argv[i], "ran=", 4) == 0) {
      ran = fopen(argv[i] + 4, "w");
    }
  }
  if (limit != 0 && pthread_create(&thread, NULL, watch, NULL) != 0) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  return 0;
}
