// Where.
#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/indexing.h"
#include "ops/lines.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_where(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Fault{"needs three inputs"};
  if (facts.types[0].dtype != DType::boolean)
    return Fault{"the condition is " + to_string(facts.types[0]) + ", not bool"};
  if (facts.types[1].dtype != facts.types[2].dtype) {
    return Fault{"operands of different element types: " + to_string(facts.types[1]) + " and " +
                 to_string(facts.types[2])};
  }
  const auto values = broadcast(facts.shape(1), facts.shape(2));
  const auto shape = values ? broadcast(facts.shape(0), *values) : std::nullopt;
  if (!shape) {
    return Fault{cat("shapes ", to_string(facts.shape(0)), ", ", to_string(facts.shape(1)), " and ",
                     to_string(facts.shape(2)), " do not broadcast")};
  }
  return Types{{facts.types[1].dtype, *shape}};
}

std::optional<Constants> fold_where(const Facts& facts, const Types& outputs) {
  if (!all_known(facts)) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const TensorType& type = outputs[0];
  if (type.shape.count() > kMaxFoldedElements) return {};
  const Constant &c = *facts.value(0), &a = *facts.value(1), &b = *facts.value(2);
  const auto ic = broadcast_indices(c.shape(), type.shape), ia = broadcast_indices(a.shape(), type.shape),
             ib = broadcast_indices(b.shape(), type.shape);
  if (type.dtype == DType::string) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < ic.size(); ++i) {
      texts.push_back(c.integer(ic[i]) != 0 ? a.strings()[static_cast<size_t>(ia[i])]
                                            : b.strings()[static_cast<size_t>(ib[i])]);
    }
    return Constants{Constant::strings(type.shape, std::move(texts))};
  }
  if (is_packed(type.dtype)) return {};
  const auto size = static_cast<size_t>(bytes_for(type.dtype, 1));
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  for (size_t i = 0; i < ic.size(); ++i) {
    const bool yes = c.integer(ic[i]) != 0;
    (yes ? a : b).copy_bytes((yes ? ia[i] : ib[i]) * static_cast<int64_t>(size), {bytes.data() + i * size, size});
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

program::Params where_params(const JoinedAxes& axes) {
  return {"tarn_where_params",
          {{"rank", static_cast<int64_t>(axes.dims.size())},
           {"dims", padded_to(axes.dims, 8, 1)},
           {"c_step", padded_to(axes.steps[0], 8, 0)},
           {"a_step", padded_to(axes.steps[1], 8, 0)},
           {"b_step", padded_to(axes.steps[2], 8, 0)}}};
}

void set_where_lines(Lowering& low, Operation& operation, const std::vector<Shape>& shapes, const Shape& y) {
  std::vector<program::LineArgument> arguments;
  std::vector<Shape> lines;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto operand = operand_line(low, operation.arguments[i], i, shapes[i], y);
    if (!operand) return;
    arguments.push_back(operand->argument);
    lines.push_back(operand->shape);
  }
  arguments.push_back(line_argument(shapes.size()));
  const std::string kernel = operation.kernel;
  const Geometry made = low.geometry(y);
  set_lines(low, operation, kernel, kernel, where_params(join_axes(lines, Shape{made.pixels, made.channels})),
            std::move(arguments));
}

std::optional<Fault> lower_where(const Node& node, Lowering& low) {
  const Shape& y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.outputs[0]);
  if (is_packed(dtype) || bits_of(dtype) > 64) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  std::vector<Shape> shapes;
  std::vector<Argument> arguments;
  for (ValueId id : node.inputs) {
    shapes.push_back(low.shape(id));
    arguments.push_back(low.read(id));
    if (shapes.back() == y && arguments.back().role == Argument::Role::read) arguments.back().walk = elementwise_walk();
  }
  const JoinedAxes axes = join_axes(shapes, y);
  if (axes.dims.size() > 8) return Fault{"more than 8 axes", "", "E208"};
  arguments.push_back(low.write(node.outputs[0]));
  const std::string kernel = "tarn_where_" + bytes_suffix(dtype);
  Operation& operation = low.call(node, kernel, where_params(axes), std::move(arguments));
  set_where_lines(low, operation, shapes, y);
  return {};
}

}  // namespace

std::vector<OperatorEntry> where_entries() {
  return {{"", "Where", "any", lower_where, infer_where, fold_where, Layout::elementwise}};
}

}  // namespace tarn::ops
