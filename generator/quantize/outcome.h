// What is told of a quantised network, however it was made.
#pragma once
#include "quantize/measure.h"
#include "quantize/prepare.h"

namespace tarn::quantize {

// Rows of the outputs of floats; their noise comes first in `noise`.
std::vector<OutputRow> output_rows(const Prepared& prepared, const std::vector<Noise>& noise);

// Of the labelled samples; the first of `watched`, of which `outputs` are outputs, is what they are the classes of.
// E420 where it has none for a label.
Result<Accuracy> accuracy_of(const Prepared& prepared, const Network& before, const Network& after,
                             const std::vector<Watched>& watched, size_t outputs);

// Some of the samples, for whoever runs the result.
std::vector<Sample> first_samples(const Prepared& prepared);

// Plans both networks; `result` has the bytes of one of them.
Result<Done> measure_cost(const Options& options, const Prepared& prepared, Quantised& result);

}  // namespace tarn::quantize
