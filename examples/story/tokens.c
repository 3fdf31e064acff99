/* SPDX-License-Identifier: MIT-0 */
#include "tokens.h"

#include <string.h>

extern const uint8_t tokens_first[], tokens_end[];

enum { BYTES = 3 }; /* the first token that stands for a byte */

static const uint8_t *record(int32_t token, int32_t vocabulary, struct token *t)
{
    const uint8_t *at = tokens_first + 4;
    int32_t i;
    t->length = 0;
    for (i = 0; i <= token && i < vocabulary && at < tokens_end; ++i) {
        memcpy(&t->score, at, 4);
        memcpy(&t->length, at + 4, 4);
        t->bytes = (const char *)(at + 8);
        at += 8 + t->length;
    }
    return at;
}

static int32_t digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return (c >= 'A' && c <= 'F') ? c - 'A' + 10 : -1;
}

struct token token_text(int32_t token, int32_t vocabulary, char room[4])
{
    struct token t = {0, "", 0};
    record(token, vocabulary, &t);
    if (t.length == 6 && memcmp(t.bytes, "<0x", 3) == 0 && t.bytes[5] == '>' && digit(t.bytes[3]) >= 0 && digit(t.bytes[4]) >= 0) {
        room[0] = (char)(digit(t.bytes[3]) * 16 + digit(t.bytes[4]));
        t.bytes = room;
        t.length = 1;
    }
    return t;
}

/* The token of the bytes of `a`, then those of `b`; -1: there is none. */
static int32_t find(const char *a, int32_t a_length, const char *b, int32_t b_length, int32_t vocabulary, float *score)
{
    const uint8_t *at = tokens_first + 4;
    int32_t i;
    for (i = 0; i < vocabulary && at < tokens_end; ++i) {
        int32_t length;
        memcpy(&length, at + 4, 4);
        if (length == a_length + b_length && memcmp(at + 8, a, (size_t)a_length) == 0 &&
            memcmp(at + 8 + a_length, b, (size_t)b_length) == 0) {
            memcpy(score, at, 4);
            return i;
        }
        at += 8 + length;
    }
    return -1;
}

/* Joins the best neighbours; 0: none can be joined. */
static int32_t join_one(int32_t vocabulary, int32_t *out, int32_t count)
{
    float best = 0;
    int32_t where = -1;
    int32_t joined = -1;
    int32_t i;
    for (i = 0; i + 1 < count; ++i) {
        struct token a = {0, "", 0};
        struct token b = {0, "", 0};
        float score = 0;
        int32_t token;
        record(out[i], vocabulary, &a);
        record(out[i + 1], vocabulary, &b);
        token = find(a.bytes, a.length, b.bytes, b.length, vocabulary, &score);
        if (token >= 0 && (where < 0 || score > best)) {
            best = score;
            where = i;
            joined = token;
        }
    }
    if (where < 0) {
        return 0;
    }
    out[where] = joined;
    memmove(out + where + 1, out + where + 2, (size_t)(count - where - 2) * sizeof *out);
    return 1;
}

int32_t tokens_of(const char *text, int32_t length, int32_t vocabulary, int32_t *out)
{
    int32_t count = 0;
    int32_t at = 0;
    float score;
    if (length == 0) {
        return 0;
    }
    if (find(" ", 1, "", 0, vocabulary, &score) >= 0) {
        out[count] = find(" ", 1, "", 0, vocabulary, &score);
        ++count;
    }
    while (at < length) {
        /* A character of UTF-8, or each of its bytes where the vocabulary does not have it. */
        int32_t size = 1;
        int32_t token;
        while (at + size < length && size < 4 && ((uint8_t)text[at + size] & 0xc0u) == 0x80u) {
            ++size;
        }
        token = find(text + at, size, "", 0, vocabulary, &score);
        if (token < 0) {
            size = 1;
            token = BYTES + (uint8_t)text[at];
        }
        out[count] = token;
        ++count;
        at += size;
    }
    while (join_one(vocabulary, out, count) != 0) {
        --count;
    }
    return count;
}
