#include "graph/assume.h"

#include <algorithm>

#include "graph/bind.h"

namespace tarn::graph {

namespace {

constexpr int64_t kMostElements = 16;  // of an input, and
constexpr size_t kMostInAll = 32;      // of all of them: each costs one build per round
constexpr int kRounds = 3;

bool same_attribute(const Attribute& a, const Attribute& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        const T& right = std::get<T>(b);
        if constexpr (std::is_same_v<T, Constant>) {
          return left.same_as(right);
        } else if constexpr (std::is_same_v<T, std::vector<Constant>>) {
          return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                            [](const Constant& x, const Constant& y) { return x.same_as(y); });
        } else if constexpr (std::is_same_v<T, model::Type>) {
          return left.kind == right.kind && left.dtype == right.dtype && left.dims == right.dims &&
                 left.element == right.element;
        } else {
          return left == right;
        }
      },
      a);
}

bool same_graph(const Graph& a, const Graph& b);

bool same_node(const Node& a, const Node& b) {
  return a.op == b.op && a.domain == b.domain && a.version == b.version && a.inputs == b.inputs &&
         a.outputs == b.outputs && a.captures == b.captures &&
         std::equal(
             a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(),
             [](const auto& x, const auto& y) { return x.first == y.first && same_attribute(x.second, y.second); }) &&
         std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(), same_graph);
}

bool same_value(const Value& a, const Value& b) {
  if (a.type != b.type || a.runtime_dims != b.runtime_dims || !a.constant != !b.constant) return false;
  return !a.constant || a.constant == b.constant || a.constant->same_as(*b.constant);
}

bool same_graph(const Graph& a, const Graph& b) {
  return a.inputs == b.inputs && a.outputs == b.outputs &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same_value) &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_node);
}

// Sizes in one row, output by output; -1: not known.
using Sizes = std::vector<int64_t>;

class Search {
 public:
  Search(const model::Model& model, const BuildOptions& options,
         const std::function<Result<Built>(const BuildOptions&)>& attempt)
      : options_(options), attempt_(attempt) {
    Binding binding(options.dims);
    for (const model::ValueInfo& input : model.graph.inputs) add_input(input, binding);
    for (const model::ValueInfo& output : model.graph.outputs) {
      ranks_.push_back(output.type.dims ? static_cast<int>(output.type.dims->size()) : -1);
      if (!output.type.dims) continue;
      for (const model::Dim& dim : *output.type.dims) {
        wanted_.push_back(binding.is_bound(dim) ? -1 : binding.declared_dim(dim).value_or(-1));
      }
    }
  }

  std::optional<Built> run() {
    if (inputs_.empty() || deciding_.size() > kMostInAll) return {};
    for (int64_t start : {1, 2, 3}) {
      values_.assign(deciding_.size(), start);
      deciding_.assign(deciding_.size(), false);
      if (std::optional<Built> built = solve()) return release(std::move(*built));
    }
    return {};
  }

 private:
  struct Input {
    std::string name;
    DType dtype = DType::int64;
    Shape shape;
    size_t first = 0;  // in values_
    bool assumed = true;
    size_t count() const { return static_cast<size_t>(shape.count()); }
  };

  void add_input(const model::ValueInfo& info, const Binding& binding) {
    const model::Type& type = info.type;
    if (type.kind != model::Type::Kind::tensor || !type.dims || type.dims->size() > 1 ||
        options_.constants.contains(info.name))
      return;
    if (type.dtype != DType::int64 && type.dtype != DType::int32) return;
    Input input{info.name, type.dtype, {}, deciding_.size()};
    for (const model::Dim& dim : *type.dims) {
      const std::optional<int64_t> size = binding.declared_dim(dim);
      if (!size || *size < 1 || *size > kMostElements) return;
      input.shape.dims.push_back(*size);
    }
    deciding_.resize(deciding_.size() + input.count(), false);
    inputs_.push_back(std::move(input));
  }

  std::optional<Built> attempt(const std::vector<int64_t>& values) const {
    BuildOptions options = options_;
    for (const Input& input : inputs_) {
      if (!input.assumed) continue;
      const auto first = static_cast<std::ptrdiff_t>(input.first),
                 end = first + static_cast<std::ptrdiff_t>(input.count());
      Assumption assumption{Constant::ints(input.dtype, input.shape, {values.begin() + first, values.begin() + end}),
                            {}};
      for (size_t i = input.first; i < input.first + input.count(); ++i)
        assumption.checked.push_back(deciding_[i] ? values[i] : -1);
      options.assumptions.emplace(input.name, std::move(assumption));
    }
    Result<Built> built = attempt_(options);
    if (!built || !built->symbols.empty() || built->graph.outputs.size() != ranks_.size()) return {};
    for (size_t o = 0; o < ranks_.size(); ++o) {
      if (ranks_[o] >= 0 && built->graph.shape(built->graph.outputs[o]).rank() != ranks_[o]) return {};
    }
    return std::move(*built);
  }

