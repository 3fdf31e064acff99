// The numbers of weights in flash that a bench sets: tests/bench/weights (networks of TARN_SHARED_DIR).
// tests/bench/tuning/move.py --area program tells what each does.
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn::program {

// Packed weights. Instructions are those of a Cortex-M4, as measured with micro_kws_m_static_qdq.
TARN_TUNED(int64_t, kDecoderBytes, 1024);     // of code on a Cortex-M4
TARN_TUNED(int64_t, kLeastSaved, 64);         // bytes of a weight: its call and a buffer in the arena are worth as much
TARN_TUNED(double, kMostInstructions, 11.7);  // of a byte, in the mean over all that is unpacked
TARN_TUNED(double, kOfByte, 10);              // instructions of a byte that codes stand for
TARN_TUNED(double, kOfPlainByte, 5);          // of one that is stored as it is
TARN_TUNED(double, kOfTable, 700);            // of reading a table of codes
TARN_TUNED(double, kOfSymbol, 24);            // of an entry of it
TARN_TUNED(double, kLeastPart, 0.985);        // of bytes that codes are unpacked for
TARN_TUNED(size_t, kMostTables, 24);

// Constants that are spread out, and states of codes.
TARN_TUNED(int64_t, kLeastSpread, 96);  // bytes that one must save: a call of its own takes as much code as some do
TARN_TUNED(int64_t, kLeastRows, 8);     // elements of a column of a state for which a scale of its own pays
// Which of them are (plan_spread.cc): those that save most, while all together spend no more than kMostSpent.
TARN_TUNED(int64_t, kOwnCode, 96);      // bytes of code of what spreads them
TARN_TUNED(double, kMostSpent, 0.015);  // of the instructions of all steps, as estimated by the four below
TARN_TUNED(double, kOfProduct, 1.3);    // instructions of a multiply-accumulate
TARN_TUNED(double, kOfVectors, 0.4);    // the same on processors with vectors
TARN_TUNED(double, kOfElement, 4);      // instructions of an element where nothing is multiplied
TARN_TUNED(double, kOfCode, 25);        // the same where codes are computed

// Weights of several sizes of a network.
TARN_TUNED(int64_t, kMostAdded, int64_t{64} << 10);  // bytes that those of smaller sizes may add to the largest's

}  // namespace tarn::program
