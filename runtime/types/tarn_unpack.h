/* SPDX-License-Identifier: MIT-0
 * Unpacks weights that are stored as prefix codes of bytes. Elements of several bytes are stored as one sequence for each of
 * their bytes, because the first ones are alike and the last ones are not.
 *
 * `packed`, numbers least byte first: the number of sequences; three bytes of 0; the bytes of a sequence, 32 bits; for each
 * sequence its form, a byte, 16 bits and 32 bits; what these point to; four bytes more than any sequence has.
 *   form 0  the bytes as they are, from where the 32 bits say on, counted from the beginning of `packed`
 *   form 1  all bytes are the one behind the form
 *   form 2  codes, from where the 32 bits say on; what they stand for is in `codes` where the 16 bits say, in units of four
 *           bytes
 *   form 3  codes for zeros, 0 to 15 of them, and for what follows them, in turn; after 15 zeros the next code is for zeros again
 * Codes are canonical, of 1 to 11 bits, those for zeros of at most 8; their first bit is the lowest that is not yet used of the
 * next byte. What they stand for: how many there are of each length, eleven bytes, then the byte of each code in order; the same
 * of those for zeros behind it. */
#ifndef TARN_UNPACK_H
#define TARN_UNPACK_H

#include "tarn.h"

TARN_BEGIN_C

/* `to` has sequences times bytes of a sequence. `work`: at an address that 2 divides, 512 bytes, 512 more for codes for zeros,
 * and 16 for each eight bits with which longer codes begin. */
TARN_API void tarn_unpack(const uint8_t *packed, const uint8_t *codes, void *to, void *work);

TARN_END_C
#endif
