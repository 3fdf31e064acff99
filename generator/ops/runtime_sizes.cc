#include "ops/runtime_sizes.h"

#include <algorithm>

#include "graph/worlds.h"
#include "ops/lowering.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Linear;
using program::Operation;
using program::Params;
using program::Program;
using program::Tensor;

class Join {
 public:
  Join(std::vector<Program> worlds, const std::vector<int64_t>& largest)
      : worlds_(std::move(worlds)), largest_(largest), used_(largest.size()) {
    for (int64_t most : largest) sample_.add_symbol(most);
  }

  // What does not fit; empty when all does.
  std::string run() {
    result_ = worlds_[0];
    for (const Program& w : worlds_) {
      if (w.tensors.size() != result_.tensors.size() || w.operations.size() != result_.operations.size() ||
          w.weights.size() != result_.weights.size()) {
        return "the kernels chosen depend on a run-time size";
      }
    }
    for (size_t i = 0; i < result_.weights.size(); ++i) {
      for (const Program& w : worlds_) {
        if (w.weights[i].count != result_.weights[i].count) return "weights depend on a run-time size";
      }
    }
    for (size_t i = 0; i < result_.tensors.size(); ++i) {
      if (!join_tensor(i))
        return "the size of '" + result_.tensors[i].name + "' is no linear function of run-time sizes";
    }
    result_.symbols.resize(largest_.size());
    for (size_t i = 0; i < result_.operations.size(); ++i) {
      if (!join_operation(i)) {
        return cat("a parameter of '", join(result_.operations[i].nodes), "' (", result_.operations[i].op,
                   ") is no linear function of run-time sizes");
      }
    }
    // A size that no kernel stores cannot be asked for; that of a loop nobody needed is not.
    for (size_t i = 0; i < used_.size(); ++i) {
      if (used_[i] && !result_.symbols[i].valid()) return "a run-time size is stored by no kernel";
    }
    result_.largest = largest_;
    return {};
  }

  Program take() { return std::move(result_); }

 private:
  std::optional<Linear> fit(const std::vector<int64_t>& seen) const {
    Linear linear{seen[0], {}};
    for (size_t s = 0; s < largest_.size(); ++s) {
      const int64_t here = sample_.values(1)[s];
      const size_t one = graph::Worlds::stepped(s, 0), two = graph::Worlds::stepped(s, 1);
      const int64_t first = sample_.values(one)[s] - here, second = sample_.values(two)[s] - here;
      const int64_t by_first = seen[one - 1] - seen[0], by_second = seen[two - 1] - seen[0];
      if (by_first == 0 && by_second == 0) continue;
      if (by_first % first != 0 || by_second * first != by_first * second) return {};
      linear.terms.push_back({static_cast<int>(s), by_first / first});
      linear.base -= by_first / first * here;
    }
    for (size_t s = 0; s < largest_.size(); ++s) {
      const size_t joint = graph::Worlds::joint(s);
      if (linear.at(sample_.values(joint)) != seen[joint - 1]) return {};
    }
    for (const Linear::Term& term : linear.terms) used_[static_cast<size_t>(term.symbol)] = true;
    return linear;
  }

  template <class Get>
  std::optional<Linear> fit_over(Get get) const {
    std::vector<int64_t> seen;
    for (const Program& w : worlds_) seen.push_back(get(w));
    return fit(seen);
  }

  bool join_tensor(size_t i) {
    Tensor& t = result_.tensors[i];
    const bool plain = t.geometry == default_geometry(t.type.shape);
    for (int axis = 0; axis < t.type.shape.rank(); ++axis) {
      const auto size = fit_over([&](const Program& w) { return w.tensors[i].type.shape[axis]; });
      if (!size) return false;
      if (size->constant()) continue;
      t.runtime.push_back({axis, *size});
      t.type.shape[axis] = size->at(largest_);
    }
    if (t.runtime.empty()) return true;
    if (plain) {
      t.geometry = default_geometry(t.type.shape);
    } else {
      t.geometry = {1, 1, t.type.shape.count()};
    }
    return true;
  }

