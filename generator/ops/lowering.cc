#include "ops/lowering.h"

#include <algorithm>
#include <cstring>

#include "graph/likely_values.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::ops {

Geometry default_geometry(const Shape& shape) {
  const int rank = shape.rank();
  Geometry g;
  if (rank >= 1) g.channels = shape[rank - 1];
  if (rank >= 2) g.pixels = shape[rank - 2];
  if (rank >= 3) g.lines = shape.count(0, rank - 2);
  return g;
}

namespace {

template <class T>
std::function<void(const std::function<void(std::span<const uint8_t>)>&)> writer_of(std::vector<T> values) {
  return [values = std::move(values)](const std::function<void(std::span<const uint8_t>)>& sink) {
    sink({reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)});
  };
}

// Entries that take the axes as they come count the steps of a signal as the pixels of one line.
void turn_walks(const program::Program& program, Operation& operation) {
  const Geometry* y = nullptr;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::write && !y) y = &program[a.tensor].geometry;
  }
  for (Argument& a : operation.arguments) {
    if (!y || a.role != Argument::Role::read || !a.walk || a.walk->same_place || a.walk->identity) continue;
    Walk& walk = *a.walk;
    const Geometry& x = program[a.tensor].geometry;
    const auto fit = [&](const std::vector<program::Span>& lines, const std::vector<program::Span>& columns) {
      const auto within = [](const std::vector<program::Span>& spans, int64_t most) {
        return std::all_of(spans.begin(), spans.end(), [&](const program::Span& s) { return s.end <= most; });
      };
      return static_cast<int64_t>(lines.size()) == y->lines && static_cast<int64_t>(columns.size()) == y->pixels &&
             within(lines, x.lines) && within(columns, x.pixels);
    };
    if (fit(walk.lines, walk.columns)) continue;
    if (fit(walk.columns, walk.lines)) std::swap(walk.lines, walk.columns);
    else a.walk.reset();
  }
}

// Constants lie dense: where a kernel asks for a pitch of one, or counts its pixels, the answer is a number.
// `constant`: the geometry of an argument that is one.
void settle_constants(program::Params& params, const std::function<std::optional<Geometry>(size_t)>& constant) {
  for (Field& field : params.fields) {
    if (auto* inner = std::get_if<program::Params>(&field.value)) {
      settle_constants(*inner, constant);
    } else if (const auto* pitch = std::get_if<program::Pitch>(&field.value)) {
      if (const auto g = constant(pitch->argument)) {
        const int64_t elements = pitch->of == program::Pitch::Of::pixel ? g->channels : g->pixels * g->channels;
        field.value = elements * pitch->scale + pitch->plus;
      }
    } else if (const auto* run = std::get_if<program::Run>(&field.value)) {
      if (const auto g = constant(run->argument))
        field.value = run->outer ? g->lines * g->pixels : g->channels * run->scale;
    }
  }
}

}  // namespace

FieldValue pitch_of(const Argument& argument, size_t at, program::Pitch::Of of, int64_t dense) {
  if (!argument.tensor.valid()) return dense;
  return program::Pitch{of, at};
}

std::string kernel_suffix(DType dtype) {
  switch (dtype) {
    case DType::float32: return "f32";
    case DType::float64: return "f64";
    case DType::float16: return "f16";
    case DType::bfloat16: return "bf16";
    case DType::int8: return "s8";
    case DType::int16: return "s16";
    case DType::int32: return "s32";
    case DType::int64: return "s64";
    case DType::uint8: return "u8";
    case DType::uint16: return "u16";
    case DType::uint32: return "u32";
    case DType::uint64: return "u64";
    case DType::boolean: return "bool";
    default: return to_string(dtype);
  }
}

bool is_kernel_type(DType dtype) { return dtype >= DType::float32 && dtype <= DType::boolean; }
bool is_kernel_float(DType dtype) { return dtype >= DType::float32 && dtype <= DType::bfloat16; }

std::string bytes_suffix(DType dtype) { return cat("b", bytes_for(dtype, 1)); }

Lowering::Lowering(const Graph& graph, program::Program& program, const LoweringOptions& options)
    : graph_(graph),
      program_(program),
      options_(options),
      weights_(std::make_shared<std::map<std::string, WeightId>>()),
      graphs_(std::make_shared<int>(0)),
      operations_(&program.main) {}

