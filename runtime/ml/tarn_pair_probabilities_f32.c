/* SPDX-License-Identifier: MIT-0 */
#include "tarn_pair_probabilities_f32.h"

/* The matrix to minimise p'Qp with: of pair (i, j), the share r of i and 1 - r of j. */
static void pair_probabilities_matrix_f32(int32_t classes, const tarn_f32 *x, tarn_acc_f32 *q)
{
    int32_t i, j;
    for (i = 0; i < classes; ++i) {
        q[(i * classes) + i] = (tarn_acc_f32)0;
    }
    for (i = 0; i < classes; ++i) {
        for (j = i + 1; j < classes; ++j) {
            const tarn_acc_f32 r = tarn_load_f32(*x++), rest = (tarn_acc_f32)1 - r;
            q[(i * classes) + i] += rest * rest;
            q[(j * classes) + j] += r * r;
            q[(i * classes) + j] = -rest * r;
            q[(j * classes) + i] = -rest * r;
        }
    }
}

TARN_API void tarn_pair_probabilities_f32(const tarn_pair_probabilities_f32_params *p, const tarn_f32 *x, tarn_acc_f32 *q, tarn_f32 *y)
{
    const tarn_f32 *x_at = x;
    const int32_t k = p->classes, most = (k > 100) ? k : 100;
    const tarn_acc_f32 enough = (tarn_acc_f32)0.005 / (tarn_acc_f32)k;
    tarn_acc_f32 *qp = q + ((ptrdiff_t)k * k);
    int32_t n, i, j, round;
    for (n = 0; n < p->examples; ++n) {
        pair_probabilities_matrix_f32(k, x_at, q);
        for (i = 0; i < k; ++i) {
            y[i] = tarn_store_f32((tarn_acc_f32)1 / (tarn_acc_f32)k);
        }
        for (round = 0; round < most; ++round) {
            tarn_acc_f32 all = (tarn_acc_f32)0, worst = (tarn_acc_f32)0;
            for (i = 0; i < k; ++i) {
                qp[i] = (tarn_acc_f32)0;
                for (j = 0; j < k; ++j) {
                    qp[i] += q[(i * k) + j] * tarn_load_f32(y[j]);
                }
                all += tarn_load_f32(y[i]) * qp[i];
            }
            for (i = 0; i < k; ++i) {
                const tarn_acc_f32 off = (qp[i] > all) ? (qp[i] - all) : (all - qp[i]);
                worst = (off > worst) ? off : worst;
            }
            if (worst < enough) {
                break;
            }
            for (i = 0; i < k; ++i) {
                const tarn_acc_f32 step = (all - qp[i]) / q[(i * k) + i], whole = (tarn_acc_f32)1 + step;
                y[i] = tarn_store_f32(tarn_load_f32(y[i]) + step);
                all = (all + (step * ((step * q[(i * k) + i]) + ((tarn_acc_f32)2 * qp[i])))) / whole / whole;
                for (j = 0; j < k; ++j) {
                    qp[j] = (qp[j] + (step * q[(i * k) + j])) / whole;
                    y[j] = tarn_store_f32(tarn_load_f32(y[j]) / whole);
                }
            }
        }
        x_at += k * (k - 1) / 2;
        y += k;
    }
}
