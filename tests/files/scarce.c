/* Preloaded: the allocation of number TARN_FAIL_AT (from 1) fails; how many there were is written to TARN_COUNT. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static long seen, fail_at = -1;

static int fails(void)
{
    if (fail_at < 0) {
        const char *text = getenv("TARN_FAIL_AT");
        fail_at = text != NULL ? atol(text) : 0;
    }
    if (__atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) != fail_at) return 0;
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
    const int to = file != NULL ? open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (to < 0) return;
    if (write(to, text, (size_t)snprintf(text, sizeof text, "%ld\n", seen)) < 0) abort();
    close(to);
}
