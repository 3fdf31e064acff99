#include "program/place_weights.h"

#include <algorithm>

#include "support/nearest.h"

namespace tarn::program {

namespace {

// What follows a star may begin anywhere. Only the last star met takes more when the text goes on otherwise: the ones
// before it have the least that they can, which leaves the most to those behind. So the time is at most the product of
// both lengths.
bool matches(std::string_view pattern, std::string_view text) {
  size_t at = 0, behind_star = std::string_view::npos, taken = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      behind_star = ++at;
      taken = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (behind_star != std::string_view::npos) {
      at = behind_star;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

// What a weight is called in the model: how it is packed stands behind that (Lowering::key). Empty: it is ours alone.
std::string name_in_model(const std::string& name, const std::map<std::string, std::string>& known) {
  for (std::string shorter = name; !shorter.empty();) {
    if (const auto found = known.find(shorter); found != known.end()) return found->second;
    const size_t end = shorter.find_last_of("/_");
    shorter.resize(end == std::string::npos ? 0 : end);
  }
  return known.empty() ? name : "";
}

// What people call it, its own name, and those of the nodes that read it.
std::vector<std::vector<std::string>> names_of_weights(const Program& program,
                                                       const std::map<std::string, std::string>& known) {
  std::vector<std::vector<std::string>> names;
  for (const Weight& weight : program.weights) names.push_back({name_in_model(weight.name, known), weight.name});
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
                          const std::string& file, const std::map<std::string, std::string>& known) {
  Diagnostics faults;
  const std::vector<std::vector<std::string>> names = names_of_weights(program, known);
  for (const auto& rule : rules) {
    bool any = false;
    for (size_t i = 0; i < names.size(); ++i) {
      const bool found = std::any_of(names[i].begin(), names[i].end(), [&](const std::string& name) {
        return !name.empty() && matches(rule.first, name);
      });
      if (found) program.weights[i].section = rule.second;
      any = any || found;
    }
    if (any) continue;
    std::vector<std::string> all;
    for (const std::vector<std::string>& of : names) {
      for (size_t n = 0; n < of.size(); ++n) {
        // How a weight is packed, and what is made beside it, have names of ours.
        if (n != 1 && !of[n].empty()) all.push_back(of[n]);
      }
    }
    Where where;
    where.file = file;
    where.node_name = rule.first;
    faults.push_back({"E209", where, "--weights-section names no layer with weights",
                      known_names(rule.first, all, "layers and weights")});
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
