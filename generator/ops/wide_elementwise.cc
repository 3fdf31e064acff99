// Operators on 16-bit codes element by element: WideAdd ("a_factor"), WideMul ("zeros"), WideScale, whose codes on one
// side may have 8 bits; all with "codes" and one row of "forms" (see runtime/int16/tarn_wide.h).
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"

namespace tarn::ops {

namespace {

using program::Pitch;
using program::Run;

Field form_field(const Node& node) { return {"form", node.tensor("forms")->integers()}; }

std::optional<Fault> lower_wide_pair(const Node& node, Lowering& low) {
  const bool add = node.op == "WideAdd";
  Extra extra{{wide_field(node, "codes")}, {}, node.text("form", "")};
  if (add) {
    extra.fields.push_back({"a_factor", node.integer("a_factor", 0)});
  } else {
    const std::vector<int64_t> zeros = node.integers("zeros");
    extra.fields.push_back({"a_zero", zeros[0]});
    extra.fields.push_back({"b_zero", zeros[1]});
  }
  extra.fields.push_back(form_field(node));
  return lower_binary(node, low, add ? "tarn_wide_add_s16" : "tarn_wide_mul_s16", low.read(node.inputs[0]),
                      low.shape(node.inputs[0]), low.read(node.inputs[1]), low.shape(node.inputs[1]),
                      low.write(node.outputs[0]), low.shape(node.outputs[0]), std::move(extra));
}

std::optional<Fault> lower_scale(const Node& node, Lowering& low) {
  const std::string kernel = low.dtype(node.inputs[0]) == DType::int8    ? "tarn_wide_widen_s8"
                             : low.dtype(node.outputs[0]) == DType::int8 ? "tarn_wide_narrow_s8"
                                                                         : "tarn_wide_scale_s16";
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"outer", Run{true, 0}},
                 {"inner", Run{false, 0}},
                 {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
                 wide_field(node, "codes"),
                 form_field(node)}},
               {low.read(node.inputs[0], elementwise_walk(), true), low.write(node.outputs[0], true)});
  operation.note = node.text("form", "");
  set_line_by_line(low, operation, operation.params);
  return {};
}

}  // namespace

std::vector<OperatorEntry> wide_elementwise_entries() {
  return {{"tarn", "WideAdd", "int16", lower_wide_pair, nullptr, nullptr, Layout::elementwise},
          {"tarn", "WideMul", "int16", lower_wide_pair, nullptr, nullptr, Layout::elementwise},
          {"tarn", "WideScale", "int8, int16", lower_scale, nullptr, nullptr, Layout::elementwise}};
}

}  // namespace tarn::ops
