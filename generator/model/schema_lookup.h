// The onnx library's definition of an operator under a model's imports.
#pragma once
#include <onnx/defs/schema.h>

#include <map>
#include <string>

namespace tarn::model {

// The newest definition up to `version`, whatever that version imports; null when there is none. It lives to the end.
const onnx::OpSchema* newest_definition(const std::string& domain, const std::string& op, int version);

// The version in force at the imported opset; of a standard operator that only a later opset has, its first. Null when
// the domain is not imported or the library does not know the operator.
const onnx::OpSchema* find_schema(const std::string& domain, const std::string& op,
                                  const std::map<std::string, int>& opsets);

}  // namespace tarn::model
