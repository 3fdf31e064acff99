#include "conformance/catalogue.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>

#include "model/load_onnx.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::conformance {
namespace {

namespace fs = std::filesystem;

// What is found anywhere in a model.
struct Found {
  std::set<std::string> operators;
  bool strings = false;
};

bool holds_strings(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return holds_strings(type.sequence_type().elem_type());
  if (type.has_optional_type()) return holds_strings(type.optional_type().elem_type());
  return type.has_tensor_type() && type.tensor_type().elem_type() == onnx::TensorProto::STRING;
}

void visit(const onnx::GraphProto& graph, Found& found);

void visit(const onnx::NodeProto& node, Found& found) {
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  found.operators.insert(standard ? node.op_type() : node.domain() + "." + node.op_type());
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) visit(attribute.g(), found);
    for (const onnx::GraphProto& graph : attribute.graphs()) visit(graph, found);
    if (attribute.has_t() && attribute.t().data_type() == onnx::TensorProto::STRING) found.strings = true;
    if (attribute.name() == "to" && attribute.i() == onnx::TensorProto::STRING) found.strings = true;
  }
}

void visit(const onnx::GraphProto& graph, Found& found) {
  for (const onnx::NodeProto& node : graph.node()) visit(node, found);
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (tensor.data_type() == onnx::TensorProto::STRING) found.strings = true;
  }
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) found.strings = found.strings || holds_strings(value.type());
  }
}

// Sequences and optionals count where a caller meets them: inside a model they may be resolved.
Class class_of(const Found& found, const onnx::GraphProto& graph) {
  const auto has = [&](auto test) { return std::any_of(found.operators.begin(), found.operators.end(), test); };
  if (found.operators.contains("ImageDecoder")) return Class::image_decoding;
  if (has([](const std::string& op) { return op.starts_with("Random") || op == "Bernoulli" || op == "Multinomial"; })) {
    return Class::random;
  }
  if (has([](const std::string& op) { return op.starts_with("ai.onnx.preview.training."); })) return Class::training;
  if (found.strings) return Class::strings;
  bool sequence = false, optional = false;
  for (const auto* values : {&graph.input(), &graph.output()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      sequence = sequence || value.type().has_sequence_type();
      optional = optional || value.type().has_optional_type();
    }
  }
  return sequence ? Class::sequence : optional ? Class::optional : Class::numeric;
}

std::optional<Entry> read_entry(const std::string& name, const std::string& path) {
  const std::optional<std::string> bytes = verify::read_file(path);
  onnx::ModelProto model;
  if (!bytes || !model.ParseFromString(*bytes)) return {};
  Found found;
  visit(model.graph(), found);
  for (const onnx::FunctionProto& function : model.functions()) {
    for (const onnx::NodeProto& node : function.node()) visit(node, found);
  }
  return Entry{name, path, class_of(found, model.graph()), found.operators};
}

// The runner's tolerances of one model of real/, whose files are those of light/.
void read_tolerances(const std::string& path, Entry& entry) {
  const std::string text = verify::read_file(path).value_or("");
  for (const auto& [key, value] : {std::pair{"\"rtol\":", &entry.relative}, std::pair{"\"atol\":", &entry.absolute}}) {
    const size_t at = text.find(key);
    if (at != std::string::npos) *value = std::strtod(text.c_str() + at + std::string(key).size(), nullptr);
  }
}

// An operator's own test, rather than one in which it only occurs: test_add for Add.
int distance(const Entry& entry, const std::string& op) {
  std::string wanted, name;
  for (char c : op.substr(op.rfind('.') + 1)) wanted += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (char c : entry.name) {
    if (c != '_') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const bool named = name.find("/test" + wanted) != std::string::npos;
  return (named ? 0 : 1000) + static_cast<int>(entry.operators.size());
}

}  // namespace

std::string to_string(Class kind) {
  switch (kind) {
    case Class::image_decoding: return "image decoding";
    case Class::random: return "random";
    case Class::training: return "training";
    case Class::strings: return "strings";
    case Class::optional: return "optional";
    case Class::sequence: return "sequence";
    case Class::numeric: return "numeric";
  }
  return "";
}

std::vector<Entry> read_catalogue(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code missing;
  for (const char* kind : {"node", "simple", "pytorch-converted", "pytorch-operator"}) {
    for (const fs::directory_entry& test : fs::directory_iterator(folder + "/" + kind, missing)) {
      const std::string path = (test.path() / "model.onnx").string();
      if (!fs::exists(path)) continue;
      std::optional<Entry> entry = read_entry(cat(kind, "/", test.path().filename().string()), path);
      if (entry) entries.push_back(std::move(*entry));
    }
  }
  for (const fs::directory_entry& file : fs::directory_iterator(folder + "/light", missing)) {
    if (file.path().extension() != ".onnx") continue;
    const std::string stem = file.path().stem().string();
    std::optional<Entry> entry = read_entry("light/" + stem, file.path().string());
    if (!entry) continue;
    read_tolerances(cat(folder, "/real/test_", stem.substr(stem.find('_') + 1), "/data.json"), *entry);
    entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

std::vector<verify::DataSet> data_of(const Entry& entry) {
  if (!entry.name.starts_with("light/")) return {};
  verify::DataSet set;
  set.folder = fs::path(entry.path).parent_path().string();
  onnx::ModelProto model;
  if (!model.ParseFromString(verify::read_file(entry.path).value_or(""))) return {};
  std::set<std::string> initializers;
  for (const onnx::TensorProto& tensor : model.graph().initializer()) initializers.insert(tensor.name());
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (initializers.contains(input.name())) continue;
    Shape shape;
    for (const auto& dim : input.type().tensor_type().shape().dim())
      shape.dims.push_back(dim.has_dim_value() ? dim.dim_value() : 1);
    const int64_t count = shape.count();
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i) / static_cast<double>(count));
    set.inputs.push_back(Constant::floats(DType::float32, shape, values));
  }
  const std::string stem = entry.path.substr(0, entry.path.size() - 5);
  for (int i = 0; i < model.graph().output_size(); ++i) {
    Result<Constant> output = model::load_tensor(cat(stem, "_output_", i, ".pb"));
    if (output) set.outputs.push_back(std::move(*output));
  }
  return {std::move(set)};
}

std::vector<Entry> sample_of(const std::vector<Entry>& catalogue, size_t least, size_t each) {
  std::map<std::string, std::vector<const Entry*>> plain, expanded;  // by operator
  for (const Entry& entry : catalogue) {
    auto& into = entry.name.find("_expanded") == std::string::npos ? plain : expanded;
    for (const std::string& op : entry.operators) into[op].push_back(&entry);
  }
  std::set<std::string> chosen;
  size_t met = 0;
  for (const auto* by_operator : {&plain, &expanded}) {
    for (const auto& [op, entries] : *by_operator) {
      if (met++ % each != 0) continue;
      const auto best = std::min_element(entries.begin(), entries.end(), [&op = op](const Entry* a, const Entry* b) {
        return std::pair(distance(*a, op), a->name) < std::pair(distance(*b, op), b->name);
      });
      chosen.insert((*best)->name);
    }
  }
  for (size_t step = 16; chosen.size() < std::min(least, catalogue.size()) && step > 0; step /= 2) {
    for (size_t i = 0; i < catalogue.size(); i += step) chosen.insert(catalogue[i].name);
  }
  std::vector<Entry> sample;
  for (const Entry& entry : catalogue) {
    if (chosen.contains(entry.name)) sample.push_back(entry);
  }
  return sample;
}

}  // namespace tarn::conformance