  Sizes sizes_of(const Built& built) const {
    Sizes sizes;
    for (size_t o = 0; o < ranks_.size(); ++o) {
      if (ranks_[o] < 0) continue;
      const Shape& shape = built.graph.shape(built.graph.outputs[o]);
      sizes.insert(sizes.end(), shape.dims.begin(), shape.dims.end());
    }
    return sizes;
  }

  bool fits(const Sizes& sizes) const {
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (wanted_[i] >= 0 && sizes[i] != wanted_[i]) return false;
    }
    return true;
  }

  // The value of an element that leads to the wanted size, by the size that one more or less of it leads to; nothing
  // when there is none. An element that nothing else is possible for is as it must be.
  std::optional<int64_t> step(size_t element, const Sizes& here) {
    for (int64_t more : {1, -1}) {
      std::vector<int64_t> other = values_;
      other[element] += more;
      const std::optional<Built> built = other[element] >= 0 ? attempt(other) : std::nullopt;
      if (!built) continue;
      const Sizes there = sizes_of(*built);
      if (there == here) return values_[element];
      for (size_t i = 0; i < here.size(); ++i) {
        const int64_t slope = (there[i] - here[i]) * more;
        if (slope == 0 || wanted_[i] < 0) continue;
        deciding_[element] = true;
        const int64_t missing = wanted_[i] - here[i], value = values_[element] + missing / slope;
        if (missing % slope != 0 || value < 0) return {};
        return value;
      }
      return {};
    }
    deciding_[element] = true;
    return values_[element];
  }

  // Values that lead to the declared sizes, found one element at a time.
  std::optional<Built> solve() {
    for (int round = 0; round < kRounds; ++round) {
      const std::optional<Built> built = attempt(values_);
      if (!built) return {};
      const Sizes here = sizes_of(*built);
      std::vector<int64_t> next;
      for (size_t e = 0; e < values_.size(); ++e) {
        const auto value = step(e, here);
        if (!value) return {};
        next.push_back(*value);
      }
      if (fits(here)) return attempt(values_);  // once more: by now it is known which elements are to be checked
      values_ = std::move(next);
    }
    return {};
  }

  // Inputs that decide nothing stay what they are; what is taken for granted without being checked must not matter.
  std::optional<Built> release(Built built) {
    for (Input& input : inputs_) {
      const auto first = deciding_.begin() + static_cast<std::ptrdiff_t>(input.first);
      const bool decides = std::find(first, first + static_cast<std::ptrdiff_t>(input.count()), true) !=
                           first + static_cast<std::ptrdiff_t>(input.count());
      if (decides) continue;
      input.assumed = false;
      std::optional<Built> without = attempt(values_);
      if (without && fits(sizes_of(*without))) built = std::move(*without);
      else input.assumed = true;
    }
    for (int64_t more : {1, 5, -1, -9}) {
      std::vector<int64_t> other = values_;
      for (size_t e = 0; e < other.size(); ++e) other[e] += deciding_[e] ? 0 : more;
      const std::optional<Built> same = attempt(other);
      if (!same || !same_graph(built.graph, same->graph)) return {};
    }
    return built;
  }

  const BuildOptions& options_;
  const std::function<Result<Built>(const BuildOptions&)>& attempt_;
  std::vector<Input> inputs_;
  std::vector<int> ranks_;  // declared, by output; -1: not even that
  Sizes wanted_;
  std::vector<int64_t> values_;  // of all elements of all inputs
  std::vector<bool> deciding_;   // the sizes depend on them
};

}  // namespace

std::optional<Built> build_assuming(const model::Model& model, const BuildOptions& options, const Diagnostics& faults,
                                    const std::function<Result<Built>(const BuildOptions&)>& attempt) {
  const bool for_want_of_values = std::all_of(faults.begin(), faults.end(), [](const Diagnostic& d) {
    return d.code == "E206" || d.code == "E208" || d.code == "E210";
  });
  if (!for_want_of_values || options.opaque_operators) return {};
  return Search(model, options, attempt).run();
}

}  // namespace tarn::graph
