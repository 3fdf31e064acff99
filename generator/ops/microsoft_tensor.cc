// Operators of com.microsoft that the standard has under another name, or that are a few of its own.
#include <algorithm>

#include "ops/body.h"
#include "ops/elementwise.h"
#include "ops/microsoft.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using ValueNames = std::vector<std::string>;

ValueNames inputs_of(const Facts& facts, Body& body) {
  ValueNames names;
  for (size_t i = 0; i < facts.types.size(); ++i) names.push_back(body.input(i));
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names;
}

// The standard's operator of that name.
Answer<model::GraphDefPtr> expand_same(const Facts& facts) {
  Body body(facts);
  body.output(0, body.add(facts.node.op, inputs_of(facts, body), facts.node.attributes));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_range(const Facts& facts) {
  Body body(facts);
  ValueNames inputs = inputs_of(facts, body);
  if (inputs.size() < 2) return Fault{"needs start and limit"};
  if (inputs.size() < 3) inputs.push_back(body.number(1, facts.types[0].dtype));
  for (std::string& input : inputs) input = body.reshape(input, {});
  body.output(0, body.add("Range", inputs));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_pad(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs data and pads"};
  ValueNames inputs = inputs_of(facts, body);
  inputs[1] = body.reshape(inputs[1], {facts.shape(1).count()});
  if (inputs.size() > 2) inputs[2] = body.reshape(inputs[2], {});
  body.output(0, body.add("Pad", inputs, facts.node.attributes));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_dims(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs data and an axis"};
  const std::string axis = body.reshape(body.cast(body.input(1), facts.types[1].dtype, DType::int64), {1});
  body.output(0, body.add("Unsqueeze", {body.input(0), axis}));
  return body.finish();
}

// Its modes were named before the standard named its own.
Answer<model::GraphDefPtr> expand_grid_sample(const Facts& facts) {
  Body body(facts);
  model::Attributes attributes = facts.node.attributes;
  const std::string mode = facts.node.text("mode", "bilinear");
  attributes["mode"] = std::string(mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode);
  body.output(0, body.add("GridSample", inputs_of(facts, body), std::move(attributes)));
  return body.finish();
}

// Distances of the rows of two matrices.
Answer<model::GraphDefPtr> expand_distances(const Facts& facts) {
  Body body(facts);
  const std::string metric = facts.node.text("metric", "sqeuclidean");
  if (!facts.has(0) || !facts.has(1) || facts.shape(0).rank() != 2 || facts.shape(1).rank() != 2)
    return Fault{"needs two matrices"};
  if (metric != "euclidean" && metric != "sqeuclidean") return Fault{"metric '" + metric + "' is unknown", "", "E211"};
  const Constant* points = facts.value(1);
  std::string squares;
  if (points && !points->is_absent()) {
    squares = body.add("Distances", {body.input(0)}, {{"points", *points}}, "tarn");
  } else {
    const std::string a = body.add("Unsqueeze", {body.input(0), body.ints({1})}),
                      b = body.add("Unsqueeze", {body.input(1), body.ints({0})});
    squares = body.add("ReduceSumSquare", {body.add("Sub", {a, b}), body.ints({2})}, {{"keepdims", int64_t{0}}});
  }
  body.output(0, metric == "euclidean" ? body.add("Sqrt", {squares}) : squares);
  return body.finish();
}

Answer<model::GraphDefPtr> expand_unique(const Facts& facts) {
  Body body(facts);
  const ValueNames y = body.add(4, "Unique", {body.input(0)}, {{"sorted", int64_t{0}}});
  body.output(0, y[0]);
  body.output(1, y[2]);
  body.output(2, y[3]);
  return body.finish();
}

Answer<model::GraphDefPtr> expand_gemm_gelu(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two operands"};
  std::string y = body.add("MatMul", {body.input(0), body.input(1)});
  if (facts.has(2)) y = body.add("Add", {y, body.input(2)});
  body.output(0, body.add("Gelu", {y}, {{"approximate", std::string("tanh")}}));
  return body.finish();
}

Answer<model::GraphDefPtr> expand_matmul_16(const Facts& facts) {
  Body body(facts);
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two operands"};
  body.output(0, body.add("MatMul", {body.cast(body.input(0), facts.types[0].dtype, DType::int32),
                                     body.cast(body.input(1), facts.types[1].dtype, DType::int32)}));
  return body.finish();
}

Answer<Types> infer_inverse(const Facts& facts) {
  const Shape& x = facts.shape(0);
  if (!facts.has(0) || x.rank() < 2 || x[x.rank() - 1] != x[x.rank() - 2])
    return Fault{"needs square matrices, not " + to_string(x)};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_inverse(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_float(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const int64_t size = x[x.rank() - 1];
  const std::string kernel = "tarn_inverse_" + kernel_suffix(dtype);
  low.call(node, kernel, {kernel + "_params", {{"outer", x.count(0, x.rank() - 2)}, {"size", size}}},
           {low.read(node.inputs[0]),
            low.scratch(dtype == DType::float64 ? DType::float64 : DType::float32, 2 * size * size, "inverse_work"),
            low.write(node.outputs[0])});
  return {};
}

}  // namespace

std::vector<OperatorEntry> microsoft_tensor_entries() {
  std::vector<OperatorEntry> entries{{"com.microsoft", "Inverse", "floats", lower_inverse, infer_inverse}};
  auto add = [&](const char* op, const char* types, Expand expand) {
    OperatorEntry entry{"com.microsoft", op, types};
    entry.expand = expand;
    entries.push_back(std::move(entry));
  };
  add("GatherND", "any", expand_same);
  add("Range", "numbers", expand_range);
  add("Pad", "any", expand_pad);
  add("ExpandDims", "any", expand_dims);
  add("GridSample", "floats", expand_grid_sample);
  add("CDist", "floats", expand_distances);
  add("Unique", "numbers", expand_unique);
  add("GemmFastGelu", "floats", expand_gemm_gelu);
  add("MatMulInteger16", "int16 uint16", expand_matmul_16);
  return entries;
}

}  // namespace tarn::ops
