// Convolutions and products of fused integer layers: which kernel, by target and shape.
#include <algorithm>
#include <utility>

#include "ops/elementwise.h"
#include "ops/int_halves.h"
#include "ops/int_layers.h"
#include "ops/int_nibbles.h"
#include "ops/int_packing.h"
#include "ops/int_parts.h"
#include "ops/int_quarters.h"
#include "ops/lines.h"
#include "ops/sparse_weights.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;

// Weights with zero points, and all of them where only unsigned bytes are loaded at once, are stored as unsigned bytes
// that meet unsigned inputs.
bool as_unsigned(const Node& node, const Lowering& low) {
  return node.tensor("w_zero") || low.options().target == "cortex-m0";
}

Argument negative_zeros(const Node& node, Lowering& low, int64_t groups, int64_t per_group) {
  return node.tensor("w_zero") ? weight_zeros(node, low, groups, per_group, 0, -1) : low.none();
}

// Patches of four pixels at a time need many registers.
bool takes_four(const Lowering& low, int64_t length, int64_t groups, bool is_unsigned) {
  return low.options().target.starts_with("rv32") && groups == 1 && !is_unsigned && 4 * length <= kMostPatches;
}

// Rows of four outputs for products of one pixel.
Argument pack_row_fours(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                        const std::vector<int64_t>& order, const std::string& narrow) {
  if (narrow == "2") return pack_quarter_fours(low, key, w, outputs, order);
  if (narrow == "4") return pack_nibbles(low, key, w, 1, outputs, order, 4, 2);
  return pack_dots(low, key, w, 1, outputs, order, 4, true);
}

Argument pack_row_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                           const std::vector<int64_t>& order, bool pairs, const std::string& narrow) {
  if (narrow == "2") return pack_quarter_sixteens(low, key, w, groups, outputs, order, pairs);
  if (narrow == "4") return pack_nibble_sixteens(low, key, w, groups, outputs, order, pairs);
  return pack_sixteens(low, key, w, groups, outputs, order, pairs);
}

