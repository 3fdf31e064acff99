// What the onnx library knows of one operator: which version of it applies, its attribute defaults, the types of its
// outputs, its body as a function. The only door to the library after loading.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "support/result.h"

namespace tarn::model {

// One node seen alone, with all that is known of its inputs.
struct NodeQuery {
  const NodeDef* node = nullptr;
  const std::map<std::string, int>* opsets = nullptr;
  std::vector<Type> input_types;              // one per input of the node; unknown for omitted ones
  std::vector<const Constant*> input_values;  // null where not known when generating
};

// The version of the operator's definition that this opset uses ("since"); empty when the library does not know it.
std::optional<int> since_version(const std::string& domain, const std::string& op,
                                 const std::map<std::string, int>& opsets);

// Does the operator's definition call its first output optional? Yes for operators that the library does not know.
bool may_omit_first_output(const std::string& domain, const std::string& op, const std::map<std::string, int>& opsets);

// The schema's default for every attribute that has one and that the node does not set.
Attributes attribute_defaults(const NodeQuery& query);

// Types of the outputs by the library's own inference, as far as it gets; E205 when it finds a contradiction. Output
// dimensions that it cannot derive have neither value nor symbol. Never throws, whatever the query holds.
Result<std::vector<Type>> infer_types(const NodeQuery& query);

// What infer_types checks of a node before it asks for types, for operators whose types come from elsewhere: E205,
// E207, E211.
std::optional<Diagnostic> check_node(const NodeQuery& query);

// The operator's body when the standard defines it as a function for these inputs and attributes: a graph whose inputs
// and outputs correspond to the node's by position (an omitted input has the name ""). `opsets` receives what the body
// imports. Null when there is none.
GraphDefPtr function_body(const NodeQuery& query, std::map<std::string, int>* opsets);

// Does the standard define the operator, in its newest version, as a function of others?
bool has_function(const std::string& domain, const std::string& op);

// The opsets that define the operator anew, ascending, up to the newest that is supported; empty when the library does
// not know it.
std::vector<int> definitions_of(const std::string& domain, const std::string& op);

// All operators of a domain at its newest version, for the support table.
std::vector<std::string> operators_of(const std::string& domain);

}  // namespace tarn::model
