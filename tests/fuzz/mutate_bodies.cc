// Subgraphs, functions, names, versions, options; two models made one.
#include <algorithm>
#include <map>
#include <set>

#include "fuzz/mutate.h"
#include "support/text.h"

namespace tarn::fuzz {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void import_domain(google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>* imports, const std::string& domain,
                   int64_t version) {
  for (const auto& import : *imports) {
    if (import.domain() == domain) return;
  }
  auto& import = *imports->Add();
  import.set_domain(domain);
  import.set_version(version);
}

// A run of nodes: what it reads from outside, and what it makes.
struct Cut {
  int first = 0, end = 0;
  std::vector<std::string> reads, makes;
};

Cut cut_nodes(const Body& body, Decisions& decide) {
  Cut cut;
  cut.first = static_cast<int>(decide.below(static_cast<uint64_t>(body.nodes->size())));
  cut.end = std::min(body.nodes->size(), cut.first + 1 + static_cast<int>(decide.below(3)));
  std::set<std::string> inside, seen;
  for (int i = cut.first; i < cut.end; ++i) {
    for (const std::string& input : body.nodes->Get(i).input()) {
      if (!input.empty() && !inside.contains(input) && seen.insert(input).second) cut.reads.push_back(input);
    }
    for (const std::string& output : body.nodes->Get(i).output()) {
      if (!output.empty() && inside.insert(output).second) cut.makes.push_back(output);
    }
  }
  return cut;
}

void replace(const Body& body, const Cut& cut, const onnx::NodeProto& node) {
  *body.nodes->Mutable(cut.first) = node;
  body.nodes->DeleteSubrange(cut.first + 1, cut.end - cut.first - 1);
}

onnx::AttributeProto& graph_attribute(onnx::NodeProto& node, const char* name) {
  onnx::AttributeProto& a = *node.add_attribute();
  a.set_name(name);
  a.set_type(onnx::AttributeProto::GRAPH);
  return a;
}

void add_value(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>* list, const std::string& name, int element) {
  auto& value = *list->Add();
  value.set_name(name);
  value.mutable_type()->mutable_tensor_type()->set_elem_type(element);
}

void add_scalar(const Body& body, const std::string& name, int element, int64_t number) {
  onnx::TensorProto& tensor = *body.graph->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(element);
  if (element == onnx::TensorProto::INT64) tensor.add_int64_data(number);
  else tensor.add_int32_data(static_cast<int32_t>(number));
}

std::string weird_name(Decisions& decide, const std::string& old) {
  constexpr const char* kNames[] = {"int",  "a b", "/*",     "*/ x",  "\"",      "\\",    "\n",      "%s%n",  "a.b",
                                    "a_b",  "A_B", "0",      "",      "é",       "\xff",  "main",    "arena", "x y\tz",
                                    "?\?/", "p",   "status", "steps", "model",   "input", "weights", "tarn",  "/a/b/c",
                                    "//",   "*/",  "NULL",   "if",    "uint8_t", "_",     "__",      "$",     "lines"};
  switch (decide.below(5)) {
    case 0: return old + decide.pick(kNames);
    case 1: return std::string(200 + decide.below(400), 'n') + old;
    case 2: return upper(old);
    default: return decide.pick(kNames);
  }
}

// The fields that a message has, or might have.
void change_field(Message& message, const FieldDescriptor& field, Decisions& decide) {
  const auto& r = *message.GetReflection();
  const bool list = field.is_repeated();
  if (list && r.FieldSize(message, &field) > 0) {
    const int size = r.FieldSize(message, &field);
    switch (decide.below(4)) {
      case 0: return r.RemoveLast(&message, &field);
      case 1:
        return r.SwapElements(&message, &field, static_cast<int>(decide.below(static_cast<uint64_t>(size))),
                              static_cast<int>(decide.below(static_cast<uint64_t>(size))));
      case 2:
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
          const int from = static_cast<int>(decide.below(static_cast<uint64_t>(size)));
          const std::string bytes = r.GetRepeatedMessage(message, &field, from).SerializePartialAsString();
          r.AddMessage(&message, &field)->ParsePartialFromString(bytes);
          return;
        }
        break;
      default: break;
    }
  } else if (!list && decide.one_in(3)) {
    return r.ClearField(&message, &field);
  }
  const int64_t n = wild_number(decide);
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return list ? r.AddInt32(&message, &field, static_cast<int32_t>(n))
                  : r.SetInt32(&message, &field, static_cast<int32_t>(n));
    case FieldDescriptor::CPPTYPE_INT64:
      return list ? r.AddInt64(&message, &field, n) : r.SetInt64(&message, &field, n);
    case FieldDescriptor::CPPTYPE_UINT64:
      return list ? r.AddUInt64(&message, &field, static_cast<uint64_t>(n))
                  : r.SetUInt64(&message, &field, static_cast<uint64_t>(n));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return list ? r.AddFloat(&message, &field, static_cast<float>(n))
                  : r.SetFloat(&message, &field, static_cast<float>(n));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return list ? r.AddDouble(&message, &field, static_cast<double>(n))
                  : r.SetDouble(&message, &field, static_cast<double>(n));
    case FieldDescriptor::CPPTYPE_STRING: {
      const std::string text = weird_name(decide, "x");
      return list ? r.AddString(&message, &field, text) : r.SetString(&message, &field, text);
    }
    case FieldDescriptor::CPPTYPE_ENUM: {
      const auto* kinds = field.enum_type();
      const auto* kind = kinds->value(static_cast<int>(decide.below(static_cast<uint64_t>(kinds->value_count()))));
      return list ? r.AddEnum(&message, &field, kind) : r.SetEnum(&message, &field, kind);
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (list) r.AddMessage(&message, &field);
      else r.MutableMessage(&message, &field);
      return;
    default: return;
  }
}

