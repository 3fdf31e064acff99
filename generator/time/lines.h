// Predicts steps of networks that run by lines: the loops of a layer's kernel, as far as they belong to a line, and
// what is done around them.
#pragma once
#include "time/predict.h"

namespace tarn::timing {

// The model of the driver's work: pointers to lines, joined layers, lines that come in and go out.
inline constexpr const char* kLineDriver = "lines";

// Those of what a loop or a branch takes beside the steps inside it.
inline constexpr const char* kLoop = "loop";
inline constexpr const char* kBranch = "branch";

// A call of a layer's kernel for one line, or of one of the functions that a kernel by lines is made of.
struct LineCallOf {
  std::string function, kernel;  // what is called; the layer's kernel: the same where that takes lines as they are
  Parameters parameters;
};

// What a call takes apart from the terms that are counted by `own_terms`: the loops that the layer's kernel has too.
// Nothing where that is not modelled.
Prediction predict_loops(const std::string& target, const LineCallOf& call);

// What the function's own model tells: none where the layer's kernel itself is called.
Terms own_terms(const std::string& target, const LineCallOf& call);

// Both together.
Prediction predict_line(const std::string& target, const LineCallOf& call);

// Terms of a model that no layer's parameters tell: those of the driver.
Prediction predict_terms(const std::string& target, const std::string& model, const Terms& terms);

// The file of runtime/ that a function of a model is in: "tarn_dense_f32" of "tarn_dense_f32_line".
std::string file_of(const std::string& function);

}  // namespace tarn::timing
