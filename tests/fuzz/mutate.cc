#include "fuzz/mutate.h"

#include "fuzz/random_query.h"
#include "support/text.h"

namespace tarn::fuzz {

namespace {

void collect(onnx::ModelProto& model, onnx::GraphProto& graph, std::vector<std::string> outer, std::vector<Body>& all) {
  all.push_back({&model, &graph, nullptr, graph.mutable_node(), outer});
  outer = values_of(all.back());
  if (all.size() > 64) return;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) collect(model, *attribute.mutable_g(), outer, all);
      for (onnx::GraphProto& g : *attribute.mutable_graphs()) collect(model, g, outer, all);
    }
  }
}

using Change = void (*)(const Body&, Decisions&);
struct Weighted {
  int weight;
  Change change;
};
constexpr Weighted kChanges[] = {
    {14, change_attribute}, {10, change_type},  {8, change_constant}, {2, change_external},
    {7, hold_still},        {8, change_wiring}, {8, change_operator}, {9, add_node},
    {14, insert_on_edge},   {4, remove_node},   {4, change_outputs},  {3, wrap_in_body},
    {3, make_function},     {3, change_names},  {3, change_versions}, {7, change_options},
};

}  // namespace

std::vector<Body> bodies_of(onnx::ModelProto& model) {
  std::vector<Body> all;
  collect(model, *model.mutable_graph(), {}, all);
  for (onnx::FunctionProto& function : *model.mutable_functions())
    all.push_back({&model, nullptr, &function, function.mutable_node(), {}});
  return all;
}

std::vector<std::string> values_of(const Body& body) {
  std::vector<std::string> names = body.outer;
  if (body.graph != nullptr) {
    for (const auto& input : body.graph->input()) names.push_back(input.name());
    for (const auto& tensor : body.graph->initializer()) names.push_back(tensor.name());
  } else {
    names.insert(names.end(), body.function->input().begin(), body.function->input().end());
  }
  for (const onnx::NodeProto& node : *body.nodes) {
    for (const std::string& output : node.output()) {
      if (!output.empty()) names.push_back(output);
    }
  }
  return names;
}

std::string fresh_name(const Body& body, Decisions& decide) {
  return cat("v", body.nodes->size(), "_", decide.below(10000));
}

void mutate(onnx::ModelProto& model, Decisions& decide) {
  int total = 0;
  for (const Weighted& w : kChanges) total += w.weight;
  const uint64_t times = 1 + (decide.one_in(2) ? 0 : decide.below(4));
  for (uint64_t i = 0; i < times; ++i) {
    if (decide.one_in(20)) {
      change_any_field(model, decide);
      continue;
    }
    const std::vector<Body> bodies = bodies_of(model);
    const Body& body = bodies[decide.one_in(2) ? 0 : decide.below(bodies.size())];
    auto pick = static_cast<int>(decide.below(static_cast<uint64_t>(total)));
    for (const Weighted& w : kChanges) {
      if ((pick -= w.weight) >= 0) continue;
      w.change(body, decide);
      break;
    }
  }
}

}  // namespace tarn::fuzz