void collect(Message& message, std::vector<Message*>& all) {
  all.push_back(&message);
  if (all.size() > 2000) return;
  const auto& r = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  r.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collect(*r.MutableMessage(&message, field), all);
      continue;
    }
    for (int i = 0; i < r.FieldSize(message, field); ++i) collect(*r.MutableRepeatedMessage(&message, field, i), all);
  }
}

}  // namespace

void change_any_field(onnx::ModelProto& model, Decisions& decide) {
  std::vector<Message*> all;
  collect(model, all);
  Message& message = *decide.pick(all);
  const auto& kind = *message.GetDescriptor();
  if (kind.field_count() == 0) return;
  change_field(message, *kind.field(static_cast<int>(decide.below(static_cast<uint64_t>(kind.field_count())))), decide);
}

// Some nodes become the body of a branch or a loop that stands in their place.
void wrap_in_body(const Body& body, Decisions& decide) {
  if (body.graph == nullptr || body.nodes->empty()) return;
  const Cut cut = cut_nodes(body, decide);
  if (cut.makes.empty()) return;
  const std::string name = fresh_name(body, decide);
  onnx::NodeProto node;
  onnx::GraphProto inner;
  inner.set_name(name);
  for (int i = cut.first; i < cut.end; ++i) *inner.add_node() = body.nodes->Get(i);
  std::map<std::string, std::string> renamed;
  for (const std::string& made : cut.makes) renamed[made] = name + made;
  const auto rename = [&](const std::string& old) { return renamed.contains(old) ? renamed[old] : old; };
  for (auto& n : *inner.mutable_node()) {
    for (std::string& input : *n.mutable_input()) input = rename(input);
    for (std::string& output : *n.mutable_output()) output = rename(output);
  }
  for (const std::string& made : cut.makes) node.add_output(made);
  if (decide.one_in(2)) {
    node.set_op_type("If");
    node.add_input(name + "if");
    if (decide.one_in(2)) add_scalar(body, name + "if", onnx::TensorProto::BOOL, decide.one_in(2) ? 1 : 0);
    else
      *body.graph->add_input() = [&] {
        onnx::ValueInfoProto value;
        value.set_name(name + "if");
        *value.mutable_type() = tensor_type(onnx::TensorProto::BOOL, {});
        return value;
      }();
    for (const std::string& made : cut.makes) add_value(inner.mutable_output(), rename(made), 1);
    *graph_attribute(node, "then_branch").mutable_g() = inner;
    *graph_attribute(node, "else_branch").mutable_g() = inner;
  } else {
    // Values read and made by turns are carried; the rest is scanned out.
    node.set_op_type("Loop");
    node.add_input(name + "m");
    node.add_input("");
    add_scalar(body, name + "m", onnx::TensorProto::INT64, static_cast<int64_t>(decide.below(4)));
    add_value(inner.mutable_input(), name + "i", onnx::TensorProto::INT64);
    add_value(inner.mutable_input(), name + "c", onnx::TensorProto::BOOL);
    add_value(inner.mutable_output(), name + "c2", onnx::TensorProto::BOOL);
    auto& keep = *inner.add_node();
    keep.set_op_type("Identity");
    keep.add_input(name + "c");
    keep.add_output(name + "c2");
    if (!cut.reads.empty() && decide.one_in(2)) {
      const std::string carried = name + "s";
      node.add_input(cut.reads[0]);
      for (auto& n : *inner.mutable_node()) {
        for (std::string& input : *n.mutable_input()) input = input == cut.reads[0] ? carried : input;
      }
      add_value(inner.mutable_input(), carried, 1);
    }
    for (const std::string& made : cut.makes) add_value(inner.mutable_output(), rename(made), 1);
    *graph_attribute(node, "body").mutable_g() = inner;
  }
  replace(body, cut, node);
  if (!decide.one_in(4)) forget_shapes(body);
}

