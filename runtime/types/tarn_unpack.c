/* SPDX-License-Identifier: MIT-0 */
#include "tarn_unpack.h"

#define TARN_UNPACK_LONGEST 11u
#define TARN_UNPACK_MOST_ZEROS 15u

/* What is found by bits: a byte in bits 0 to 7, and the length of its code from bit 9 on. A length of 0: the code is longer
 * than the eight bits that were looked up, and the bits below say where the next three are. */
#define TARN_UNPACK_LENGTH(found) ((found) >> 9)

static uint32_t tarn_unpack_word(const uint8_t *at)
{
    return (uint32_t)at[0] | ((uint32_t)at[1] << 8) | ((uint32_t)at[2] << 16) | ((uint32_t)at[3] << 24);
}

/* At least 25 bits from `bit` on, the next one lowest. */
TARN_FORCE_INLINE uint32_t tarn_unpack_window(const uint8_t *from, uint32_t bit)
{
    return tarn_unpack_word(from + (bit >> 3)) >> (bit & 7u);
}

/* Tables from the counts of lengths and what codes stand for: 256 entries by eight bits, then eight for each longer code's
 * first eight bits. Returns what stands behind. */
static const uint8_t *tarn_unpack_prepare(uint16_t *fast, const uint8_t *codes)
{
    const uint8_t *symbols = codes + TARN_UNPACK_LONGEST;
    uint16_t *more = fast + 256;
    uint32_t code = 0, length, before = 256u, longer = 0; /* `code`: its first bit is the lowest */
    for (length = 1; length <= TARN_UNPACK_LONGEST; ++length) {
        uint32_t left = codes[length - 1u];
        for (; left > 0u; --left) {
            const uint32_t found = (uint32_t)*symbols | (length << 9);
            uint32_t bit = 1u << (length - 1u), i;
            ++symbols;
            if (length <= 8u) {
                for (i = code; i < 256u; i += 1u << length) {
                    fast[i] = (uint16_t)found;
                }
            } else {
                const uint32_t begin = code & 255u;
                if (begin != before) {
                    fast[begin] = (uint16_t)longer;
                    ++longer;
                    before = begin;
                }
                for (i = code >> 8; i < 8u; i += 1u << (length - 8u)) {
                    more[8u * (longer - 1u) + i] = (uint16_t)found;
                }
            }
            /* One more, its highest bit being the last. */
            while ((code & bit) != 0u) {
                code ^= bit;
                bit >>= 1;
            }
            code |= bit;
        }
    }
    return symbols;
}

/* Long codes are rare: nothing of what they need is computed before it is known that there is one. */
#if TARN_USE_ASM
#define TARN_UNPACK_RARE(found, bit) __asm__("" : "+r"(found), "+r"(bit))
#define TARN_UNPACK_LIKELY(truth) __builtin_expect((truth), 1)
#else
#define TARN_UNPACK_RARE(found, bit) ((void)0)
#define TARN_UNPACK_LIKELY(truth) (truth)
#endif

/* The next code; `window` and `bit` move behind it. */
#define TARN_UNPACK_NEXT                                                            \
    do {                                                                            \
        found = fast[window & 255u];                                                \
        length = TARN_UNPACK_LENGTH(found);                                         \
        if (TARN_UNPACK_LIKELY(length != 0u)) {                                     \
            window >>= length;                                                      \
            bit += length;                                                          \
        } else {                                                                    \
            TARN_UNPACK_RARE(found, bit);                                           \
            found = more[8u * found + ((tarn_unpack_window(from, bit) >> 8) & 7u)]; \
            bit += TARN_UNPACK_LENGTH(found);                                       \
            window = tarn_unpack_window(from, bit);                                 \
        }                                                                           \
    } while (0)

static void tarn_unpack_bytes(const uint16_t *fast, const uint8_t *from, uint8_t *to, uint32_t bytes, size_t apart)
{
    const uint16_t *more = fast + 256;
    uint32_t bit = 0, found, length, window, threes = bytes / 3u;
    bytes -= 3u * threes;
    /* Three of eight bits are in every window. */
    for (; threes > 0u; --threes) {
        window = tarn_unpack_window(from, bit);
        TARN_UNPACK_NEXT;
        to[0] = (uint8_t)found;
        TARN_UNPACK_NEXT;
        to[apart] = (uint8_t)found;
        TARN_UNPACK_NEXT;
        to[2u * apart] = (uint8_t)found;
        to += 3u * apart;
    }
    for (; bytes > 0u; --bytes) {
        window = tarn_unpack_window(from, bit);
        TARN_UNPACK_NEXT;
        *to = (uint8_t)found;
        to += apart;
    }
}

static void tarn_unpack_runs(const uint16_t *zeros, const uint8_t *from, uint8_t *to, uint32_t bytes, size_t apart)
{
    const uint16_t *fast = zeros + 256, *more = fast + 256;
    uint32_t bit = 0, found, length, window, run;
    while (bytes > 0u) {
        /* One code of each kind is in every window. */
        window = tarn_unpack_window(from, bit);
        found = zeros[window & 255u];
        length = TARN_UNPACK_LENGTH(found);
        window >>= length;
        bit += length;
        run = found & 15u;
        run = run < bytes ? run : bytes;
        bytes -= run;
        for (; run > 0u; --run) {
            *to = 0u;
            to += apart;
        }
        if ((found & 15u) < TARN_UNPACK_MOST_ZEROS && bytes > 0u) {
            TARN_UNPACK_NEXT;
            *to = (uint8_t)found;
            to += apart;
            --bytes;
        }
    }
}

TARN_API void tarn_unpack(const uint8_t *packed, const uint8_t *codes, void *to, void *work)
{
    const uint32_t sequences = packed[0], bytes = tarn_unpack_word(packed + 4);
    uint16_t *table = (uint16_t *)work;
    uint32_t s, prepared = 0xffffffffu;
    for (s = 0; s < sequences; ++s) {
        const uint8_t *head = packed + 8u + (size_t)8u * s, *from = packed + tarn_unpack_word(head + 4);
        const uint32_t form = head[0], place = (uint32_t)head[2] | ((uint32_t)head[3] << 8);
        uint8_t *at = (uint8_t *)to + s;
        uint32_t i;
        if (form >= 2u && prepared != place) {
            const uint8_t *next = tarn_unpack_prepare(form == 3u ? table + 256 : table, codes + (size_t)4u * place);
            if (form == 3u) {
                (void)tarn_unpack_prepare(table, next);
            }
            prepared = place;
        }
        if (form == 3u) {
            tarn_unpack_runs(table, from, at, bytes, sequences);
        } else if (form == 2u) {
            tarn_unpack_bytes(table, from, at, bytes, sequences);
        } else {
            for (i = 0; i < bytes; ++i) {
                *at = form == 0u ? from[i] : head[1];
                at += sequences;
            }
        }
    }
}
