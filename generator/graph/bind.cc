#include "graph/bind.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::graph {

std::optional<int64_t> Binding::input_dim(const model::Dim& dim, const std::string& input, int axis) {
  if (dim.value) return dim.value;
  std::vector<std::string> names;
  if (!dim.symbol.empty()) names.push_back(dim.symbol);
  names.push_back(cat(input, ":", axis));
  if (dim.symbol.empty()) names.push_back(cat("?", axis));
  for (const std::string& name : names) {
    auto it = given_.find(name);
    if (it == given_.end()) continue;
    used_[name] = it->second;
    return it->second;
  }
  missing_.push_back({names.front(), input, axis});
  return {};
}

std::optional<int64_t> Binding::declared_dim(const model::Dim& dim) const {
  if (dim.value) return dim.value;
  auto it = given_.find(dim.symbol);
  if (dim.symbol.empty() || it == given_.end()) return {};
  return it->second;
}

bool Binding::is_bound(const model::Dim& dim) const {
  return !dim.value && given_.contains(dim.symbol) && !used_.contains(dim.symbol);
}

std::vector<std::string> Binding::unknown_names(const std::set<std::string>& declared_symbols) const {
  std::vector<std::string> names;
  for (const auto& [name, value] : given_) {
    if (!used_.contains(name) && !declared_symbols.contains(name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> Binding::missing_names() const {
  std::vector<std::string> names;
  for (const Missing& m : missing_) {
    if (std::find(names.begin(), names.end(), m.name) == names.end()) names.push_back(m.name);
  }
  return names;
}

Diagnostics Binding::faults(const std::string& file) const {
  if (missing_.empty()) return {};
  std::vector<std::string> places, hints;
  for (const Missing& m : missing_)
    places.push_back(cat("'", m.name, "' (axis ", m.axis, " of input '", m.input, "')"));
  for (const std::string& name : missing_names()) hints.push_back(cat("--dim ", name, "=1"));
  return {{"E202",
           {.file = file},
           cat("dimension", places.size() > 1 ? "s" : "", " not bound: ", join(places)),
           "give each a value: " + join(hints, " ")}};
}

}  // namespace tarn::graph
