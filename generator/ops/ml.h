// The operators of ai.onnx.ml that work on numbers.
#pragma once
#include <string>
#include <vector>

#include "ops/body.h"

namespace tarn::ops {

std::vector<OperatorEntry> ml_entries();              // scalers, encoders, linear models
std::vector<OperatorEntry> trees_entries();           // TreeEnsemble and its older forms
std::vector<OperatorEntry> support_vector_entries();  // SVMRegressor, SVMClassifier

// What these operators share when they write their bodies.

// The operand as float32 [examples, features]; `type` becomes its type.
std::string examples_of(const Facts& facts, Body& body, TensorType& type);
// Scores [N, C] after a transform named as the attribute post_transform names it.
Answer<std::string> post_transform(Body& body, const std::string& scores, const std::string& kind, DType dtype);
// Labels of a classifier from the class numbers int64 [N]. Labels that are strings have no form in memory: they become
// a node that may stand unused, but not be lowered.
std::string labels_of(const Facts& facts, Body& body, const std::string& numbers);
// How many labels the node names.
int64_t label_count(const Node& node);
// A name for the attribute by number, as TreeEnsemble of opset 5 has it.
std::string post_transform_name(int64_t number);

}  // namespace tarn::ops
