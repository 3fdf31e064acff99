// Nodes and their wiring.
#include <algorithm>

#include "fuzz/mutate.h"
#include "model/schema_lookup.h"
#include "ops/op.h"
#include "support/text.h"

namespace tarn::fuzz {

namespace {

onnx::NodeProto* pick_node(const Body& body, Decisions& decide) {
  if (body.nodes->empty()) return nullptr;
  return body.nodes->Mutable(static_cast<int>(decide.below(static_cast<uint64_t>(body.nodes->size()))));
}

// The values that node `at` may read without making the order wrong.
std::vector<std::string> values_before(const Body& body, int at) {
  Body before = body;
  std::vector<std::string> names = values_of(body);
  size_t later = 0;
  for (int i = at; i < body.nodes->size(); ++i) {
    for (const std::string& output : body.nodes->Get(i).output()) later += output.empty() ? 0 : 1;
  }
  names.resize(names.size() - later);
  return names;
}

void add_constant(const Body& body, const onnx::TensorProto& tensor, int before) {
  if (body.graph != nullptr) {
    *body.graph->add_initializer() = tensor;
    return;
  }
  onnx::NodeProto& node = *body.nodes->Add();
  node.set_op_type("Constant");
  node.add_output(tensor.name());
  onnx::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  *value.mutable_t() = tensor;
  for (int i = body.nodes->size() - 1; i > before; --i) body.nodes->SwapElements(i, i - 1);
}

int element_of(const Body& body, const std::string& name) {
  if (const onnx::TypeProto* type = declared_type(body, name)) return type->tensor_type().elem_type();
  if (body.graph != nullptr) {
    for (const auto& tensor : body.graph->initializer()) {
      if (tensor.name() == name) return tensor.data_type();
    }
  }
  return onnx::TensorProto::FLOAT;
}

int rank_of(const Body& body, const std::string& name, Decisions& decide) {
  const onnx::TypeProto* type = declared_type(body, name);
  return type != nullptr && type->tensor_type().has_shape() ? type->tensor_type().shape().dim_size()
                                                            : static_cast<int>(decide.below(5));
}

void move_back(const Body& body, int to) {
  for (int i = body.nodes->size() - 1; i > to; --i) body.nodes->SwapElements(i, i - 1);
}

onnx::NodeProto& append(const Body& body, const char* op, const std::vector<std::string>& inputs,
                        const std::string& output) {
  onnx::NodeProto& node = *body.nodes->Add();
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

void add_ints(onnx::NodeProto& node, const char* name, const std::vector<int64_t>& values) {
  onnx::AttributeProto& a = *node.add_attribute();
  a.set_name(name);
  a.set_type(onnx::AttributeProto::INTS);
  for (int64_t v : values) a.add_ints(v);
}

void add_output(const Body& body, const std::string& name, int element) {
  if (body.graph == nullptr) {
    body.function->add_output(name);
    return;
  }
  auto& output = *body.graph->add_output();
  output.set_name(name);
  output.mutable_type()->mutable_tensor_type()->set_elem_type(element);
}

// Reads of `from` become reads of `to`, in nodes from `first` on and among the outputs.
void redirect(const Body& body, const std::string& from, const std::string& to, int first, bool outputs) {
  for (int i = first; i < body.nodes->size(); ++i) {
    for (std::string& input : *body.nodes->Mutable(i)->mutable_input()) {
      if (input == from) input = to;
    }
  }
  if (!outputs) return;
  if (body.graph == nullptr) {
    for (std::string& output : *body.function->mutable_output()) {
      if (output == from) output = to;
    }
    return;
  }
  for (auto& output : *body.graph->mutable_output()) {
    if (output.name() == from) output.set_name(to);
  }
}

// A chain of nodes that keeps the shape of `x`, or nearly; the name of what it makes. Written at the end of the list.
std::string keep_shape(const Body& body, const std::string& x, int at, Decisions& decide) {
  const std::string y = fresh_name(body, decide), t = y + "t", c = y + "c", s = y + "s", z = y + "z";
  const int element = element_of(body, x), rank = rank_of(body, x, decide);
  constexpr const char* kUnary[] = {
      "Relu",       "Neg",   "Abs",  "Sigmoid", "Tanh",        "Exp",       "Sqrt",     "Identity",
      "Clip",       "Floor", "Erf",  "Softmax", "HardSigmoid", "LeakyRelu", "Elu",      "HardSwish",
      "Gelu",       "Round", "Sign", "Not",     "Reciprocal",  "Log",       "Softplus", "ThresholdedRelu",
      "LogSoftmax", "CumSum"};
  constexpr const char* kBinary[] = {"Add",   "Mul",     "Sub",   "Div", "Max", "Min",  "Pow",
                                     "PRelu", "Greater", "Equal", "And", "Mod", "Where"};
  const auto constant = [&](const std::string& name, int type, std::vector<int64_t> dims) {
    const int before = body.nodes->size();
    add_constant(body, small_constant(name, type, dims, decide), at);
    return body.nodes->size() - before;
  };
  switch (decide.below(10)) {
    case 0:
    case 1:
    case 2: append(body, decide.pick(kUnary), {x}, y); return y;
    case 3:
    case 4: {
      const bool with_itself = decide.one_in(5);
      if (!with_itself) constant(c, element, decide.one_in(2) ? std::vector<int64_t>{} : std::vector<int64_t>{1});
      const std::string& other = with_itself ? x : c;
      if (decide.one_in(4)) append(body, decide.pick(kBinary), {other, x}, y);
      else append(body, decide.pick(kBinary), {x, other}, y);
      return y;
    }
    case 5:
    case 6: {  // codes and back
      const int code = decide.one_in(3) ? element_type(decide) : (decide.one_in(2) ? 3 : 2);
      constant(s, element, {});
      if (decide.one_in(2) && body.graph != nullptr) {
        onnx::TensorProto& scale = *body.graph->mutable_initializer()->rbegin();
        if (scale.float_data_size() == 1) scale.set_float_data(0, 0.01f + static_cast<float>(decide.below(100)) / 500);
      }
      constant(z, code, {});
      append(body, "QuantizeLinear", {x, s, z}, t);
      append(body, "DequantizeLinear", {t, s, z}, y);
      return y;
    }
    case 7: {  // axes turned, mostly back again
      std::vector<int64_t> turn(static_cast<size_t>(rank)), back(turn.size());
      for (size_t i = 0; i < turn.size(); ++i) turn[i] = static_cast<int64_t>(i);
      for (size_t i = turn.size(); i > 1; --i) std::swap(turn[i - 1], turn[decide.below(i)]);
      for (size_t i = 0; i < turn.size(); ++i) back[static_cast<size_t>(turn[i])] = static_cast<int64_t>(i);
      add_ints(append(body, "Transpose", {x}, t), "perm", turn);
      if (decide.one_in(4)) return t;
      const std::string u = decide.one_in(2) ? t : t + "u";
      if (u != t) append(body, decide.pick(kUnary), {t}, u);
      add_ints(append(body, "Transpose", {u}, y), "perm", back);
      return y;
    }
    case 8: {  // another type and back
      onnx::AttributeProto to;
      to.set_name("to");
      to.set_type(onnx::AttributeProto::INT);
      to.set_i(element_type(decide));
      *append(body, "Cast", {x}, t).add_attribute() = to;
      to.set_i(element);
      *append(body, "Cast", {t}, y).add_attribute() = to;
      return y;
    }
    default: {  // another shape
      onnx::TensorProto shape;
      shape.set_name(c);
      shape.set_data_type(onnx::TensorProto::INT64);
      const uint64_t length = decide.below(4);
      shape.add_dims(static_cast<int64_t>(length) + 1);
      for (uint64_t i = 0; i < length; ++i) shape.add_int64_data(decide.one_in(2) ? 0 : 1);
      shape.add_int64_data(-1);
      add_constant(body, shape, at);
      append(body, "Reshape", {x, c}, y);
      forget_shapes(body);
      return y;
    }
  }
}

}  // namespace

const onnx::OpSchema& random_schema(Decisions& decide) {
  static const std::vector<const onnx::OpSchema*> all = [] {
    std::vector<const onnx::OpSchema*> found;
    for (const ops::OperatorEntry& room : ops::all_entries()) {
      if (const onnx::OpSchema* schema = model::newest_definition(room.domain, room.op, 27)) found.push_back(schema);
    }
    return found;
  }();
  return *decide.pick(all);
}

void change_wiring(const Body& body, Decisions& decide) {
  onnx::NodeProto* node = pick_node(body, decide);
  if (node == nullptr) return;
  int at = 0;
  while (body.nodes->Mutable(at) != node) ++at;
  const std::vector<std::string> values = decide.one_in(10) ? values_of(body) : values_before(body, at);
  const auto any = [&] { return values.empty() || decide.one_in(12) ? std::string() : decide.pick(values); };
  const auto inputs = static_cast<uint64_t>(node->input_size()), outputs = static_cast<uint64_t>(node->output_size());
  switch (decide.below(9)) {
    case 0:
    case 1:
    case 2:
      if (inputs > 0) node->set_input(static_cast<int>(decide.below(inputs)), any());
      break;
    case 3: node->add_input(any()); break;
    case 4:
      if (inputs > 0) node->mutable_input()->RemoveLast();
      break;
    case 5:
      if (inputs > 1)
        node->mutable_input()->SwapElements(static_cast<int>(decide.below(inputs)),
                                            static_cast<int>(decide.below(inputs)));
      break;
    case 6:
      if (outputs > 0 && decide.one_in(2)) node->set_output(static_cast<int>(decide.below(outputs)), "");
      else node->add_output(fresh_name(body, decide));
      break;
    case 7:
      if (outputs > 1) node->mutable_output()->RemoveLast();
      else if (decide.one_in(4) && outputs > 0) node->set_output(0, any());
      break;
    default:
      if (decide.one_in(3) && body.nodes->size() > 1)
        body.nodes->SwapElements(at, static_cast<int>(decide.below(static_cast<uint64_t>(body.nodes->size()))));
      else if (inputs > 1) node->set_input(0, node->input(static_cast<int>(inputs) - 1));
  }
}

void change_operator(const Body& body, Decisions& decide) {
  onnx::NodeProto* node = pick_node(body, decide);
  if (node == nullptr) return;
  if (decide.one_in(15)) {
    constexpr const char* kDomains[] = {
        "", "ai.onnx", "ai.onnx.ml", "com.microsoft", "custom", "ai.onnx.preview.training", "tarn"};
    node->set_domain(decide.pick(kDomains));
    return;
  }
  const std::vector<ops::OperatorEntry>& rooms = ops::all_entries();
  const ops::OperatorEntry* room = &rooms[decide.below(rooms.size())];
  // Most of those that take as many inputs are told apart only while types are inferred.
  for (int tries = 0; tries < 30 && !decide.one_in(20); ++tries) {
    const onnx::OpSchema* schema = model::newest_definition(room->domain, room->op, 27);
    const bool fits = schema != nullptr
                          ? schema->min_input() <= node->input_size() && schema->max_input() >= node->input_size() &&
                                schema->max_output() >= node->output_size()
                          : room->domain == node->domain();
    if (fits) break;
    room = &rooms[decide.below(rooms.size())];
  }
  node->set_op_type(room->op);
  node->set_domain(room->domain == "tarn" && !decide.one_in(50) ? "" : room->domain);
  // Attributes that the new one does not know are faults of their own.
  const onnx::OpSchema* schema = model::newest_definition(room->domain, room->op, 27);
  if (schema != nullptr && !decide.one_in(10)) {
    for (int i = node->attribute_size() - 1; i >= 0; --i) {
      if (!schema->attributes().contains(node->attribute(i).name())) node->mutable_attribute()->DeleteSubrange(i, 1);
    }
    std::map<std::string, int> required;  // in an order that does not depend on hashes
    for (const auto& [name, a] : schema->attributes()) {
      if (a.required) required[name] = a.type;
    }
    for (const auto& known : node->attribute()) required.erase(known.name());
    for (const auto& [name, type] : required) random_attribute(*node->add_attribute(), name, type, decide);
  }
  if (!decide.one_in(6)) forget_shapes(body);
}

void add_node(const Body& body, Decisions& decide) {
  const onnx::OpSchema& schema = random_schema(decide);
  const std::vector<std::string> values = values_of(body);
  const int at = body.nodes->size();
  onnx::NodeProto node;
  node.set_op_type(schema.Name());
  node.set_domain(schema.domain());
  const auto most = static_cast<uint64_t>(std::min(schema.max_input(), 7)),
             least = static_cast<uint64_t>(schema.min_input());
  const uint64_t inputs = least + (most > least ? decide.below(most - least + 1) : 0);
  std::string first;
  for (uint64_t i = 0; i < inputs; ++i) {
    if (i >= least && decide.one_in(4)) {
      node.add_input("");
    } else if (values.empty() || (i > 0 && decide.one_in(2))) {
      // A small constant: weights, axes, sizes, scales.
      const std::string name = cat(fresh_name(body, decide), "k", i);
      const int element = i > 0 && decide.one_in(2) ? onnx::TensorProto::INT64 : element_of(body, first);
      std::vector<int64_t> dims(decide.below(3));
      for (int64_t& d : dims) d = static_cast<int64_t>(1 + decide.below(4));
      add_constant(body, small_constant(name, element, dims, decide), at);
      node.add_input(name);
    } else {
      node.add_input(decide.pick(values));
      if (first.empty()) first = node.input(static_cast<int>(i));
    }
  }
  const uint64_t outputs = std::max<uint64_t>(1, static_cast<uint64_t>(schema.min_output())) +
                           (schema.max_output() > 1 && decide.one_in(3) ? 1 : 0);
  const std::string name = fresh_name(body, decide);
  for (uint64_t i = 0; i < outputs; ++i) node.add_output(i > 0 && decide.one_in(8) ? "" : cat(name, "o", i));
  std::map<std::string, int> attributes;
  for (const auto& [key, a] : schema.attributes()) {
    if (a.required || decide.one_in(3)) attributes[key] = a.type;
  }
  for (const auto& [key, type] : attributes) {
    if (type != onnx::AttributeProto::GRAPH) random_attribute(*node.add_attribute(), key, type, decide);
  }
  *body.nodes->Add() = node;
  if (decide.one_in(8) && body.nodes->size() > 1)
    move_back(body, static_cast<int>(decide.below(static_cast<uint64_t>(body.nodes->size()))));
  if (!decide.one_in(6)) add_output(body, cat(name, "o0"), element_of(body, first));
}

void insert_on_edge(const Body& body, Decisions& decide) {
  std::vector<std::string> values = values_of(body);
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(body.outer.size()));
  if (values.empty()) return;
  const std::string x = decide.pick(values);
  // Behind the node that makes it.
  int at = 0;
  for (int i = 0; i < body.nodes->size(); ++i) {
    const auto& outputs = body.nodes->Get(i).output();
    if (std::find(outputs.begin(), outputs.end(), x) != outputs.end()) at = i + 1;
  }
  const NodeList rest(body.nodes->begin() + at, body.nodes->end());
  body.nodes->DeleteSubrange(at, body.nodes->size() - at);
  const std::string y = keep_shape(body, x, at, decide);
  const int made = body.nodes->size();
  for (const onnx::NodeProto& node : rest) *body.nodes->Add() = node;
  const bool was_output = decide.one_in(2);
  redirect(body, x, y, made, was_output);
  if (decide.one_in(5)) add_output(body, y, element_of(body, x));
  if (decide.one_in(3)) forget_shapes(body);
}

void remove_node(const Body& body, Decisions& decide) {
  onnx::NodeProto* node = pick_node(body, decide);
  if (node == nullptr) return;
  int at = 0;
  while (body.nodes->Mutable(at) != node) ++at;
  const onnx::NodeProto gone = *node;
  if (decide.one_in(4)) {  // twice instead
    onnx::NodeProto copy = gone;
    for (std::string& output : *copy.mutable_output()) output = output.empty() ? "" : fresh_name(body, decide) + output;
    if (copy.output_size() > 0 && !copy.output(0).empty() && decide.one_in(2)) add_output(body, copy.output(0), 1);
    *body.nodes->Add() = copy;
    move_back(body, at + 1);
    return;
  }
  body.nodes->DeleteSubrange(at, 1);
  if (gone.input_size() > 0 && gone.output_size() > 0 && !decide.one_in(8))
    redirect(body, gone.output(0), gone.input(0), at, !gone.input(0).empty());
  if (!decide.one_in(4)) forget_shapes(body);
}

void change_outputs(const Body& body, Decisions& decide) {
  const std::vector<std::string> values = values_of(body);
  const int count = body.graph != nullptr ? body.graph->output_size() : body.function->output_size();
  if (count > 0 && decide.one_in(3)) {
    const int at = static_cast<int>(decide.below(static_cast<uint64_t>(count)));
    if (body.graph != nullptr) body.graph->mutable_output()->DeleteSubrange(at, 1);
    else body.function->mutable_output()->DeleteSubrange(at, 1);
  } else if (!values.empty()) {
    const std::string& name = decide.pick(values);
    add_output(body, name, element_of(body, name));
  }
}

}  // namespace tarn::fuzz
