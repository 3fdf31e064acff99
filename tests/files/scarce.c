/* Preloaded: allocations fail.
     TARN_FAIL_AT=N                 the one of number N (from 1)
     TARN_FAIL_EACH=FILE            each one once, from number TARN_FAIL_FROM on, as long as nothing was written: a child goes on from
                                    there without its memory, the process itself with it. A line of FILE per child that did not end
                                    as it should: "NUMBER STATUS", where STATUS is what wait() says; the last line is "end NUMBER",
                                    the first allocation that was not tried.
     TARN_UNTOUCHED=FOLDER:FOLDER   which children have to leave as they are
     TARN_COUNT=FILE                how many there were */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum { unknown = -1, never, at_number, each };
static int mode = unknown;
static long seen, number;
static int log_to = -1;
static struct timespec untouched[8];
/* In a child: a loop without end is ended by the alarm, which the log shows. */
static const unsigned most_seconds = 60;

static void note(const char *form, long a, int b)
{
    char text[64];
    if (write(log_to, text, (size_t)snprintf(text, sizeof text, form, a, b)) < 0) abort();
}

/* Are the folders as they were? They are remembered when `remember` is not 0. */
static int is_untouched(int remember)
{
    const char *at = getenv("TARN_UNTOUCHED");
    for (int i = 0; at != NULL && *at != '\0' && i < 8; ++i) {
        char folder[4096];
        struct stat status;
        const size_t length = strcspn(at, ":");
        if (length >= sizeof folder) abort();
        memcpy(folder, at, length);
        folder[length] = '\0';
        if (stat(folder, &status) != 0) memset(&status, 0, sizeof status);
        if (remember)
            untouched[i] = status.st_mtim;
        else if (memcmp(&untouched[i], &status.st_mtim, sizeof status.st_mtim) != 0)
            return 0;
        at += length + (at[length] == ':');
    }
    return 1;
}

static void set_up(void)
{
    const char *at = getenv("TARN_FAIL_AT"), *file = getenv("TARN_FAIL_EACH"), *from = getenv("TARN_FAIL_FROM");
    mode = at != NULL ? at_number : file != NULL ? each : never;
    number = at != NULL ? atol(at) : from != NULL ? atol(from) : 1;
    if (mode == each) {
        log_to = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (log_to < 0) abort();
        is_untouched(1);
    }
}

/* 1 in the child that goes on without the memory. */
static int fork_without(long this_one)
{
    int status = 0;
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        close(nowhere);
        mode = never;
        alarm(most_seconds);
        return 1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    const int left_alone = is_untouched(0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 0 || WEXITSTATUS(status) > 7 || !left_alone) note("%ld %d\n", this_one, status);
    if (!left_alone) {
        /* What this process would read is no longer what it was: another begins behind this one. */
        note("end %ld\n", this_one + 1, 0);
        _exit(0);
    }
    return 0;
}

static int fails(void)
{
    if (mode == unknown) set_up();
    const long this_one = __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
    if (mode == never || this_one < number || (mode == at_number && this_one > number)) return 0;
    if (mode == each) {
        if (!is_untouched(0)) {
            note("end %ld\n", this_one, 0);
            _exit(0);
        }
        const int before = errno;
        if (!fork_without(this_one)) {
            errno = before;
            return 0;
        }
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return fails() ? NULL : __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { return fails() ? NULL : __libc_realloc(old, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }
void *memalign(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }
int posix_memalign(void **to, size_t alignment, size_t bytes)
{
    void *made = fails() ? NULL : __libc_memalign(alignment, bytes);
    if (made == NULL) return ENOMEM;
    *to = made;
    return 0;
}

/* Programs that are started have enough. */
__attribute__((constructor)) static void only_here(void) { unsetenv("LD_PRELOAD"); }

__attribute__((destructor)) static void tell(void)
{
    const char *file = getenv("TARN_COUNT");
    char text[32];
    if (mode == each) note("end %ld\n", seen + 1, 0);
    const int to = file != NULL ? open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (to < 0) return;
    if (write(to, text, (size_t)snprintf(text, sizeof text, "%ld\n", seen)) < 0) abort();
    close(to);
}
