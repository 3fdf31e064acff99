#include "program/sizes.h"

#include <algorithm>
#include <optional>

#include "support/text.h"

namespace tarn::program {

namespace {

bool same_form(const Params& a, const Params& b);

// Numbers may differ; what kind they are, and how many stand in a list, may not.
bool same_form(const FieldValue& a, const FieldValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&a))
    return list->size() == std::get<std::vector<int64_t>>(b).size();
  if (const auto* inner = std::get_if<Params>(&a)) return same_form(*inner, std::get<Params>(b));
  return true;
}

bool same_form(const Params& a, const Params& b) {
  const auto same = [](const Field& x, const Field& y) { return x.name == y.name && same_form(x.value, y.value); };
  return a.type == b.type && std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), same);
}

bool same_operand(const Argument& a, const Argument& b) {
  return a.role == b.role && a.tensor == b.tensor && a.weight == b.weight && a.pitched == b.pitched &&
         a.c_type == b.c_type;
}

// What an operation of one size does otherwise than the largest size's; empty: nothing but numbers.
std::string difference(const Operation& a, const Operation& most) {
  if (a.kernel != most.kernel) return cat("is computed by another kernel (", a.kernel, ", ", most.kernel, ")");
  if (a.control != most.control || a.bodies != most.bodies) return "runs other operations";
  if (a.max_trips != most.max_trips) return "makes another number of trips";
  if (a.returns_status != most.returns_status || !same_form(a.params, most.params)) return "takes other parameters";
  if (!std::equal(a.arguments.begin(), a.arguments.end(), most.arguments.begin(), most.arguments.end(), same_operand))
    return "takes other operands";
  const auto lines = [](const Operation& operation) {
    int64_t count = 0;
    for (const Argument& argument : operation.arguments) count = std::max(count, argument.count);
    return count;
  };
  if (lines(a) > lines(most)) return "needs more lines at a time";
  return {};
}

class Check {
 public:
  Check(const std::vector<const Program*>& sizes, const std::string& dimension, int64_t low, const std::string& file)
      : sizes_(sizes), most_(*sizes.back()), dimension_(dimension), low_(low), file_(file) {}

  Diagnostics run() {
    for (size_t i = 0; i + 1 < sizes_.size() && faults_.empty(); ++i) check(*sizes_[i], low_ + static_cast<int64_t>(i));
    for (size_t w = 0; w < most_.weights.size() && faults_.empty(); ++w) check_weight(w);
    return std::move(faults_);
  }

 private:
  std::string at(int64_t n) const { return cat("at ", dimension_, "=", n); }
  std::string largest() const { return cat(dimension_, "=", low_ + static_cast<int64_t>(sizes_.size()) - 1); }

  void fault(Where where, const std::string& message) {
    where.file = file_;
    faults_.push_back({"E206", std::move(where), message,
                       cat("one firmware for several sizes of '", dimension_,
                           "' makes the same calls at each: choose a range without that size, or build it by itself")});
  }

  void check(const Program& p, int64_t n) {
    if (!p.symbols.empty())
      return fault({}, cat("sizes that depend on data, in a network with run-time dimension '", dimension_, "'"));
    const bool same = p.tensors.size() == most_.tensors.size() && p.operations.size() == most_.operations.size() &&
                      p.main == most_.main && p.inputs == most_.inputs && p.outputs == most_.outputs &&
                      p.states == most_.states && p.epilogue == most_.epilogue &&
                      p.weights.size() == most_.weights.size();
    for (size_t i = 0; i < std::min(p.operations.size(), most_.operations.size()); ++i) {
      const Operation &operation = p.operations[i], &largest_one = most_.operations[i];
      const std::string apart = operation.op != largest_one.op
                                    ? cat("runs in the place of another operation ('", join(largest_one.nodes), "')")
                                    : difference(operation, largest_one);
      if (apart.empty()) continue;
      fault({.node_name = join(operation.nodes), .op = operation.op},
            cat(at(n), " it ", apart, " than at ", largest()));
      if (!same) return;  // what follows is shifted
    }
    if (!same && faults_.empty())
      return fault({}, cat(at(n), " the network has other operations or constants than at ", largest()));
    for (const TensorId id : p.states) {
      if (faults_.empty() && p[id].type != most_[id].type)
        fault({.tensor = p[id].name},
              cat(at(n), " the state kept from run to run has another size than at ", largest()));
    }
    for (size_t i = 0; i < p.tensors.size() && faults_.empty(); ++i) {
      const Tensor &tensor = p.tensors[i], &largest_one = most_.tensors[i];
      if (tensor.type.dtype != largest_one.type.dtype || tensor.type.shape.rank() != largest_one.type.shape.rank())
        fault({.tensor = tensor.name}, cat(at(n), " the tensor is ", to_string(tensor.type), ", at ", largest(), " ",
                                           to_string(largest_one.type)));
      else if (tensor.bytes() > largest_one.bytes())
        fault({.tensor = tensor.name}, cat(at(n), " the tensor is larger than at ", largest()));
    }
  }

  // Bytes of one weight are the largest size's, from the first on.
  void check_weight(size_t w) {
    const Weight& most = most_.weights[w];
    if (!most.missing.empty()) return;
    std::vector<uint8_t> bytes;
    bytes.reserve(static_cast<size_t>(most.bytes()));
    most.write([&](std::span<const uint8_t> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    for (size_t i = 0; i + 1 < sizes_.size(); ++i) {
      const Weight& weight = sizes_[i]->weights[w];
      size_t seen = 0;
      bool same = weight.dtype == most.dtype && weight.bytes() <= most.bytes();
      if (same && weight.write) {
        weight.write([&](std::span<const uint8_t> piece) {
          same = same && seen + piece.size() <= bytes.size() &&
                 std::equal(piece.begin(), piece.end(), bytes.begin() + static_cast<std::ptrdiff_t>(seen));
          seen += piece.size();
        });
      }
      if (same) continue;
      return fault({.tensor = most.name},
                   cat(at(low_ + static_cast<int64_t>(i)), " the constant has other values than at ", largest()));
    }
  }

  const std::vector<const Program*>& sizes_;
  const Program& most_;
  const std::string& dimension_;
  const int64_t low_;
  const std::string& file_;
  Diagnostics faults_;
};

}  // namespace

void add_set_size(Program& program, const std::string& dimension) {
  Tensor tensor;
  tensor.name = "size_of_" + dimension;
  tensor.type = {DType::int32, Shape{}};
  tensor.kind = Kind::state;
  program.set_size = TensorId(program.tensors.size());
  program.tensors.push_back(std::move(tensor));
}

Diagnostics check_sizes(const std::vector<const Program*>& sizes, const std::string& dimension, int64_t low,
                        const std::string& file) {
  return Check(sizes, dimension, low, file).run();
}

}  // namespace tarn::program
