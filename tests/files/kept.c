/* Stands for a tool, a compiler or disassembler that REAL is the path of, and runs it once for equal arguments and equal files: what it
 * wrote then is kept in the folder KEPT, and given again, byte for byte, with what it printed and its exit status. REAL and KEPT are
 * macros. For programs that run such a tool thousands of times on the same files, where the tool is not what is tested.
 *   -c            the files below firmware/ and harness/ count, which hold all that a source there can include
 *   otherwise     the files that the arguments name
 * With the macro WITHOUT, the compiler says that it does not have the library of that name, as it would where it is not installed.
 * Kept is the file behind -o, and the .ci and .su that gcc writes beside an object. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_path = 4096 };
static const char *const suffixes[] = {".o", ".ci", ".su"};

/* Two multiplicative hashes, of different factors. */
static uint64_t hashes[2] = {0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};

static void add(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    size_t i;
    for (i = 0; i < count; ++i) {
        hashes[0] = (hashes[0] ^ at[i]) * 0x100000001b3u;
        hashes[1] = (hashes[1] ^ at[i]) * 0xd6e8feb86659fd93u;
        hashes[1] ^= hashes[1] >> 32;
    }
}

static void add_text(const char *text) { add(text, strlen(text) + 1); }

static void fail(const char *what)
{
    fprintf(stderr, "kept: %s: ", what);
    perror("");
    exit(99);
}

/* 0 when it is no regular file. */
static int add_file(const char *path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0) close(file);
        return 0;
    }
    const size_t bytes = (size_t)status.st_size;
    add(&bytes, sizeof bytes);
    if (bytes > 0) {
        void *content = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (content == MAP_FAILED) fail(path);
        add(content, bytes);
        munmap(content, bytes);
    }
    close(file);
    return 1;
}

static void join(char *path, const char *folder, const char *name, const char *suffix)
{
    if (snprintf(path, most_path, "%s%s%s%s", folder, *folder ? "/" : "", name, suffix) >= most_path) fail("a path is too long");
}

static void add_folder(const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    int i;
    for (i = 0; i < count; ++i) {
        char path[most_path];
        join(path, folder, entries[i]->d_name, "");
        if (entries[i]->d_name[0] != '.') {
            add_text(path);
            if (!add_file(path)) add_folder(path);
        }
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

/* Arguments count as they are, but of the name of a file that is not below this folder only its last part: objects that an earlier run
 * left in a cache are the same in another cache. */
static const char *add_arguments(int count, char **arguments)
{
    const char *output = NULL;
    int compiles = 0, i;
    for (i = 1; i < count; ++i) compiles |= strcmp(arguments[i], "-c") == 0;
    add_text(REAL);
    for (i = 1; i < count; ++i) {
        const char *argument = arguments[i], *slash = strrchr(argument, '/');
        const int is_output = strcmp(arguments[i - 1], "-o") == 0;
        if (is_output) output = argument;
        const int is_input = !is_output && argument[0] != '-' && !compiles && add_file(argument);
        add_text(is_input && argument[0] == '/' ? slash + 1 : argument);
    }
    if (compiles) {
        add_folder("firmware");
        add_folder("harness");
    }
    return output;
}

/* -1: `from` is not there. */
static int copy(const char *from, const char *to, int out)
{
    struct stat status;
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0 || fstat(in, &status) != 0) return -1;
    if (to != NULL) {
        unlink(to);
        out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, status.st_mode & 0777);
    }
    if (out < 0) fail(to);
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(in, buffer, sizeof buffer)) > 0) {
        ssize_t done = 0, now;
        while (done < got) {
            now = write(out, buffer + done, (size_t)(got - done));
            if (now < 0) fail(to != NULL ? to : "an output");
            done += now;
        }
    }
    if (got < 0) fail(from);
    close(in);
    if (to != NULL && close(out) != 0) fail(to);
    return 0;
}

static int standard_file(const char *folder, const char *name)
{
    char path[most_path];
    join(path, folder, name, "");
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) fail(path);
    return file;
}

/* The name of what is beside the output, "objects/f0.ci". */
static int beside(char *path, const char *output, const char *suffix)
{
    const size_t length = strlen(output);
    if (length < 2 || strcmp(output + length - 2, ".o") != 0) {
        join(path, "", output, "");
        return strcmp(suffix, ".o") == 0; /* a program: nothing beside it */
    }
    if (snprintf(path, most_path, "%.*s%s", (int)(length - 2), output, suffix) >= most_path) fail("a path is too long");
    return 1;
}

/* Runs the tool and keeps what it wrote; the exit status, which is not kept when a signal ended it. */
static void run_and_keep(char **arguments, const char *output, const char *kept)
{
    static char real[] = REAL;
    char partial[] = KEPT "/partial-XXXXXX", path[most_path], place[most_path];
    int status;
    size_t i;
    if (mkdtemp(partial) == NULL) fail(partial);
    const int out = standard_file(partial, "out"), err = standard_file(partial, "err");
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(98);
        arguments[0] = real; /* gcc finds its parts from its name */
        execv(REAL, arguments);
        _exit(98);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) fail(REAL);
    if (WIFSIGNALED(status)) raise(WTERMSIG(status));
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 98) fail(REAL);
    close(out);
    close(err);
    for (i = 0; output != NULL && i < sizeof suffixes / sizeof *suffixes; ++i) {
        join(place, partial, "output", suffixes[i]);
        if (beside(path, output, suffixes[i])) copy(path, place, -1);
    }
    char text[16];
    const int length = snprintf(text, sizeof text, "%d", WEXITSTATUS(status)), file = standard_file(partial, "status");
    if (write(file, text, (size_t)length) != length || close(file) != 0) fail(partial);
    /* Another may have kept the same meanwhile. */
    if (rename(partial, kept) != 0 && access(kept, F_OK) != 0) fail(kept);
}

static int give_again(const char *output, const char *kept)
{
    char path[most_path], place[most_path], text[16] = "";
    size_t i;
    for (i = 0; output != NULL && i < sizeof suffixes / sizeof *suffixes; ++i) {
        join(place, kept, "output", suffixes[i]);
        if (beside(path, output, suffixes[i])) copy(place, path, -1);
    }
    join(path, kept, "out", "");
    if (copy(path, NULL, 1) != 0) fail(path);
    join(path, kept, "err", "");
    if (copy(path, NULL, 2) != 0) fail(path);
    join(path, kept, "status", "");
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0) fail(path);
    return atoi(text);
}

int main(int argc, char **argv)
{
#ifdef WITHOUT
    if (argc == 2 && strcmp(argv[1], "-print-file-name=" WITHOUT) == 0) return puts(WITHOUT) < 0;
#endif
    char kept[most_path], name[40];
    const char *output = add_arguments(argc, argv);
    snprintf(name, sizeof name, "%016llx%016llx", (unsigned long long)hashes[0], (unsigned long long)hashes[1]);
    join(kept, KEPT, name, "");
    if (access(kept, F_OK) != 0) run_and_keep(argv, output, kept);
    return give_again(output, kept);
}
