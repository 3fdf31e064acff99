// Elements that take a longer or a shorter way as their values decide: functions (tanh, e^x), and floats in software.
//
// What one element takes at least and at most is measured apart, on tensors of one value each, and is a model of its
// own with the terms "least" and "most" (tests/bench/time/values.py). It is told of the term that counts a kernel's
// elements, and of kernels that call such a function for each of theirs.
#pragma once
#include "time/predict.h"

namespace tarn::timing {

// The name of a kernel's model of that kind is the kernel's with this behind it.
inline constexpr const char* kByValue = " by value";

// How many instructions fewer and more than those that the model tells of these terms a call may take.
struct ValueRange {
  double less = 0, more = 0;
  bool known = false;  // whether values decide it
};
ValueRange range_by_value(const Model& model, const Terms& terms);
// False: that of all terms is not known.
bool may_vary_by_value(const Model& model);

// What one element takes was measured at zero and at these numbers, one for each range of a tensor's likely values
// (program::LikelySizes): the terms "at 0.3".
inline constexpr const char* kMeasuredAt[] = {"at -12", "at -3",  "at -1.3", "at -0.7", "at -0.3",
                                              "at 0.3", "at 0.7", "at 1.3",  "at 3",    "at 12"};
inline constexpr const char* kMeasuredAtZero = "at 0";
bool measured_by_size(const std::string& target, const std::string& kernel);
// The parameters that tell the shares, in parts of kLikelyParts; of zeros that of the name alone.
inline constexpr const char* kLikely = "likely";
inline constexpr int64_t kLikelyParts = 65536;
// How much of what the model tells of elements these take, where that is known.
std::optional<double> share_by_size(const Model& model, const Terms& terms, const Parameters& parameters);
// Whether a term counts what every element takes.
bool of_elements(const std::string& term);

// What a conversion of whole numbers takes less than the model tells, of which so many percent are likely zeros
// (program/likely_zeros.h): those take the shortest way.
Cost saved_by_zeros(const Model& model, const Terms& terms, int64_t percent);

// What making floats of codes in software takes less where so many percent of them are the code for zero: the
// conversion of a zero, and a product with it.
Cost saved_by_zero_codes(const Model& model, const Terms& terms, int64_t percent);

// What products and quotients with constants take less in software than the model tells where so many percent of these
// are a power of two, the term "plain" of the product or quotient: in operations on two tensors, conversions from and
// to codes by their scale, layers by their weights. `term`: what it counts with.
Cost saved_by_plain_operands(const Model& model, const Terms& terms, int64_t percent, std::string& term);

// What products in software, and the sums that they go to, may take less where so many percent of a layer's weights are
// zero or a power of two: with numbers like these all is exact, and nothing is normalised or rounded.
double saved_by_plain_weights(const std::string& target, const Terms& terms, int64_t percent);

}  // namespace tarn::timing