// Some nodes become a function that is called in their place.
void make_function(const Body& body, Decisions& decide) {
  if (body.nodes->empty() || body.model->functions_size() > 8) return;
  const Cut cut = cut_nodes(body, decide);
  if (cut.makes.empty()) return;
  onnx::FunctionProto& function = *body.model->add_functions();
  function.set_name(fresh_name(body, decide));
  function.set_domain(decide.one_in(6) ? "" : "fuzz");
  *function.mutable_opset_import() = body.model->opset_import();
  if (decide.one_in(8) && function.opset_import_size() > 0)
    function.mutable_opset_import(0)->set_version(static_cast<int64_t>(7 + decide.below(20)));
  for (const std::string& read : cut.reads) function.add_input(read);
  for (const std::string& made : cut.makes) function.add_output(made);
  onnx::NodeProto call;
  call.set_op_type(function.name());
  call.set_domain(function.domain());
  for (const std::string& read : cut.reads) call.add_input(read);
  for (const std::string& made : cut.makes) call.add_output(made);
  // add_functions() may have moved a function's nodes.
  for (int i = cut.first; i < cut.end; ++i) *function.add_node() = body.nodes->Get(i);
  for (auto& node : *function.mutable_node()) {
    for (auto& a : *node.mutable_attribute()) {
      if (!decide.one_in(4) || a.type() == onnx::AttributeProto::GRAPH) continue;
      *call.add_attribute() = a;
      if (decide.one_in(2)) *function.add_attribute_proto() = a;
      else function.add_attribute(a.name());
      const auto type = a.type();
      const std::string name = a.name();
      a.Clear();
      a.set_name(name);
      a.set_type(type);
      a.set_ref_attr_name(name);
    }
  }
  import_domain(body.model->mutable_opset_import(), function.domain(), 1);
  replace(body, cut, call);
  if (decide.one_in(12)) *function.add_node() = call;  // calls itself
}

void change_names(const Body& body, Decisions& decide) {
  if (body.graph != nullptr && decide.one_in(8)) {
    body.graph->set_name(weird_name(decide, body.graph->name()));
    return;
  }
  if (!body.nodes->empty() && decide.one_in(4)) {
    auto& node = *body.nodes->Mutable(static_cast<int>(decide.below(static_cast<uint64_t>(body.nodes->size()))));
    node.set_name(weird_name(decide, node.name()));
    return;
  }
  const std::vector<std::string> values = values_of(body);
  if (values.empty()) return;
  const std::string from = decide.pick(values);
  const std::string to = decide.one_in(5) ? decide.pick(values) : weird_name(decide, from);
  for (auto& node : *body.nodes) {
    for (std::string& input : *node.mutable_input()) input = input == from ? to : input;
    for (std::string& output : *node.mutable_output()) output = output == from ? to : output;
  }
  if (body.graph == nullptr) return;
  for (auto* list : {body.graph->mutable_input(), body.graph->mutable_output(), body.graph->mutable_value_info()}) {
    for (auto& value : *list) {
      if (value.name() == from) value.set_name(to);
    }
  }
  for (auto& tensor : *body.graph->mutable_initializer()) {
    if (tensor.name() == from) tensor.set_name(to);
  }
}

void change_versions(const Body& body, Decisions& decide) {
  if (decide.one_in(10)) {
    body.model->set_ir_version(decide.one_in(4) ? wild_number(decide) : static_cast<int64_t>(3 + decide.below(11)));
    return;
  }
  constexpr const char* kDomains[] = {"", "ai.onnx.ml", "com.microsoft", "ai.onnx", "ai.onnx.preview.training"};
  auto* imports = body.function != nullptr && decide.one_in(2) ? body.function->mutable_opset_import()
                                                               : body.model->mutable_opset_import();
  if (imports->empty() || decide.one_in(4)) import_domain(imports, decide.pick(kDomains), 1);
  auto& import = *imports->Mutable(static_cast<int>(decide.below(static_cast<uint64_t>(imports->size()))));
  if (import.domain().empty() || import.domain() == "ai.onnx")
    import.set_version(decide.one_in(20) ? wild_number(decide) : static_cast<int64_t>(5 + decide.below(23)));
  else import.set_version(decide.one_in(10) ? wild_number(decide) : static_cast<int64_t>(1 + decide.below(5)));
}

