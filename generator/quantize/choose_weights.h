// The codes of all layers' weights, by what they do to the outputs.
#pragma once
#include <map>

#include "quantize/choose_ranges.h"
#include "quantize/prepare.h"

namespace tarn::quantize {

// By node. What moments promise for each layer alone may come out otherwise for all together: small networks are also
// tried with each weight at its nearest code and with biases as they were, and the best is kept.
Result<std::map<size_t, LayerCodes>> choose_weights(const Trial& trial, const Quantisation& quantisation,
                                                    bool round_by_sums, bool correct_bias);

// Can other ways be tried for the whole network? Each is compiled and run.
bool is_small(const Trial& trial);

// The noise of these values over their signal, summed over them, on some of the samples.
Result<double> noise_of(const Trial& trial, const Quantisation& quantisation, const std::vector<Judged>& values);

// Without a trial of other ways; samples are looked at only where one of the two asks for it.
Result<std::map<size_t, LayerCodes>> weights_in_one_way(const Trial& trial, const Quantisation& quantisation,
                                                        bool round_by_sums, bool correct_bias);

}  // namespace tarn::quantize
