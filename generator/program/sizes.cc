#include "program/sizes.h"

#include <algorithm>
#include <optional>

#include "program/tuning.h"
#include "program/weight_bytes.h"
#include "support/checked.h"
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
  if (a.trips.has_value() != most.trips.has_value() || a.max_trips.has_value() != most.max_trips.has_value())
    return "makes another number of trips";
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

bool is_port(const Tensor& tensor) { return tensor.kind == Kind::input || tensor.kind == Kind::output; }

class Faults {
 public:
  explicit Faults(SizeName name) : name_(std::move(name)) {}

  void add(Where where, const std::string& message) {
    where.file = name_.file;
    faults_.push_back(
        {"E206", std::move(where), message,
         cat("one firmware holds at most ", name_.groups, " of sizes of '", name_.dimension,
             "' that make the same calls, with little more constants than the largest has: choose a smaller range")});
  }
  bool empty() const { return faults_.empty(); }
  Diagnostics take() { return std::move(faults_); }

 private:
  const SizeName name_;
  Diagnostics faults_;
};

// The weight is the beginning of these bytes.
bool begins(const Weight& weight, const std::vector<uint8_t>& bytes) {
  size_t seen = 0;
  bool same = true;
  weight.write([&](std::span<const uint8_t> piece) {
    same = same && seen + piece.size() <= bytes.size() &&
           std::equal(piece.begin(), piece.end(), bytes.begin() + static_cast<std::ptrdiff_t>(seen));
    seen += piece.size();
  });
  return same;
}

// Calls take a pointer to it as it is stored.
bool may_begin_elsewhere(const Program& program, WeightId id) {
  if (program[id].plain) return false;
  for (const Operation& operation : program.operations) {
    for (const Argument& a : operation.arguments) {
      if (a.weight == id && (a.role != Argument::Role::weight || a.tensor.valid())) return false;
    }
  }
  return std::all_of(program.kept.begin(), program.kept.end(), [&](const KeptState& k) { return k.first != id; });
}

// Where the constant stands among the bytes, behind which it is put if it is not there and they do not grow beyond
// `most`. Kernels may read elements of less than four bytes as words.
std::optional<int64_t> place_within(const Weight& weight, std::vector<uint8_t>& bytes, int64_t most) {
  const std::vector<uint8_t> part = bytes_of(weight);
  const int64_t step = bits_of(weight.dtype) < 32 ? 16 : bits_of(weight.dtype) / 8;
  const auto end = static_cast<int64_t>(bytes.size()), size = static_cast<int64_t>(part.size());
  for (int64_t at = 0; at + size <= end; at += step) {
    if (std::equal(part.begin(), part.end(), bytes.begin() + at)) return at;
  }
  const int64_t behind = round_up(end, step);
  if (behind + size > most) return {};
  bytes.resize(static_cast<size_t>(behind));
  bytes.insert(bytes.end(), part.begin(), part.end());
  return behind;
}

void read_at(Program& program, WeightId id, int64_t offset) {
  for (Operation& operation : program.operations) {
    for (Argument& argument : operation.arguments) {
      if (argument.weight == id) argument.weight_offset = offset;
    }
  }
}

}  // namespace

Diagnostics compare_calls(const Program& p, const SizeName& name, const Program& most, const std::string& largest) {
  Faults faults(name);
  const std::string here = "at " + name.at, there = "at " + largest;
  if (!p.symbols.empty()) {
    faults.add({}, cat("sizes that depend on data, in a network with run-time dimension '", name.dimension, "'"));
    return faults.take();
  }
  const bool same = p.tensors.size() == most.tensors.size() && p.operations.size() == most.operations.size() &&
                    p.main == most.main && p.inputs == most.inputs && p.outputs == most.outputs &&
                    p.states == most.states && p.epilogue == most.epilogue && p.weights.size() == most.weights.size();
  for (size_t i = 0; i < std::min(p.operations.size(), most.operations.size()); ++i) {
    const Operation &operation = p.operations[i], &other = most.operations[i];
    const std::string apart = operation.op != other.op
                                  ? cat("runs in the place of another operation ('", join(other.nodes), "')")
                                  : difference(operation, other);
    if (apart.empty()) continue;
    faults.add({.node_name = join(operation.nodes), .op = operation.op}, cat(here, " it ", apart, " than ", there));
    if (!same) return faults.take();  // what follows is shifted
  }
  if (!same && faults.empty()) faults.add({}, cat(here, " the network has other operations or constants than ", there));
  if (!faults.empty()) return faults.take();
  for (const TensorId id : p.states) {
    if (p[id].type != most[id].type)
      faults.add({.tensor = p[id].name}, cat(here, " the state kept from run to run has another size than ", there));
  }
  for (size_t i = 0; i < p.tensors.size(); ++i) {
    const Tensor &tensor = p.tensors[i], &other = most.tensors[i];
    if (tensor.type.dtype != other.type.dtype || tensor.type.shape.rank() != other.type.shape.rank())
      faults.add({.tensor = tensor.name},
                 cat(here, " the tensor is ", to_string(tensor.type), ", ", there, " ", to_string(other.type)));
    else if (is_port(tensor) && tensor.bytes() > other.bytes())
      // What callers are told of ports, counts and bytes, is of the largest size.
      faults.add({.tensor = tensor.name}, cat(here, " the tensor is larger than ", there));
  }
  return faults.take();
}

