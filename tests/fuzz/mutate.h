// Changes to ONNX models that keep most of them meaningful: what a byte-wise fuzzer never gets past the parser with.
#pragma once
#include <onnx/defs/schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fuzz/random_query.h"
#include "model/onnx_proto.h"

namespace tarn::fuzz {

using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// A list of nodes with what is around it: a graph (of the model, a branch, a loop's body) or a function.
struct Body {
  onnx::ModelProto* model = nullptr;
  onnx::GraphProto* graph = nullptr;        // null: a function's
  onnx::FunctionProto* function = nullptr;  // null: a graph's
  NodeList* nodes = nullptr;
  std::vector<std::string> outer;  // values of the graphs around it
};

std::vector<Body> bodies_of(onnx::ModelProto& model);
std::vector<std::string> values_of(const Body& body);  // everything that a node in it may read
std::string fresh_name(const Body& body, Decisions& decide);

// The parts; each changes one thing, or nothing where there is nothing of its kind.
void change_attribute(const Body& body, Decisions& decide);
void change_type(const Body& body, Decisions& decide);
void change_constant(const Body& body, Decisions& decide);
void change_external(const Body& body, Decisions& decide);
void hold_still(const Body& body, Decisions& decide);  // an input becomes a constant, or a constant an input
void change_wiring(const Body& body, Decisions& decide);
void change_operator(const Body& body, Decisions& decide);
void add_node(const Body& body, Decisions& decide);
void insert_on_edge(const Body& body, Decisions& decide);
void remove_node(const Body& body, Decisions& decide);
void change_outputs(const Body& body, Decisions& decide);
void wrap_in_body(const Body& body, Decisions& decide);
void make_function(const Body& body, Decisions& decide);
void change_names(const Body& body, Decisions& decide);
void change_versions(const Body& body, Decisions& decide);
void change_options(const Body& body, Decisions& decide);
void change_any_field(onnx::ModelProto& model, Decisions& decide);

// One to some changes.
void mutate(onnx::ModelProto& model, Decisions& decide);
// Takes nodes of `other` into `model`, wired to its values, or its constants, attributes, functions.
void cross(onnx::ModelProto& model, const onnx::ModelProto& other, Decisions& decide);

// Pieces shared by the above.
int64_t wild_number(Decisions& decide);
int element_type(Decisions& decide);
void fill_tensor(onnx::TensorProto& tensor, Decisions& decide);  // values for its type and its dims
void random_attribute(onnx::AttributeProto& attribute, const std::string& name, int type, Decisions& decide);
onnx::TypeProto tensor_type(int element, const std::vector<int64_t>& dims);
onnx::TensorProto small_constant(const std::string& name, int element, const std::vector<int64_t>& dims, Decisions&);
const onnx::OpSchema& random_schema(Decisions& decide);
// What a body's declarations say of a value; null: nothing.
const onnx::TypeProto* declared_type(const Body& body, const std::string& name);
void forget_shapes(const Body& body);  // declared shapes of what nodes make

}  // namespace tarn::fuzz
