// CumSum and CumProd: running sums and products, with kernels written from templates/kernels/scan. The axis may be
// known only at run time.
#include "ops/cast.h"
#include "ops/softmax.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_cumulative(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs two inputs"};
  if (facts.shape(0).rank() == 0) return Fault{"a scalar has no axis"};
  const Constant* axis = facts.value(1);
  if (facts.shape(1).count() != 1) return Fault{"the axis is no single number"};
  if (axis && !axis->is_absent() && !normalise_axis(axis->integer(0), facts.shape(0).rank())) {
    return Fault{cat("axis ", axis->integer(0), " is outside ", to_string(facts.shape(0)))};
  }
  return Types{facts.types[0]};
}

std::optional<Constants> fold_cumulative(const Facts& facts, const Types& outputs) {
  const Constant *x = facts.value(0), *given = facts.value(1);
  if (!x || !given || x->is_absent() || given->is_absent() || x->count() > (1 << 20) || x->dtype() == DType::uint64)
    return {};
  const Shape& shape = x->shape();
  const int axis = *normalise_axis(given->integer(0), shape.rank());
  const int64_t count = shape[axis], inner = shape.count(axis + 1, shape.rank()), outer = shape.count(0, axis);
  const bool exclusive = facts.node.integer("exclusive", 0) != 0, reverse = facts.node.integer("reverse", 0) != 0;
  const bool product = facts.node.op == "CumProd", whole = !is_float(x->dtype());
  std::vector<uint8_t> bytes(static_cast<size_t>(outputs[0].bytes()));
  for (int64_t run = 0; run < outer * inner; ++run) {
    double real = product ? 1 : 0;
    uint64_t number = product ? 1 : 0;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t i = (run / inner * count + (reverse ? count - 1 - k : k)) * inner + run % inner;
      const double real_before = real;
      const uint64_t number_before = number;
      if (whole) {
        const auto v = static_cast<uint64_t>(x->integer(i));
        number = product ? number * v : number + v;
        write_int(outputs[0].dtype, bytes.data(), i, static_cast<int64_t>(exclusive ? number_before : number));
      } else {
        const double v = x->real(i);
        real = product ? real * v : real + v;
        write_double(outputs[0].dtype, bytes.data(), i, exclusive ? real_before : real);
      }
    }
  }
  return Constants{Constant::of(outputs[0], std::move(bytes))};
}

std::string kernel_stem(const std::string& op) { return op == "CumProd" ? "tarn_cumprod_" : "tarn_cumsum_"; }

std::optional<Fault> lower_cumulative(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = kernel_stem(node.op) + kernel_suffix(dtype);
  if (!scan_kernel(kernel)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const ValueId id = node.inputs[1];
  Argument axis;
  if (const Constant* c = low.constant(id); c && !c->is_absent()) {
    const int64_t value = c->integer(0);
    axis = low.weight(cat("axis:", value), Constant::ints(DType::int64, Shape{1}, {value}));
  } else {
    axis = low.read(id);
    if (low.dtype(id) != DType::int64) {
      const TensorId wide =
          low.new_tensor(low.graph()[id].name + "_wide", DType::int64, low.shape(id), program::Kind::activation);
      lower_cast(node, low, std::move(axis), low.write(wide), low.dtype(id), DType::int64, 1);
      axis = low.read(wide);
    }
  }
  std::vector<int64_t> dims = x.dims;
  dims.resize(8, 1);
  Operation& operation = low.call(node, kernel,
                                  {"tarn_scan_params",
                                   {{"rank", static_cast<int64_t>(x.rank())},
                                    {"dims", dims},
                                    {"exclusive", int64_t{node.integer("exclusive", 0) != 0}},
                                    {"reverse", int64_t{node.integer("reverse", 0) != 0}}}},
                                  {low.read(node.inputs[0]), std::move(axis), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::optional<KernelText> scan_kernel(const std::string& name) {
  const size_t at = name.rfind('_');
  if (at == std::string::npos) return {};
  const std::optional<CType> type = c_type_of(name.substr(at + 1));
  const std::string stem = name.substr(0, at + 1);
  const bool product = stem == kernel_stem("CumProd");
  if (!type || type->dtype == DType::boolean || (!product && stem != kernel_stem("CumSum"))) return {};
  std::set<std::string> includes;
  std::map<std::string, std::string> holes = common_holes(name);
  holes["TEXT"] = product ? "product" : "sum";
  holes["IN"] = type->storage;
  holes["COMPUTE"] = type->compute;
  holes["START"] = product ? "1" : "0";
  holes["LOAD"] = load(*type, "x[i]");
  const std::string sign = product ? "*" : "+";
  holes["STEP"] =
      type->real ? "s " + sign + " v" : write_expression("({T})(({U})s " + sign + " ({U})v)", *type, includes);
  holes["STORE"] = store("p->exclusive != 0 ? before : s", *type, *type, includes);
  holes["INCLUDES"] = include_lines(*type, includes);
  return fill_kernel("scan", holes);
}

std::vector<OperatorEntry> scan_entries() {
  return {{"", "CumSum", "floats, integers", lower_cumulative, infer_cumulative, fold_cumulative},
          {"", "CumProd", "floats, integers", lower_cumulative, infer_cumulative, fold_cumulative}};
}

}  // namespace tarn::ops
