/* SPDX-License-Identifier: MIT-0
 * The vocabulary: tok.bin as tokens.S includes it, little-endian: int32 longest token; for each token float32 score, int32 length,
 * bytes. A token <0x0A> stands for that byte; the 256 of them follow the first three tokens. */
#ifndef TOKENS_H
#define TOKENS_H

#include <stdint.h>

struct token {
    float score;
    const char *bytes;
    int32_t length;
};

/* A token's text; `room` takes the byte of one that stands for a byte. Length 0: there is no such token. */
struct token token_text(int32_t token, int32_t vocabulary, char room[4]);

/* The tokens of a text: a space before it, its characters, then again and again the two neighbours whose joined token scores
 * highest become that one. `out` holds length + 1 of them; how many there are is returned. */
int32_t tokens_of(const char *text, int32_t length, int32_t vocabulary, int32_t *out);

#endif