  bool is_runtime(const Operation& operation) const {
    return std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const program::Argument& a) {
      return a.tensor.valid() && !result_[a.tensor].runtime.empty();
    });
  }

  // Fields that wait for views are settled: tensors of run-time sizes are dense.
  static program::FieldValue settled(const Program& w, const Operation& operation, const program::FieldValue& value) {
    if (const auto* pitch = std::get_if<program::Pitch>(&value)) {
      const program::Geometry& g = w[operation.arguments[pitch->argument].tensor].geometry;
      return (pitch->of == program::Pitch::Of::pixel ? g.channels : g.pixels * g.channels) * pitch->scale + pitch->plus;
    }
    if (const auto* run = std::get_if<program::Run>(&value)) {
      const program::Geometry& g = w[operation.arguments[run->argument].tensor].geometry;
      return run->outer ? int64_t{1} : g.count() * run->scale;
    }
    if (const auto* range = std::get_if<program::BlockRange>(&value)) {
      if (!range->end) return int64_t{0};
      for (const program::Argument& a : operation.arguments) {
        if (a.role != program::Argument::Role::write) continue;
        const program::Geometry& g = w[a.tensor].geometry;
        return range->pixels ? g.lines * g.pixels : g.lines;
      }
    }
    return value;
  }

  bool join_params(size_t i, bool runtime, Params& params, const std::vector<const Params*>& all) {
    for (size_t f = 0; f < params.fields.size(); ++f) {
      std::vector<program::FieldValue> seen;
      for (size_t w = 0; w < all.size(); ++w) {
        if (all[w]->fields.size() != params.fields.size()) return false;
        const program::FieldValue& value = all[w]->fields[f].value;
        seen.push_back(runtime ? settled(worlds_[w], worlds_[w].operations[i], value) : value);
      }
      program::FieldValue& out = params.fields[f].value;
      out = seen[0];
      if (std::holds_alternative<int64_t>(seen[0])) {
        std::vector<int64_t> numbers;
        for (const auto& v : seen) {
          if (!std::holds_alternative<int64_t>(v)) return false;
          numbers.push_back(std::get<int64_t>(v));
        }
        const auto linear = fit(numbers);
        if (!linear) return false;
        if (!linear->constant()) out = *linear;
      } else if (const auto* list = std::get_if<std::vector<int64_t>>(&seen[0])) {
        std::vector<Linear> linears;
        bool constant = true;
        for (size_t k = 0; k < list->size(); ++k) {
          std::vector<int64_t> numbers;
          for (const auto& v : seen) {
            const auto* other = std::get_if<std::vector<int64_t>>(&v);
            if (!other || other->size() != list->size()) return false;
            numbers.push_back((*other)[k]);
          }
          const auto linear = fit(numbers);
          if (!linear) return false;
          constant = constant && linear->constant();
          linears.push_back(*linear);
        }
        if (!constant) out = linears;
      } else if (std::holds_alternative<Params>(seen[0])) {
        std::vector<const Params*> inner;
        for (const Params* p : all) inner.push_back(&std::get<Params>(p->fields[f].value));
        if (!join_params(i, runtime, std::get<Params>(out), inner)) return false;
      } else if (const auto* real = std::get_if<program::Float32>(&seen[0])) {
        for (const auto& v : seen) {
          if (!std::holds_alternative<program::Float32>(v) || !(std::get<program::Float32>(v) == *real)) return false;
        }
      } else if (const auto* number = std::get_if<double>(&seen[0])) {
        for (const auto& v : seen) {
          if (!std::holds_alternative<double>(v) || std::get<double>(v) != *number) return false;
        }
      }
    }
    return true;
  }

  // The operation that stores a size works with the largest: that is its capacity.
  void settle_own(const Operation& operation, Params& params) const {
    auto settle = [&](Linear& linear) {
      std::erase_if(linear.terms, [&](const Linear::Term& term) {
        const program::TensorId id = result_.symbols[static_cast<size_t>(term.symbol)];
        const bool own = std::any_of(
            operation.arguments.begin(), operation.arguments.end(),
            [&](const program::Argument& a) { return a.role == program::Argument::Role::write && a.tensor == id; });
        if (own) linear.base += term.scale * largest_[static_cast<size_t>(term.symbol)];
        return own;
      });
    };
    for (program::Field& field : params.fields) {
      if (auto* linear = std::get_if<Linear>(&field.value)) settle(*linear);
      if (auto* list = std::get_if<std::vector<Linear>>(&field.value))
        std::for_each(list->begin(), list->end(), settle);
      if (auto* inner = std::get_if<Params>(&field.value)) settle_own(operation, *inner);
    }
  }

  bool join_operation(size_t i) {
    Operation& operation = result_.operations[i];
    std::vector<const Params*> params;
    for (const Program& w : worlds_) {
      const Operation& other = w.operations[i];
      if (other.kernel != operation.kernel || other.arguments.size() != operation.arguments.size()) return false;
      params.push_back(&other.params);
    }
    const bool runtime = is_runtime(operation);
    if (!join_params(i, runtime, operation.params, params)) return false;
    settle_own(operation, operation.params);
    const auto macs = fit_over([&](const Program& w) { return w.operations[i].macs; });
    if (macs) operation.macs = macs->at(largest_);
    if (operation.trips) {
      const auto trips = fit_over([&](const Program& w) { return w.operations[i].trips.value_or(0); });
      if (!trips || !trips->constant()) return false;
    }
    if (operation.max_trips) {
      const auto trips = fit_over([&](const Program& w) { return w.operations[i].max_trips.value_or(0); });
      if (!trips || (operation.arguments.size() < 4 && !trips->constant())) return false;
      operation.max_trips = trips->at(largest_);
    }
    if (!runtime) return true;
    for (program::Argument& a : operation.arguments) {
      a.pitched = false;
      // Tables of lines and columns are for one size; element by element holds for all.
      if (a.walk && !(a.walk->identity && a.walk->read_before_write)) a.walk.reset();
      if (a.role == program::Argument::Role::lines) {
        const auto count = fit_over([&](const Program& w) {
          for (const program::Argument& b : w.operations[i].arguments) {
            if (b.role == program::Argument::Role::lines) return b.count;
          }
          return int64_t{0};
        });
        if (!count || !count->constant()) return false;
      }
    }
    // A view holds if it does in all worlds: that is, when it is the whole.
    if (operation.view) {
      for (const Program& w : worlds_) {
        const auto& view = w.operations[i].view;
        if (!operation.view || !view || view->offset != 0 || w[view->part].bytes() != w[view->whole].bytes())
          operation.view.reset();
      }
    }
    return true;
  }

  std::vector<Program> worlds_;
  const std::vector<int64_t>& largest_;
  mutable std::vector<bool> used_;  // by symbol: something depends on it
  graph::Worlds sample_;
  Program result_;
};

}  // namespace

graph::Graph in_world(const graph::Graph& graph, const std::vector<int64_t>& symbols) {
  graph::Graph copy = graph;
  for (graph::Value& value : copy.values) value.type.shape = graph::shape_at(value, symbols);
  for (graph::Node& node : copy.nodes) {
    for (graph::Graph& body : node.bodies) body = in_world(body, symbols);
  }
  return copy;
}

Result<Program> join_worlds(std::vector<Program> worlds, const std::vector<int64_t>& largest, const std::string& file) {
  Join join(std::move(worlds), largest);
  const std::string fault = join.run();
  if (!fault.empty()) {
    return Diagnostic{
        "E208", {.file = file}, fault, "fix the size: --dim for an input, --const for the value that decides it"};
  }
  return join.take();
}

}  // namespace tarn::ops