Lowering::Lowering(const Graph& body, Lowering& outer, std::vector<program::OperationId>& operations)
    : graph_(body),
      program_(outer.program_),
      options_(outer.options_),
      weights_(outer.weights_),
      graphs_(outer.graphs_),
      number_(++*outer.graphs_),
      operations_(&operations) {}

Geometry Lowering::geometry(const Shape& shape) const {
  Geometry g = default_geometry(shape);
  if (options_.time_lines && g.lines == 1) std::swap(g.lines, g.pixels);
  return g;
}

TensorId Lowering::tensor(ValueId id) {
  TARN_CHECK(!constant(id));  // a tensor of its own would never be written
  auto [it, added] = tensors_.try_emplace(id);
  if (added) {
    const graph::Value& value = graph_[id];
    it->second = new_tensor(value.name, value.type.dtype, value.type.shape, program::Kind::activation);
  }
  return it->second;
}

void Lowering::tell_likely_values() {
  if (options_.target == "generic") return;  // no time is told of it
  const std::vector<graph::LikelyValues> all = graph::likely_values(graph_);
  for (const auto& [id, tensor] : tensors_) {
    if (!is_float(graph_.dtype(id))) continue;
    const graph::LikelyValues& values = all[id.pos()];
    program::LikelySizes& likely = program_[tensor].likely.emplace();
    double before = likely.zeros = values.floor == 0.0 ? graph::share_cut(values) : 0;
    for (size_t i = 0; i < likely.shares.size(); ++i) {
      const bool last = i == program::kLikelyBounds.size();
      const double up_to = last ? 1 : std::max(before, graph::share_up_to(values, program::kLikelyBounds[i]));
      likely.shares[i] = up_to - before;
      before = up_to;
    }
  }
}

TensorId Lowering::new_tensor(const std::string& name, DType dtype, Shape shape, program::Kind kind) {
  program::Tensor tensor;
  tensor.name = name;
  tensor.geometry = geometry(shape);
  tensor.type = {dtype, std::move(shape)};
  tensor.kind = kind;
  program_.tensors.push_back(std::move(tensor));
  return TensorId(program_.tensors.size() - 1);
}

Argument Lowering::read(TensorId id) {
  Argument argument;
  argument.role = Argument::Role::read;
  argument.tensor = id;
  return argument;
}

Argument Lowering::write(TensorId id) {
  Argument argument;
  argument.role = Argument::Role::write;
  argument.tensor = id;
  return argument;
}

Argument Lowering::read(ValueId id) {
  if (!id) return none();
  if (const Constant* c = constant(id)) return weight(key(id, ""), *c);
  return read(tensor(id));
}

Argument Lowering::read(ValueId id, Walk walk, bool pitched) {
  Argument argument = read(id);
  if (argument.role != Argument::Role::read) return argument;
  argument.walk = std::move(walk);
  argument.pitched = pitched;
  return argument;
}

Argument Lowering::write(ValueId id, bool pitched) {
  if (!id) return none();
  Argument argument = write(tensor(id));
  argument.pitched = pitched;
  return argument;
}

Argument Lowering::update(ValueId id) {
  Argument argument = write(tensor(id));
  argument.role = Argument::Role::update;
  return argument;
}

Argument Lowering::none() const { return {}; }

Argument Lowering::lines(int64_t count, DType dtype) const {
  Argument argument;
  argument.c_type = c_type(dtype);
  argument.role = Argument::Role::lines;
  argument.count = count;
  return argument;
}

Argument Lowering::scratch(DType dtype, int64_t count, const std::string& what) {
  Argument argument;
  argument.role = Argument::Role::scratch;
  argument.tensor = new_tensor(what, dtype, Shape{count}, program::Kind::scratch);
  return argument;
}

std::string Lowering::key(ValueId id, const std::string& packing) const {
  return cat(number_, "/", id.value, ":", graph_[id].name, packing);
}

