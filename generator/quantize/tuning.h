// The numbers of quantisation that a bench sets: tests/bench/quantise/quantise.py (float networks of TARN_SHARED_DIR
// beside onnxruntime's calibration; noise and time) and, for assignments of bits, tests/bench/quantise/front.py.
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn::quantize {

// What is seen of tensors.
TARN_TUNED(size_t, kMostValues, 1 << 14);   // numbers of a tensor that are kept; up to twice as many for a while
TARN_TUNED(size_t, kRunsAtLeast, 8);        // so many runs together fill what is kept
TARN_TUNED(size_t, kParts, 4);              // of the samples: what comes from some is tried on the others
TARN_TUNED(size_t, kMostOfAPart, 1 << 11);  // numbers of a tensor that are kept of each
TARN_TUNED(size_t, kBins, 2048);            // of a histogram, for the entropy
TARN_TUNED(float, kFar, 10);                // below the largest of a masked row: exp(-10) of what that gets
TARN_TUNED(float, kMasked, -1e4F);          // a row whose largest number is less is left out as a whole
TARN_TUNED(double, kMostMask, 1e5);         // numbers of a mask are no farther from 0

// Choice of ranges. Work is in multiply-accumulates of all runs, and what codes cost in the same measure.
TARN_TUNED(double, kNarrow, 99.8);          // percent of the numbers, a candidate beside that of --percentile
TARN_TUNED(double, kMostUniformWork, 6e9);  // of the methods that all tensors have alike
TARN_TUNED(double, kMostWork, 3e9);         // of a round in which tensors have another range each
TARN_TUNED(double, kMostCompareWork, 3e9);  // of what decides a round
TARN_TUNED(double, kWorkOfACode, 8);        // a number that is made a code and back
TARN_TUNED(size_t, kFewestTrials, 4);       // samples of a trial
TARN_TUNED(size_t, kMostTrials, 16);        // samples of a trial
TARN_TUNED(size_t, kMostCompared, 32);      // samples on which what came out is compared
TARN_TUNED(double, kLess, 0.995);           // share of the noise that another range must come down to
TARN_TUNED(double, kMuchLess, 0.95);        // the same, in a second way to choose
TARN_TUNED(int, kRounds, 2);

// Channels that are made alike.
TARN_TUNED(double, kLeastFactor, 0x1p-6);
TARN_TUNED(double, kRounded,
           0.4);  // what rounding weights by their sums leaves of the noise that they would have each alone

// Weights.
TARN_TUNED(int64_t, kLongestRow, 1600);                 // numbers of a row; beyond it only means are kept
TARN_TUNED(int64_t, kMostMoments, int64_t{256} << 20);  // bytes of the moments that are held at a time
TARN_TUNED(int64_t, kFewestWindows, 512);               // of a layer, from all samples
TARN_TUNED(int64_t, kMostWindows, 3000);                // the same
TARN_TUNED(int64_t, kWindowsOfANumber, 3);              // for each number of a row, between these
TARN_TUNED(int, kPasses, 12);                           // over a row that is rounded
TARN_TUNED(double, kFarthest, 1);                       // steps from the weight itself
TARN_TUNED_LIST(double, 7, kTrusts, 0, 0.25, 0.5, 0.75, 0.9, 0.97, 1);  // shares of what was seen that are tried
TARN_TUNED(size_t, kMostTried, 24);          // rows of a layer that tell how much the samples are to be trusted
TARN_TUNED(float, kLeastShare, 0.5F);        // of the largest weight that codes of few bits still reach
TARN_TUNED(float, kShareStep, 0.025F);       // between shares that are tried
TARN_TUNED(double, kSharedRowsNoise, 1.25);  // of a recurrent layer's rows with one scale, beside one of each

// Networks that are small enough for several ways to be tried: each is compiled and run.
TARN_TUNED(int64_t, kMostMacs, 50'000'000);         // multiply-accumulates of a run
TARN_TUNED(int64_t, kMostWeights, 1'000'000);       // numbers
TARN_TUNED(size_t, kFewJudged, 16);                 // samples that decide, where there are so many
TARN_TUNED(size_t, kMostJudged, 64);                // the same
TARN_TUNED(int64_t, kMostJudgedMacs, 500'000'000);  // of one way on all of them, beyond the few

// Biases of the last layers.
TARN_TUNED(size_t, kMostCorrecting, 32);                  // samples
TARN_TUNED(int64_t, kMostCorrectingMacs, 2'000'000'000);  // of all of their runs

// Which tensors become codes.
TARN_TUNED(int64_t, kMostBehind, 4096);  // elements of a tensor that is moved in floats behind the last layer
TARN_TUNED(int, kDeepest, 6);            // operands that one table may join

// Assignments of bits.
TARN_TUNED(size_t, kMostMade, 10);     // assignments along the way that are made and measured
TARN_TUNED(size_t, kMostPlanned, 16);  // of each way, for a front
TARN_TUNED(size_t, kMostSteps, 12);    // of the way, for each form: networks of many layers take several at a time
TARN_TUNED(double, kLittle, 0x1p-6);   // weight of bytes that are not short
TARN_TUNED(size_t, kMostJudging, 32);  // samples that judge a layer

// What it cost.
TARN_TUNED(size_t, kMostMeasured, 32);  // samples on which the result is compared
TARN_TUNED(float, kLowestScore, -8);    // below the largest of a Softmax: e^-8, a share of a three thousandth
TARN_TUNED(size_t, kHandedOver, 4);     // samples that the caller gets to verify with
TARN_TUNED(size_t, kBars, 48);          // of a histogram that is told

// Memory of running a network.
TARN_TUNED(size_t, kAtOnce, 8);                       // samples whose numbers are held
TARN_TUNED(int64_t, kBatchBytes, int64_t{64} << 20);  // of outputs that one run of the program writes

}  // namespace tarn::quantize