// Patches so long that three of them, widened, take too much scratch, in no more than a single one takes as codes.
// False: that is not worth it.
bool lower_parts(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, const Walk& walk,
                 const std::vector<int64_t>& order, int64_t roomy) {
  const auto inputs = static_cast<int64_t>(order.size()), length = ceil_div(inputs, int64_t{8}) * 8;
  const Constant& w = *low.constant(node.inputs[1]);
  const Parts parts = parts_within(ceil_div(inputs, int64_t{4}) * 4, length, g.outputs, g.inputs * g.pixels.kernel);
  if (parts.part == 0 || g.pixels.out < 2 || !narrow_weights(w, length).empty()) return false;
  Walk whole = walk;
  whole.read_before_write = true;
  const bool halves = fits_halves(w, 1, g.outputs);
  const std::string kernel = cat("tarn_int_conv2d_dsp", halves ? "_halves" : "", "_parts");
  Params params{kernel + "_s8_params", {requant_field(node), {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 4));
  params.append(
      {{"zero", node.integer("x_zero", 0)}, {"length", length}, {"part", parts.part}, {"together", parts.together}});
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  Operation& operation =
      low.call(node, kernel + "_s8", std::move(params),
               {low.read(node.inputs[0], std::move(whole), true),
                halves ? pack_halves(low, key, w, 1, g.outputs, order, 8, 1)
                       : pack_dots(low, key, w, 1, g.outputs, order, 8, true, 2),
                quad_constants(node, low, 1, g.outputs, 2), packed_exceptions(node, low, 1, g.outputs, 2),
                low.write(node.outputs[0], true), low.scratch(DType::int32, ceil_div(parts.bytes, int64_t{4}), "parts"),
                low.lines(2 * g.lines.kernel, DType::int8)});
  set_window_lines(low, operation, kernel + "_line_s8", line, operation.params,
                   {rows_argument(0, window_map(line.lines)), same_argument(1), same_argument(2), same_argument(3),
                    line_argument(4), number_argument(0), number_argument(line.pixels.out), same_argument(5)});
  operation.wish = roomy;
  tell(operation, node, g.macs(), g.outputs * (inputs + 1));
  return true;
}

// Patches so long that three of them, widened, take too much scratch: `roomy` bytes.
bool lower_long_pairs(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk,
                      const std::vector<int64_t>& order, int64_t roomy) {
  const auto inputs = static_cast<int64_t>(order.size()), length = ceil_div(inputs, int64_t{4}) * 4;
  walk.read_before_write = true;
  const Constant& w = *low.constant(node.inputs[1]);
  const std::string narrow = narrow_weights(node, w, length), kernel = cat("tarn_int_conv2d_dsp", narrow, "_long");
  Params params{kernel + "_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 4));
  params.append({{"zero", node.integer("x_zero", 0)}, {"length", length}});
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  Operation& operation = low.call(
      node, kernel + "_s8", std::move(params),
      {low.read(node.inputs[0], std::move(walk), true), pack_row_fours(low, key, w, g.outputs, order, narrow),
       quad_constants(node, low, 1, g.outputs), exceptions_argument(node, low), low.write(node.outputs[0], true),
       low.scratch(DType::int8, length, "patch"), low.lines(g.lines.kernel, DType::int8)});
  set_window_lines(low, operation, kernel + "_line_s8", line, operation.params,
                   {rows_argument(0, window_map(line.lines)), same_argument(1), same_argument(2), same_argument(3),
                    line_argument(4), number_argument(0), number_argument(line.pixels.out), same_argument(5)});
  operation.wish = roomy;
  tell(operation, node, g.macs(), g.outputs * (inputs + 1));
  return true;
}

// How weights stand that meet patches of pixels two outputs at a time, as in the names of kernels. Pieces of the sum of
// a patch are too large for halves.
std::string pair_form(const SummedWeights& summed, int64_t length, const IntWindow& g) {
  const std::string narrow = narrow_weights(summed.weights, length);
  return narrow.empty() && summed.pieces == 0 && fits_halves(summed.weights, g.groups, g.outputs) ? "_halves" : narrow;
}

Argument pack_pairs(Lowering& low, const std::string& key, const SummedWeights& summed, const IntWindow& g,
                    const std::string& form) {
  if (form == "2") return pack_quarter_pairs(low, key, summed.weights, g.groups, g.outputs, summed.order);
  if (form == "4") return pack_nibbles(low, key, summed.weights, g.groups, g.outputs, summed.order, 8, 1);
  if (form == "_halves") return pack_halves(low, key, summed.weights, g.groups, g.outputs, summed.order, 8, 1);
  return pack_dots(low, key, summed.weights, g.groups, g.outputs, summed.order, 8, true, 2);
}

// False: not for this layer.
bool lower_pairs(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk,
                 const std::vector<int64_t>& order) {
  if (!has_pairs(low)) return false;
  const bool zeros = node.tensor("w_zero") != nullptr, grouped = g.groups > 1;
  const Constant& w = *low.constant(node.inputs[1]);
  int64_t length = ceil_div(length_with_sums(node, static_cast<int64_t>(order.size())), int64_t{8}) * 8;
  const bool bytes = g.inputs % 4 != 0;
  const int64_t scratch = 6 * length + (bytes ? length : 0);
  if (scratch > kMostPatches && !has_room(node))
    return !zeros && !grouped &&
           (lower_parts(node, low, g, line, walk, order, scratch) ||
            lower_long_pairs(node, low, g, line, std::move(walk), order, scratch));
  SummedWeights summed = with_sums(node, w, order);
  if (const auto shifted = shift_weights(node, w, length)) {
    summed = with_sums(shifted->node, shifted->weights, order, shifted->most);
    length = ceil_div(static_cast<int64_t>(summed.order.size()), int64_t{8}) * 8;
  }
  const bool direct = g.pointwise() && length == g.inputs;
  walk.read_before_write = !grouped;
  if (grouped) {
    // Every group is a pass over the whole lines.
    for (program::Span& span : walk.columns) span = {0, g.pixels.in};
  }
  const std::string form = pair_form(summed, length, g);
  const std::string kernel = cat("tarn_int_conv2d_dsp", form, grouped ? "_groups" : "");
  Params params{cat("tarn_int_conv2d_dsp", form, "_s8_params"),
                {requant_field(node), {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 4));
  params.append({{"zero", node.integer("x_zero", 0)},
                 {"length", length},
                 {"direct", int64_t{direct}},
                 {"sums", summed.pieces},
                 {"groups", g.groups}});
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  Operation& operation = low.call(
      node, kernel + "_s8", std::move(params),
      {low.read(node.inputs[0], std::move(walk), true), pack_pairs(low, key, summed, g, form),
       quad_constants(node, low, g.groups, g.outputs, 2),
       grouped ? group_exceptions(node, low, g.groups, g.outputs) : packed_exceptions(node, low, 1, g.outputs, 2),
       low.write(node.outputs[0], true), low.scratch(DType::int32, 3 * length / 2, "patches"),
       bytes ? low.scratch(DType::int8, length, "patch") : low.none(),
       low.lines((grouped ? 2 : 1) * g.lines.kernel, DType::int8)});
  std::vector<program::LineArgument> by_line = {rows_argument(0, window_map(line.lines)),
                                                same_argument(1),
                                                same_argument(2),
                                                same_argument(3),
                                                line_argument(4),
                                                number_argument(0),
                                                number_argument(line.pixels.out),
                                                same_argument(5),
                                                same_argument(6)};
  if (grouped) by_line.push_back(same_argument(7));
  set_window_lines(low, operation, kernel + "_line_s8", line, operation.params, std::move(by_line));
  if (!grouped) {
    set_together(operation, kernel + "_lines_s8",
                 {rows_argument(0, window_map(line.lines)), same_argument(1), same_argument(2), same_argument(3),
                  line_argument(4), lines_argument(), same_argument(5), same_argument(6)});
  }
  tell(operation, node, g.macs(), g.groups * g.outputs * (static_cast<int64_t>(order.size()) + 1));
  return true;
}

// The line forms of lower_sixteens(). Pixels under a single tap are read where they lie; `simple`: weights of 8 bits
// without zero points.
void set_sixteens_lines(Lowering& low, Operation& operation, const IntWindow& g, const IntWindow& line,
                        const std::string& kernel, int64_t block, bool simple) {
  const program::LineArgument rows = rows_argument(0, window_map(line.lines));
  if (simple && block == 3 && g.outputs % 4 == 0 && g.takes_pixels()) {
    set_window_lines(low, operation, "tarn_int_conv1x1_mve_line_s8", line, operation.params,
                     {rows, same_argument(1), same_argument(2), same_argument(4), line_argument(5), number_argument(0),
                      number_argument(line.pixels.out), apart_argument(), same_argument(6)});
    set_together(operation, "tarn_int_conv1x1_mve_lines_s8",
                 {rows, same_argument(1), same_argument(2), same_argument(4), line_argument(5), lines_argument()});
    return;
  }
  set_window_lines(low, operation, kernel + "_line_s8", line, operation.params,
                   {rows, same_argument(1), same_argument(2), same_argument(3), same_argument(4), line_argument(5),
                    number_argument(0), number_argument(line.pixels.out), same_argument(6)});
  if (block != 3) return;
  set_together(operation, kernel + "_lines_s8",
               {rows, same_argument(1), same_argument(2), same_argument(3), same_argument(4), line_argument(5),
                lines_argument(), same_argument(6)});
}

// False: not for this layer.
bool lower_sixteens(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk,
                    const std::vector<int64_t>& order) {
  if (!has_sixteens(low)) return false;
  const int64_t length = g.groups * static_cast<int64_t>(order.size());
  // Three patches at a time, where they are not much beside the tensors.
  const int64_t tensors = low.shape(node.inputs[0]).count() + low.shape(node.outputs[0]).count();
  const bool small = 3 * length <= std::min(kMostPatches, std::max<int64_t>(256, tensors / 4));
  const int64_t block = small || has_room(node) ? 3 : 1;
  if (g.groups > 1 && length > kMostPatches) return false;
  walk.read_before_write = true;
  const Constant& plain = *low.constant(node.inputs[1]);
  const auto shifted = shift_weights(node, plain, length);
  const Constant& w = shifted ? shifted->weights : plain;
  const Node& stored = shifted ? shifted->node : node;
  const std::string narrow = narrow_weights(w, length);
  const std::string kernel = cat("tarn_int_conv2d_mve", narrow);
  Params params{kernel + "_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 5));
  params.append({{"zero", node.integer("x_zero", 0)}, {"block", block}});
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  Operation& operation =
      low.call(node, kernel + "_s8", std::move(params),
               {low.read(node.inputs[0], std::move(walk), true),
                pack_row_sixteens(low, key, w, g.groups, g.outputs, order, block == 3, narrow),
                sixteens_constants(node, low, g.groups, g.outputs), negative_zeros(stored, low, g.groups, g.outputs),
                packed_exceptions(node, low, g.groups, g.outputs), low.write(node.outputs[0], true),
                low.scratch(DType::int8, block * length, "patches"), low.lines(g.lines.kernel, DType::int8)});
  set_sixteens_lines(low, operation, g, line, kernel, block, narrow.empty() && !stored.tensor("w_zero"));
  const auto parameters = static_cast<int64_t>(order.size()) + 1;
  if (block == 1) operation.wish = 3 * length;
  tell(operation, node, g.macs(), g.groups * g.outputs * parameters);
  return true;
}

// A layer of one group of int8 weights of which most are zero, `order` of each output's.
std::optional<SparseWeights> sparse_codes(const Node& node, Lowering& low, int64_t outputs,
                                          const std::vector<int64_t>& order) {
  const Constant& w = *low.constant(node.inputs[1]);
  if (node.tensor("w_zero") || w.dtype() != DType::int8) return {};
  const QuadPacking packing{outputs, outputs, static_cast<int64_t>(order.size()), order};
  return sparse_weights(low, low.key(node.inputs[1], "/codes"), w, packing, 1, DType::int8);
}

bool lower_sparse_vector(const Node& node, Lowering& low, int64_t inputs, int64_t outputs,
                         const std::vector<int64_t>& order) {
  std::optional<SparseWeights> sparse = sparse_codes(node, low, outputs, order);
  if (!sparse) return false;
  const std::string kernel = "tarn_int_dense_sparse_s8";
  Operation& operation =
      low.call(node, kernel, {kernel + "_params", {requant_field(node), {"inputs", inputs}, {"outputs", outputs}}},
               {low.read(node.inputs[0]), std::move(sparse->values), std::move(sparse->gaps),
                quad_constants(node, low, 1, outputs), exceptions_argument(node, low), low.write(node.outputs[0])});
  tell(operation, node, inputs * outputs, inputs * outputs + outputs);
  return true;
}

bool lower_sparse_patches(const Node& node, Lowering& low, const IntWindow& g, Walk walk,
                          const std::vector<int64_t>& order) {
  if (g.groups != 1) return false;
  std::optional<SparseWeights> sparse = sparse_codes(node, low, g.outputs, order);
  if (!sparse) return false;
  walk.read_before_write = true;
  const int64_t length = ceil_div(static_cast<int64_t>(order.size()), int64_t{4}) * 4;
  Params params{"tarn_int_conv2d_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 5));
  params.append({{"zero", node.integer("x_zero", 0)}, {"length", length}});
  Operation& operation =
      low.call(node, "tarn_int_conv2d_sparse_s8", std::move(params),
               {low.read(node.inputs[0], std::move(walk), true), std::move(sparse->values), std::move(sparse->gaps),
                quad_constants(node, low, 1, g.outputs), packed_exceptions(node, low, 1, g.outputs),
                low.write(node.outputs[0], true), low.scratch(DType::int8, length, "patches"),
                low.lines(g.lines.kernel, DType::int8)});
  const auto parameters = static_cast<int64_t>(order.size()) + 1;
  tell(operation, node, g.macs(), g.outputs * parameters);
  return true;
}

}  // namespace

void lower_vector(const Node& node, Lowering& low, int64_t inputs, int64_t outputs, const std::vector<int64_t>& order) {
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  const Constant& w = *low.constant(node.inputs[1]);
  if (lower_sparse_vector(node, low, inputs, outputs, order)) return;
  if (has_sixteens(low)) {
    const auto shifted = shift_weights(node, w, inputs);
    const Constant& stored = shifted ? shifted->weights : w;
    const std::string narrow = narrow_weights(stored, inputs), kernel = cat("tarn_int_dense_mve", narrow, "_s8");
    Operation& operation = low.call(
        node, kernel, {kernel + "_params", {requant_field(node), {"inputs", inputs}, {"outputs", outputs}}},
        {low.read(node.inputs[0]), pack_row_sixteens(low, key, stored, 1, outputs, order, false, narrow),
         sixteens_constants(node, low, 1, outputs), negative_zeros(shifted ? shifted->node : node, low, 1, outputs),
         exceptions_argument(node, low), low.write(node.outputs[0])});
    tell(operation, node, inputs * outputs, inputs * outputs + outputs);
    return;
  }
  const std::string narrow = narrow_weights(node, w, inputs);
  if ((!narrow.empty() || has_pairs(low)) && inputs % 4 == 0 && !node.tensor("w_zero")) {
    const bool halves = narrow.empty() && fits_halves(w, 1, outputs);
    const std::string kernel = cat("tarn_int_dense_dsp", halves ? "_halves" : narrow, "_s8");
    Operation& operation =
        low.call(node, kernel, {kernel + "_params", {requant_field(node), {"inputs", inputs}, {"outputs", outputs}}},
                 {low.read(node.inputs[0]),
                  halves ? pack_halves(low, key, w, 1, outputs, order, 4, 2)
                         : pack_row_fours(low, key, w, outputs, order, narrow),
                  quad_constants(node, low, 1, outputs), exceptions_argument(node, low), low.write(node.outputs[0])});
    tell(operation, node, inputs * outputs, inputs * outputs + outputs);
    return;
  }
  const bool is_unsigned = as_unsigned(node, low);
  Argument weights = pack_dots(low, key, w, 1, outputs, order, 4, false, 4, is_unsigned ? 0x80 : 0);
  Operation& operation =
      low.call(node, "tarn_int_dense_s8",
               {"tarn_int_dense_s8_params", {requant_field(node), {"inputs", inputs}, {"outputs", outputs}}},
               {low.read(node.inputs[0]), std::move(weights), quad_constants(node, low, 1, outputs),
                weight_zeros(node, low, 1, outputs, is_unsigned ? 128 : 0), exceptions_argument(node, low),
                low.write(node.outputs[0])});
  tell(operation, node, inputs * outputs, inputs * outputs + outputs);
}

void lower_patches(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk) {
  const int64_t area = g.area(), length = ceil_div(area * g.inputs, int64_t{4}) * 4;
  const std::vector<int64_t> order = patch_order(g);
  if (lower_sparse_patches(node, low, g, walk, order)) return;
  if (lower_sixteens(node, low, g, line, walk, order) || lower_pairs(node, low, g, line, walk, order)) return;
  if (g.groups == 1 && !narrow_weights(node, *low.constant(node.inputs[1]), length).empty()) {
    lower_long_pairs(node, low, g, line, std::move(walk), order, 0);
    return;
  }
  const bool is_unsigned = as_unsigned(node, low), four = takes_four(low, length, g.groups, is_unsigned);
  const Constant& w = *low.constant(node.inputs[1]);
  walk.read_before_write = g.groups == 1;
  Params params{"tarn_int_conv2d_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, four ? 4 : 5));
  params.append({{"zero", node.integer("x_zero", 0)}, {"length", length}});
  Argument weights = pack_dots(low, low.key(node.inputs[1], cat("/dots", node.outputs[0].value)), w, g.groups,
                               g.outputs, order, 4, false, 4, is_unsigned ? 0x80 : 0);
  if (g.groups > 1) weights = narrow_where_room(low, std::move(weights));
  std::vector<Argument> arguments = {
      low.read(node.inputs[0], std::move(walk), true), std::move(weights),
      quad_constants(is_unsigned ? for_unsigned(node, w) : node, low, g.groups, g.outputs)};
  std::vector<program::LineArgument> by_line = {rows_argument(0, window_map(line.lines)), same_argument(1),
                                                same_argument(2), same_argument(3)};
  if (!four) {
    arguments.push_back(weight_zeros(node, low, g.groups, g.outputs, is_unsigned ? 128 : 0));
    by_line.push_back(same_argument(4));
  }
  const size_t out = arguments.size() + 1;
  arguments.insert(
      arguments.end(),
      {packed_exceptions(node, low, g.groups, g.outputs), low.write(node.outputs[0], true),
       low.scratch(DType::int8, (four ? 4 : 1) * length, "patches"), low.lines(g.lines.kernel, DType::int8)});
  by_line.insert(by_line.end(),
                 {line_argument(out), number_argument(0), number_argument(line.pixels.out), same_argument(out + 1)});
  Operation& operation =
      low.call(node, four ? "tarn_int_conv2d_four_s8" : "tarn_int_conv2d_s8", std::move(params), std::move(arguments));
  set_window_lines(low, operation, four ? "tarn_int_conv2d_four_line_s8" : "tarn_int_conv2d_line_s8", line,
                   operation.params, std::move(by_line));
  if (operation.line_form && line.pixel_by_pixel()) operation.line_form->joins = true;
  const int64_t pixels = g.images * g.lines.out * g.pixels.out, channels = g.groups * g.outputs;
  tell(operation, node, pixels * channels * area * g.inputs, channels * (area * g.inputs + 1));
}

}  // namespace tarn::ops
