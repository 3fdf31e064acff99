#include "graph/bind.h"

#include <algorithm>

#include "support/text.h"
#include "symbolic/evaluate.h"

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
  if (const std::optional<int64_t> derived = derived_dim(dim.symbol)) return derived;
  missing_.push_back({names.front(), input, axis});
  return {};
}

std::optional<int64_t> Binding::derived_dim(const std::string& symbol) {
  const std::optional<std::vector<std::string>> names = symbolic::names_in(symbol);
  if (!names) return {};
  const std::optional<int64_t> value = symbolic::evaluate(symbol, [&](const std::string& name) {
    const auto it = given_.find(name);
    return it == given_.end() ? std::optional<int64_t>() : it->second;
  });
  if (!value || *value < 0) return {};
  for (const std::string& name : *names) used_[name] = given_.at(name);
  return value;
}

bool Binding::follows(const Missing& missing) const {
  const std::optional<std::vector<std::string>> names = symbolic::names_in(missing.name);
  const auto is_known = [&](const std::string& name) {
    return given_.contains(name) ||
           std::any_of(missing_.begin(), missing_.end(), [&](const Missing& m) { return m.name == name; });
  };
  const auto is_missing = [&](const std::string& name) { return !given_.contains(name); };
  return names && std::all_of(names->begin(), names->end(), is_known) &&
         std::any_of(names->begin(), names->end(), is_missing);
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
    if (!follows(m) && std::find(names.begin(), names.end(), m.name) == names.end()) names.push_back(m.name);
  }
  return names;
}

Diagnostics Binding::faults(const std::string& file) const {
  if (missing_.empty()) return {};
  std::vector<std::string> places, hints;
  for (const Missing& m : missing_) {
    if (!follows(m)) places.push_back(cat("'", m.name, "' (axis ", m.axis, " of input '", m.input, "')"));
  }
  for (const std::string& name : missing_names()) hints.push_back(cat("--dim ", name, "=1"));
  return {{"E202",
           {.file = file},
           cat("dimension", places.size() > 1 ? "s" : "", " not bound: ", join(places)),
           "give each a value: " + join(hints, " ")}};
}

}  // namespace tarn::graph