Argument Lowering::weight(const std::string& key, DType dtype, int64_t count,
                          const std::vector<const Constant*>& sources,
                          std::function<void(const std::function<void(std::span<const uint8_t>)>&)> write) {
  Argument argument;
  argument.role = Argument::Role::weight;
  auto [it, added] = weights_->try_emplace(key);
  if (added) {
    program::Weight w;
    w.name = key.substr(key.find(':') + 1);
    w.dtype = dtype;
    w.count = count;
    for (const Constant* source : sources) {
      if (source && source->is_absent() && w.missing.empty()) w.missing = source->source();
    }
    w.write = std::move(write);
    program_.weights.push_back(std::move(w));
    it->second = WeightId(program_.weights.size() - 1);
  }
  argument.weight = it->second;
  return argument;
}

Argument Lowering::weight(const std::string& key, const Constant& constant) {
  return weight(key, constant.dtype(), constant.count(), {&constant}, [constant](const auto& sink) {
    if (!constant.contiguous().empty()) return sink(constant.contiguous());
    // A splat is written in pieces, so that a large one never stands in memory.
    std::vector<uint8_t> piece(1 << 16);
    const int64_t bytes = constant.type().bytes();
    for (int64_t done = 0; done < bytes; done += static_cast<int64_t>(piece.size())) {
      piece.resize(static_cast<size_t>(std::min<int64_t>(bytes - done, 1 << 16)));
      constant.copy_bytes(done, piece);
      sink(piece);
    }
  });
}

Argument Lowering::weight(const std::string& key, const std::vector<float>& values) {
  return weight(key, DType::float32, static_cast<int64_t>(values.size()), {}, writer_of(values));
}

Argument Lowering::weight(const std::string& key, const std::vector<int32_t>& values) {
  return weight(key, DType::int32, static_cast<int64_t>(values.size()), {}, writer_of(values));
}

Argument Lowering::size_of(ValueId output, int axis) {
  for (const graph::RuntimeDim& dim : graph_[output].runtime_dims) {
    if (dim.axis != axis) continue;
    const auto at = static_cast<size_t>(dim.symbol);
    if (program_.symbols.size() <= at) program_.symbols.resize(at + 1);
    // Stored by an operator before: the size here follows from that one.
    if (program_.symbols[at].valid()) return none();
    program_.symbols[at] = new_tensor(cat("size_", dim.symbol), DType::int64, Shape{}, program::Kind::activation);
    return write(program_.symbols[at]);
  }
  return none();
}

void Lowering::set_geometry(ValueId id, Geometry geometry) {
  if (!constant(id)) program_[tensor(id)].geometry = geometry;
}

void Lowering::copy(const Node& node, Argument x, TensorId y, bool make_in_place) {
  if (program_[y].bytes() == 0) return;
  const TensorId from = x.tensor;
  Operation& operation = copy_bytes(node, std::move(x), write(y));
  if (make_in_place && from.valid() && from != y) operation.view = program::View{from, y, 0};
}

Operation& Lowering::copy_bytes(const Node& node, Argument x, Argument y) {
  const program::Tensor& to = program_[y.tensor];
  program::Params params = program::copy_params(to.bytes());
  // Pixels of one size can be copied one by one, and so may lie apart.
  if (x.tensor.valid() && program_[x.tensor].geometry.channels == to.geometry.channels && !is_packed(to.type.dtype)) {
    x.pitched = y.pitched = true;
    params = program::copy_params_by_pixels(to.element_bytes());
  }
  return call(node, "tarn_copy", std::move(params), {std::move(x), std::move(y)});
}

Operation& Lowering::call(const Node& node, const std::string& kernel, program::Params params,
                          std::vector<Argument> arguments) {
  Operation operation;
  operation.kernel = kernel;
  operation.op = node.domain.empty() ? node.op : node.domain + "." + node.op;
  operation.nodes = node.origin_names;
  operation.params = std::move(params);
  operation.arguments = std::move(arguments);
  settle_constants(operation.params, [&](size_t at) -> std::optional<Geometry> {
    const Argument& a = operation.arguments[at];
    for (size_t i = 0; i < node.inputs.size() && a.role == Argument::Role::weight; ++i) {
      const ValueId id = node.inputs[i];
      const auto stored = id && constant(id) ? weights_->find(key(id, "")) : weights_->end();
      if (stored != weights_->end() && stored->second == a.weight) return geometry(shape(id));
    }
    return {};
  });
  if (options_.time_lines) turn_walks(program_, operation);
  program_.operations.push_back(std::move(operation));
  operations_->push_back(program::OperationId(program_.operations.size() - 1));
  return program_.operations.back();
}

}  // namespace tarn::ops