void change_options(const Body& body, Decisions& decide) {
  constexpr const char* kOptions[] = {"--stream resident",
                                      "--stream fed",
                                      "--stream fed --drain",
                                      "--stream time",
                                      "--stream auto --ram 300",
                                      "--stream resident --scan columns",
                                      "--stream fed --lines table",
                                      "--stream resident --recompute 100",
                                      "--io caller",
                                      "--quantized-io",
                                      "--input-layout nhwc",
                                      "--output-layout nhwc",
                                      "--share none",
                                      "--share views",
                                      "--order given",
                                      "--align 1",
                                      "--align 4096",
                                      "--strategy naive",
                                      "--strategy hill_climb",
                                      "--strategy best_fit",
                                      "--target cortex-m4",
                                      "--target cortex-m55",
                                      "--target rv32imac",
                                      "--target cortex-m0",
                                      "--files single",
                                      "--weights incbin",
                                      "--libm",
                                      "--emit arena",
                                      "--ram 100",
                                      "--ram 2K",
                                      "--flash 100",
                                      "--effort 1",
                                      "--line-buffers on",
                                      "--bank a=1K --bank b=8K",
                                      "--name kws",
                                      "--stream auto --ram 2K",
                                      "--dim N=3"};
  std::string text = body.model->doc_string().starts_with("--") && decide.one_in(2) ? body.model->doc_string() : "";
  if (!decide.one_in(5)) text += cat(text.empty() ? "" : " ", decide.pick(kOptions));
  body.model->set_doc_string(text);
}

void cross(onnx::ModelProto& model, const onnx::ModelProto& other, Decisions& decide) {
  const std::string prefix = cat("x", decide.below(100), "_");
  onnx::GraphProto& into = *model.mutable_graph();
  onnx::GraphProto from = other.graph();
  if (from.node_size() > 40 || into.node_size() > 60) return;
  const std::vector<Body> bodies = bodies_of(model);
  const std::vector<std::string> values = values_of(bodies[0]);
  std::map<std::string, std::string> renamed;
  // Its first inputs are values of this model, of the same type where there is one.
  for (const auto& input : from.input()) {
    renamed[input.name()] = prefix + input.name();
    std::vector<std::string> alike;
    for (const std::string& value : values) {
      const onnx::TypeProto* type = declared_type(bodies[0], value);
      if (type != nullptr && type->SerializeAsString() == input.type().SerializeAsString()) alike.push_back(value);
    }
    if (!alike.empty() && !decide.one_in(4)) renamed[input.name()] = decide.pick(alike);
    else if (!values.empty() && decide.one_in(4)) renamed[input.name()] = decide.pick(values);
    else {
      *into.add_input() = input;
      into.mutable_input()->rbegin()->set_name(prefix + input.name());
    }
  }
  for (const auto& tensor : from.initializer()) {
    renamed[tensor.name()] = prefix + tensor.name();
    *into.add_initializer() = tensor;
    into.mutable_initializer()->rbegin()->set_name(prefix + tensor.name());
  }
  for (const auto& node : from.node()) {
    for (const std::string& output : node.output()) {
      if (!output.empty()) renamed[output] = prefix + output;
    }
  }
  const auto rename = [&](const std::string& name) { return renamed.contains(name) ? renamed[name] : name; };
  const bool before = decide.one_in(8);
  const int first = into.node_size();
  for (const auto& node : from.node()) {
    onnx::NodeProto& copy = *into.add_node();
    copy = node;
    for (std::string& input : *copy.mutable_input()) input = rename(input);
    for (std::string& output : *copy.mutable_output()) output = output.empty() ? output : rename(output);
    // Bodies read the names of what is around them.
    for (auto& a : *copy.mutable_attribute()) {
      if (!a.has_g()) continue;
      for (auto& inner : *a.mutable_g()->mutable_node()) {
        for (std::string& input : *inner.mutable_input()) input = rename(input);
      }
    }
  }
  for (const auto& output : from.output()) {
    auto& value = *into.add_output();
    value = output;
    value.set_name(rename(output.name()));
    if (value.type().has_tensor_type() && !decide.one_in(4)) value.mutable_type()->mutable_tensor_type()->clear_shape();
  }
  if (before) {
    for (int i = first; i < into.node_size(); ++i) into.mutable_node()->SwapElements(i - first, i);
  }
  for (const auto& import : other.opset_import())
    import_domain(model.mutable_opset_import(), import.domain(), import.version());
  for (const auto& function : other.functions()) *model.add_functions() = function;
  if (!decide.one_in(3)) forget_shapes(bodies[0]);
}

}  // namespace tarn::fuzz
