#include "ops/coded_weights.h"

#include <algorithm>
#include <cmath>

#include "ops/coded_matrix.h"
#include "ops/elementwise.h"
#include "ops/matrix.h"
#include "ops/recurrent.h"
#include "ops/sparse_weights.h"
#include "support/text.h"
#include "tensor/coded_values.h"

namespace tarn::ops {

namespace {

using program::Params;
// `sources` are the constants that the matrix is made of.
CodedMatrix matrix_of(const Constant& constant, const QuadPacking& packing, const WeightType& type,
                      std::vector<const Constant*>& sources) {
  CodedMatrix m{constant, {}, {}, packing.order, type};
  sources = {&constant};
  const bool scaled = packing.scale != nullptr && !packing.scale->is_absent();
  if (packing.scale) sources.push_back(packing.scale);
  for (int64_t group = 0; group < packing.rows; group += packing.group_rows) {
    for (int64_t row = 0; row < ceil_div(packing.group_rows, int64_t{4}) * 4; ++row) {
      const bool there = row < packing.group_rows;
      m.firsts.push_back(there ? (group + row) * packing.row_stride : -1);
      if (scaled) m.factors.push_back(there ? packing.scale->real(group + row) : 1);
    }
  }
  return m;
}

// False: floats are stored.
bool set_grids(CodedMatrix& m) {
  if (m.type.kind == WeightType::Kind::model) return keep_codes(m);
  m.block = m.type.share == WeightType::Share::block ? std::min(m.type.block, m.columns()) : m.columns();
  return true;
}

std::string form_of(const CodedMatrix& m) {
  if (m.type.kind == WeightType::Kind::f16) return "w16_";
  const char* scales = m.scales == ScaleType::float32 ? "s" : m.scales == ScaleType::float16 ? "h" : "";
  return cat("w", bits_of_weight(m.type), scales, "_");
}

// The operands of a matrix in fewer bits, or in floats of the same values.
LayerWeights coded_operands(const Node& node, Lowering& low, const std::string& key, ValueId source,
                            const CodedMatrix& m, const std::vector<const Constant*>& sources) {
  const WeightType& type = m.type;
  LayerWeights result;
  result.columns = m.columns();
  const std::string form = form_of(m), own = cat(key, "/", form, to_string(type));
  const int64_t count = m.quads() * m.columns() * 4;
  if (is_widened(node)) {
    result.operands.push_back(low.weight(own + "/widened", DType::float32, count, sources,
                                         [m](const WeightSink& sink) { write_widened(m, sink); }));
    return result;
  }
  const bool halves = type.kind == WeightType::Kind::f16;
  const int64_t quad_step = m.one_grid() || m.one_row ? 0 : m.blocks() * 4;
  result.form = form;
  result.note = "weights stored as " + to_string(type);
  result.codes = Params{"", {{"columns", m.columns()}, {"block", m.block}, {"quad_step", quad_step}}};
  result.operands.push_back(
      low.weight(own, DType::uint8, m.code_bytes(), sources, [m](const WeightSink& sink) { write_codes(m, sink); }));
  result.operands.push_back(halves ? low.none()
                                   : low.weight(own + "/scale", DType::uint16, m.scale_bytes() / 2, sources,
                                                [m](const WeightSink& sink) { write_scales(m, sink); }));
  result.operands.push_back(!type.asymmetric ? low.none()
                                             : low.weight(own + "/zero", DType::int8, m.grids(), sources,
                                                          [m](const WeightSink& sink) { write_zeros(m, sink); }));
  const std::string& name = m.kept ? m.source.codes()->name : low.graph()[source].name;
  program::Coding coding{name, to_string(type), {}, m.source.type().bytes(), nullptr};
  for (const Argument& operand : result.operands) {
    if (operand.role == Argument::Role::weight) coding.weights.push_back(operand.weight);
  }
  if (!m.source.is_absent() && !m.kept) coding.snr_db = [m] { return noise_of(m); };
  low.program().codings.try_emplace(own, std::move(coding));
  return result;
}

CodedMatrix recurrent_matrix(const Constant& constant, const WeightType& type, const std::vector<int64_t>& rows,
                             int64_t length) {
  CodedMatrix m{constant, rows, {}, {}, type};
  for (int64_t k = 0; k < length; ++k) m.order.push_back(k);
  return m;
}

}  // namespace

std::optional<WeightType> weight_type_of(const Node& node) {
  if (!node.has("weight_type")) return {};
  return weight_type_from(node.text("weight_type", ""));
}

std::vector<ValueId> codable_weights(const Graph& graph, const Node& node) {
  if (!node.has_input(0) || !node.has_input(1)) return {};
  const bool recurrent = is_packed_recurrent(graph, node);
  if (graph.dtype(node.inputs[recurrent ? 1 : 0]) != DType::float32) return {};
  if (recurrent) return {node.inputs[1], node.inputs[2]};
  const bool gather = node.is("Gather");
  const size_t at = gather ? 0 : 1;
  const Constant* weights = graph.constant(node.inputs[at]);
  if (!weights || weights->count() == 0) return {};
  if (is_dense(graph, node)) return {node.inputs[at]};
  if (gather && node.integer("axis", 0) == 0 && !graph.constant(node.inputs[1])) return {node.inputs[at]};
  // The kernels of volumes take floats.
  const bool flat = node.is("Conv") && graph.shape(node.inputs[0]).rank() <= 4;
  if (flat && (!node.has_input(2) || graph.constant(node.inputs[2]))) return {node.inputs[at]};
  return {};
}

std::string not_codable(const Constant& weights, const WeightType& type) {
  if (weights.dtype() != DType::float32) return "weights of " + to_string(weights.dtype());
  if (weights.is_absent()) return {};
  constexpr double kLargestHalf = 65504;
  for (int64_t i = 0; i < weights.count(); ++i) {
    const double weight = weights.real(i);
    if (!std::isfinite(weight)) return "a weight that is no finite number";
    if (type.kind == WeightType::Kind::f16 && std::abs(weight) > kLargestHalf) return "a weight beyond float16";
    if (weights.is_splat()) break;
  }
  return {};
}

bool is_widened(const Node& node) { return node.has("widened"); }

std::optional<LayerWeights> coded_layer_weights(const Node& node, Lowering& low, const std::string& key, ValueId source,
                                                const QuadPacking& packing) {
  const std::optional<WeightType> type = weight_type_of(node);
  if (!type) return {};
  std::vector<const Constant*> sources;
  CodedMatrix m = matrix_of(*low.constant(source), packing, *type, sources);
  if (!set_grids(m)) return {};
  return coded_operands(node, low, key, source, m, sources);
}

LayerWeights layer_weights(const Node& node, Lowering& low, const std::string& key, ValueId source,
                           const QuadPacking& packing) {
  if (auto coded = coded_layer_weights(node, low, key, source, packing)) return std::move(*coded);
  LayerWeights result;
  result.columns = static_cast<int64_t>(packing.order.size());
  const DType dtype = low.dtype(node.outputs[0]);
  if (packing.sparse_parts > 0 && dtype == DType::float32 && !packing.vectors.form.starts_with('v')) {
    if (auto sparse = sparse_weights(low, key, *low.constant(source), packing, packing.sparse_parts, dtype)) {
      result.form = "sparse_";
      result.operands = {std::move(sparse->values), std::move(sparse->gaps)};
      return result;
    }
  }
  result.lanes = packing.vectors.lanes;
  result.form = packing.vectors.form;
  result.operands.push_back(pack_quads(low, key + result.form, *low.constant(source), packing, dtype));
  return result;
}

std::vector<LayerWeights> recurrent_weights(const Node& node, Lowering& low,
                                            const std::vector<RecurrentRows>& matrices) {
  std::vector<CodedMatrix> coded;
  const std::optional<WeightType> type = weight_type_of(node);
  for (const RecurrentRows& rows : matrices) {
    CodedMatrix m = recurrent_matrix(*low.constant(rows.source), type.value_or(WeightType()), rows.firsts, rows.length);
    if (type && set_grids(m)) coded.push_back(std::move(m));
  }
  // One kernel reads all of them.
  const auto wider = [](const CodedMatrix& a, const CodedMatrix& b) { return a.scales < b.scales; };
  bool alike = coded.size() == matrices.size();
  for (const CodedMatrix& m : coded) alike = alike && m.type.kind == coded.front().type.kind;
  for (CodedMatrix& m : coded) {
    if (form_of(m) != form_of(*std::max_element(coded.begin(), coded.end(), wider))) m.scales = ScaleType::float32;
  }
  std::vector<LayerWeights> all;
  for (size_t i = 0; i < matrices.size(); ++i) {
    const RecurrentRows& rows = matrices[i];
    const Constant& constant = *low.constant(rows.source);
    const std::string key = low.key(rows.source, "/" + node.op);
    if (alike) {
      all.push_back(coded_operands(node, low, key, rows.source, coded[i], {&constant}));
      continue;
    }
    LayerWeights plain;
    plain.columns = rows.length;
    plain.operands.push_back(pack_rows(low, key, constant, rows.firsts, rows.length, low.dtype(rows.source)));
    all.push_back(std::move(plain));
  }
  return all;
}

Argument widened_table(const Node& node, Lowering& low, ValueId source, const QuadPacking& packing) {
  const WeightType type = *weight_type_of(node);
  std::vector<const Constant*> sources;
  CodedMatrix m = matrix_of(*low.constant(source), packing, type, sources);
  if (!set_grids(m)) return low.read(source);
  return low.weight(low.key(source, cat("/", form_of(m), to_string(m.type), "/table")), DType::float32,
                    packing.rows * m.columns(), sources, [m](const WeightSink& sink) { write_widened_rows(m, sink); });
}

Walk input_walk(const LayerWeights& weights, Walk walk) {
  walk.apart = weights.vectors();
  walk.block_pixels = weights.vectors() ? 1 : 4;
  return walk;
}

Walk residual_walk(const LayerWeights& weights, int64_t block_pixels) {
  Walk walk = elementwise_walk();
  walk.block_pixels = weights.vectors() ? 1 : block_pixels;
  walk.same_place = weights.vectors();
  return walk;
}

std::string dense_kernel(const LayerWeights& weights, DType dtype) {
  return cat("tarn_dense_", weights.form, kernel_suffix(dtype));
}

Params dense_params(const Node& node, const LayerWeights& weights, DType dtype, int64_t pixels, int64_t outputs,
                    FieldValue x_pitch, FieldValue r_pitch) {
  Params params{cat("tarn_dense_", weights.coded() ? "coded_" : weights.form, kernel_suffix(dtype), "_params"),
                {{"pixels", pixels}}};
  if (!weights.coded()) params.append({{"inputs", weights.columns}});
  params.append({{"outputs", outputs},
                 {"x_pitch", std::move(x_pitch)},
                 {"y_pitch", program::Pitch{program::Pitch::Of::pixel, weights.y_at()}},
                 {"r_pitch", std::move(r_pitch)}});
  if (!weights.vectors()) {
    params.append({{"block_first", program::BlockRange{false, true}}, {"block_end", program::BlockRange{true, true}}});
  }
  if (weights.coded()) params.append({{"w", *weights.codes}});
  params.append({{"lo", clamp_low(node, dtype)}, {"hi", clamp_high(node, dtype)}});
  return params;
}

}  // namespace tarn::ops