Diagnostics store_constants(const std::vector<Program*>& sizes, const std::vector<SizeName>& names) {
  Faults faults(names.front());
  Program& most = *sizes.back();
  int64_t left = kMostAdded;
  for (size_t w = 0; w < most.weights.size(); ++w) {
    Weight& largest = most.weights[w];
    if (sizes.size() < 2 || !largest.missing.empty()) continue;
    std::vector<uint8_t> bytes = bytes_of(largest);
    const auto own = static_cast<int64_t>(bytes.size());
    const bool may_move = may_begin_elsewhere(most, WeightId(w));
    // From the largest on: what is put behind for one size may serve those below.
    for (size_t i = sizes.size() - 1; i-- > 0;) {
      const Weight& weight = sizes[i]->weights[w];
      if (weight.dtype == largest.dtype && begins(weight, bytes)) continue;
      const std::optional<int64_t> at =
          weight.dtype == largest.dtype && may_move ? place_within(weight, bytes, own + left) : std::nullopt;
      if (!at) {
        faults.add({.tensor = largest.name},
                   cat("at ", names[i].at, " the constant has other values than at ", names.back().at));
        break;
      }
      read_at(*sizes[i], WeightId(w), *at / std::max(1, bits_of(weight.dtype) / 8));
    }
    const auto stored = static_cast<int64_t>(bytes.size());
    if (stored == own) continue;
    left -= stored - own;
    largest.count = stored * 8 / bits_of(largest.dtype);
    largest.write = [bytes = std::move(bytes)](const std::function<void(std::span<const uint8_t>)>& sink) {
      sink(bytes);
    };
  }
  return faults.take();
}

std::vector<WeightId> add_weights(const Program& program, std::vector<Weight>& weights) {
  std::vector<WeightId> at;
  const size_t there = weights.size();
  for (const Weight& weight : program.weights) {
    const auto holds = [&](size_t i) {
      const Weight& other = weights[i];
      if (weight.dtype != other.dtype || weight.bytes() > other.bytes() || weight.missing != other.missing)
        return false;
      return weight.missing.empty() ? begins(weight, bytes_of(other)) : weight.name == other.name;
    };
    // The one of the same name first: it is nearly always that.
    size_t found = there;
    for (size_t i = 0; i < there && found == there; ++i)
      if (weights[i].name == weight.name && holds(i)) found = i;
    for (size_t i = 0; i < there && found == there; ++i)
      if (weights[i].name != weight.name && holds(i)) found = i;
    at.emplace_back(found == there ? weights.size() : found);
    if (found == there) weights.push_back(weight);
  }
  return at;
}

void read_from(Program& program, const std::vector<WeightId>& weights) {
  program.weights.clear();
  for (Operation& operation : program.operations) {
    for (Argument& argument : operation.arguments) {
      if (argument.weight.valid()) argument.weight = weights[argument.weight.pos()];
    }
  }
}

void add_set_size(Program& program, const std::vector<std::string>& dimensions) {
  Tensor tensor;
  tensor.name = "size_of_" + join(dimensions, "_and_");
  tensor.type = {DType::int32, dimensions.size() > 1 ? Shape{std::ssize(dimensions)} : Shape{}};
  tensor.kind = Kind::state;
  program.set_size = TensorId(program.tensors.size());
  program.tensors.push_back(std::move(tensor));
}

}  // namespace tarn::program
