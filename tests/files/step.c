/* Runs a program and meddles with its system calls, for x86-64 and AArch64 Linux:
 *   step COUNTS CALLS count            how many there are, into the file COUNTS
 *   step COUNTS CALLS kill N           SIGKILL when the N-th (from 1) has been done
 *   step COUNTS CALLS fail N ERRNO     the N-th is not done and fails; a close is done all the same, as Linux does it
 * each followed by the program and its arguments. CALLS: `all`; `files`: those that change files or end such a change; `syncs`: those
 * that wait for the disk. Threads are followed, other processes are not, but it ends when all of them have: what they were doing when
 * the program was killed does not go on behind it. Exit status: that of the program, 128 + a signal's number. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
typedef struct user_regs_struct registers;
static long call_of(const registers *r) { return (long)r->orig_rax; }
static unsigned long third_argument(const registers *r) { return r->rdx; }
#elif defined(__aarch64__)
typedef struct user_regs_struct registers;
static long call_of(const registers *r) { return (long)r->regs[8]; }
static unsigned long third_argument(const registers *r) { return r->regs[2]; }
#else
#error "write these for this machine"
#endif

static void read_registers(pid_t thread, registers *r)
{
    struct iovec place = {r, sizeof *r};
    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &place) != 0) memset(r, 0, sizeof *r);
}

static void write_registers(pid_t thread, registers *r)
{
    struct iovec place = {r, sizeof *r};
    ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &place);
}

static void leave_out(pid_t thread, registers *r)
{
#if defined(__x86_64__)
    r->orig_rax = (unsigned long long)-1;
    write_registers(thread, r);
#else
    int none = -1;
    struct iovec place = {&none, sizeof none};
    (void)r;
    ptrace(PTRACE_SETREGSET, thread, (void *)NT_ARM_SYSTEM_CALL, &place);
#endif
}

static void set_result(pid_t thread, long value)
{
    registers r;
    read_registers(thread, &r);
#if defined(__x86_64__)
    r.rax = (unsigned long long)value;
#else
    r.regs[0] = (unsigned long long)value;
#endif
    write_registers(thread, &r);
}

static int changes_files(long call, const registers *r)
{
    switch (call) {
    case SYS_write: case SYS_writev: case SYS_pwrite64: case SYS_close: case SYS_fsync: case SYS_fdatasync: case SYS_fallocate:
    case SYS_ftruncate: case SYS_flock: case SYS_renameat: case SYS_renameat2: case SYS_linkat: case SYS_unlinkat: case SYS_mkdirat:
#if defined(__x86_64__)
    case SYS_rename: case SYS_link: case SYS_unlink: case SYS_mkdir: case SYS_rmdir:
#endif
        return 1;
    case SYS_openat:
        return (third_argument(r) & (O_WRONLY | O_RDWR | O_CREAT | O_DIRECTORY)) != 0;
#if defined(__x86_64__)
    case SYS_open:
        return (r->rsi & (O_WRONLY | O_RDWR | O_CREAT | O_DIRECTORY)) != 0;
#endif
    default:
        return 0;
    }
}

static int counts_as(const char *calls, const registers *r)
{
    const long call = call_of(r);
    if (strcmp(calls, "syncs") == 0) return call == SYS_fsync || call == SYS_fdatasync;
    return strcmp(calls, "all") == 0 || changes_files(call, r);
}

#define MOST_THREADS 512
static struct { pid_t thread; int inside, chosen; } threads[MOST_THREADS];

static int slot_of(pid_t thread)
{
    int i, unused = -1;
    for (i = 0; i < MOST_THREADS; ++i) {
        if (threads[i].thread == thread) return i;
        if (threads[i].thread == 0 && unused < 0) unused = i;
    }
    if (unused < 0) abort();
    threads[unused].thread = thread;
    threads[unused].inside = threads[unused].chosen = 0;
    return unused;
}

int main(int argc, char **argv)
{
    long seen = 0, at = 0, error = 0;
    int rest = 4, status = 0, result = 1;
    if (argc < 5) return 2;
    if (strcmp(argv[3], "count") != 0) at = atol(argv[rest++]);
    if (strcmp(argv[3], "fail") == 0) error = atol(argv[rest++]);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* waits for those whose parent was killed too */
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(argv[rest], argv + rest);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 2;
    ptrace(PTRACE_SETOPTIONS, child, 0,
           (void *)(uintptr_t)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
    ptrace(PTRACE_SYSCALL, child, 0, 0);
    int started = 0, done = 0;
    for (;;) {
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) break;
        if (!WIFSTOPPED(status)) {
            threads[slot_of(thread)].thread = 0;
            if (thread == child) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80)) {
            const int slot = slot_of(thread);
            registers r;
            signal = 0;
            threads[slot].inside = !threads[slot].inside;
            if (threads[slot].inside) {
                read_registers(thread, &r);
                if (started && counts_as(argv[2], &r)) {
                    ++seen;
                    threads[slot].chosen = seen == at;
                    if (threads[slot].chosen && error != 0 && call_of(&r) != SYS_close) leave_out(thread, &r);
                }
            } else {
                if (threads[slot].chosen && error != 0) {
                    set_result(thread, -error);
                    done = 1;
                }
                if (threads[slot].chosen && error == 0) kill(child, SIGKILL);
                threads[slot].chosen = 0;
            }
        } else if (status >> 16 != 0) {
            if (status >> 16 == PTRACE_EVENT_EXEC) started = 1;
            signal = 0;
        } else if (signal == SIGSTOP) {
            signal = 0; /* a new thread */
        }
        /* Behind the fault nothing is asked of system calls; of the others that run now, each stops once more at most. */
        ptrace(done ? PTRACE_CONT : PTRACE_SYSCALL, thread, 0, (void *)(uintptr_t)signal);
    }
    FILE *counts = fopen(argv[1], "w");
    if (counts != NULL) {
        fprintf(counts, "%ld\n", seen);
        fclose(counts);
    }
    return result;
}
