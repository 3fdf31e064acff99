/* SPDX-License-Identifier: MIT-0
 * The ways in which an update joins the element that is there. */
#ifndef TARN_JOIN_H
#define TARN_JOIN_H

#define TARN_JOIN_ADD 1
#define TARN_JOIN_MUL 2
#define TARN_JOIN_MIN 3
#define TARN_JOIN_MAX 4

#endif
