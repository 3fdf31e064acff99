// RotaryEmbedding: the standard's operator and, found by a pass, the same spelled out, as a node "tarn.Rotary": x,
// cosines, sines. Its attributes are the fields of the kernel.
#include "ops/attention.h"
#include "ops/body.h"
#include "ops/lowering.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// The standard's: x [batch, heads, rows, size] or [batch, rows, heads * size]; tables [batch, rows, half], or
// [positions, half] with the position of each row.
Answer<model::GraphDefPtr> expand_rotary_embedding(const Facts& facts) {
  enum : size_t { kX, kCosines, kSines, kPlaces };
  for (size_t i : {kX, kCosines, kSines}) {
    if (!facts.has(i)) return Fault{cat("input ", i, " is missing")};
  }
  Body body(facts);
  const Shape &x = facts.shape(kX), &table = facts.shape(kCosines);
  const int64_t heads = x.rank() == 4 ? x[1] : facts.node.integer("num_heads", 0);
  if ((x.rank() != 3 && x.rank() != 4) || heads < 1 || (x.rank() == 3 && x[2] % heads != 0))
    return Fault{cat("an input of ", to_string(x), " with ", heads, " heads")};
  const int64_t batch = x[0], rows = x.rank() == 4 ? x[2] : x[1], size = x.rank() == 4 ? x[3] : x[2] / heads;
  const int64_t turning = facts.node.integer("rotary_embedding_dim", 0);
  const int64_t half = (turning > 0 ? turning : size) / 2;
  const bool placed = facts.has(kPlaces);
  const bool fits =
      placed ? table.rank() == 2 && facts.shape(kPlaces) == Shape{batch, rows} : table == Shape{batch, rows, half};
  if (!fits || 2 * half > size || table[table.rank() - 1] != half || facts.shape(kSines) != table) {
    return Fault{cat("cosines of ", to_string(table), " for ", to_string(x), " of which ", 2 * half,
                     " elements of each head turn")};
  }
  const auto rows_of = [&](size_t i) {
    return placed ? body.add("Gather", {body.input(i), body.input(kPlaces)}) : body.input(i);
  };
  const std::vector<int64_t> dims =
      x.rank() == 4 ? std::vector<int64_t>{batch, heads, rows} : std::vector<int64_t>{batch, rows, heads};
  const std::vector<int64_t> step =
      x.rank() == 4 ? std::vector<int64_t>{rows * half, 0, half} : std::vector<int64_t>{rows * half, half, 0};
  body.output(0, body.add("Rotary", {body.input(kX), rows_of(kCosines), rows_of(kSines)},
                          {{"dims", dims},
                           {"step", step},
                           {"size", size},
                           {"half", half},
                           {"interleaved", facts.node.integer("interleaved", 0)},
                           {"second", int64_t{0}}},
                          "tarn"));
  return body.finish();
}

Answer<Types> infer_rotary(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_rotary(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  for (size_t i = 0; i < 3; ++i) {
    if (!is_kernel_float(dtype) || low.dtype(node.inputs[i]) != dtype)
      return Fault{"not for element type " + to_string(low.dtype(node.inputs[i])), "insert a Cast", "E204"};
  }
  Argument x = low.read(node.inputs[0]);
  if (x.role == Argument::Role::read) {
    // Both of a pair are read before either is written.
    Walk walk;
    walk.same_place = true;
    x.walk = std::move(walk);
  }
  const std::string kernel = "tarn_rotary_" + kernel_suffix(dtype);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"dims", node.integers("dims")},
                 {"step", node.integers("step")},
                 {"size", node.integer("size", 0)},
                 {"half", node.integer("half", 0)},
                 {"interleaved", node.integer("interleaved", 0)},
                 {"second", node.integer("second", 0)}}},
               {std::move(x), low.read(node.inputs[1]), low.read(node.inputs[2]), low.write(node.outputs[0])});
  operation.macs = 2 * low.shape(node.outputs[0]).count();
  return {};
}

}  // namespace

std::vector<OperatorEntry> rotary_entries() {
  OperatorEntry standard{"", "RotaryEmbedding", "floats"};
  standard.expand = expand_rotary_embedding;
  return {standard, {"tarn", "Rotary", "floats", lower_rotary, infer_rotary}};
}

}  // namespace tarn::ops
