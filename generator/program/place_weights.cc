#include "program/place_weights.h"

#include <algorithm>

#include "support/nearest.h"

namespace tarn::program {

namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  // What follows the star may begin anywhere.
  for (size_t at = 0; at <= text.size(); ++at) {
    if (matches(pattern, text.substr(at))) return true;
  }
  return false;
}

// Its own name, and those of the nodes that read it.
std::vector<std::vector<std::string>> names_of_weights(const Program& program) {
  std::vector<std::vector<std::string>> names;
  for (const Weight& weight : program.weights) names.push_back({weight.name});
  for (const Operation& operation : program.operations) {
    for (const Argument& argument : operation.arguments) {
      if (!argument.weight.valid()) continue;
      std::vector<std::string>& of = names[argument.weight.pos()];
      of.insert(of.end(), operation.nodes.begin(), operation.nodes.end());
    }
  }
  return names;
}

}  // namespace

Diagnostics place_weights(Program& program, const std::vector<std::pair<std::string, std::string>>& rules,
                          const std::string& file) {
  Diagnostics faults;
  const std::vector<std::vector<std::string>> names = names_of_weights(program);
  for (const auto& rule : rules) {
    bool any = false;
    for (size_t i = 0; i < names.size(); ++i) {
      const bool found = std::any_of(names[i].begin(), names[i].end(),
                                     [&](const std::string& name) { return matches(rule.first, name); });
      if (found) program.weights[i].section = rule.second;
      any = any || found;
    }
    if (any) continue;
    std::vector<std::string> all;
    for (const std::vector<std::string>& of : names) all.insert(all.end(), of.begin(), of.end());
    Where where;
    where.file = file;
    where.node_name = rule.first;
    faults.push_back({"E209", where, "--weights-section names no layer with weights", did_you_mean(rule.first, all)});
  }
  return faults;
}

void hold_image_address(Program& program) {
  if (program.weights.empty()) return;
  program.image = TensorId(program.tensors.size());
  Tensor address;
  address.name = "weights_image";
  address.type = {DType::uint8, Shape({kImageAddressBytes})};
  address.geometry = {1, 1, kImageAddressBytes};
  address.kind = Kind::state;
  program.tensors.push_back(std::move(address));
}

}  // namespace tarn::program
