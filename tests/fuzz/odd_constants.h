// Each constant of a model, and each input as a constant, made odd in every way there is: what a rule that reads
// numbers without asking whether they are there falls over. Not random: a sweep finds all of one kind at once.
#pragma once
#include <functional>
#include <string>

#include "model/onnx_proto.h"

namespace tarn::fuzz {

// Calls `use` with each of them and what was changed ("initializer 'axis': no elements"); one tensor differs each time.
void for_each_odd_constant(const onnx::ModelProto& model,
                           const std::function<void(const std::string& what, const onnx::ModelProto&)>& use);

}  // namespace tarn::fuzz
