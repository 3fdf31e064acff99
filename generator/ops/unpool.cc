// MaxUnpool and Col2Im: what pooling and sliding windows took apart is put together again.
#include <algorithm>
#include <array>

#include "ops/movement.h"
#include "ops/run_time_shapes.h"
#include "ops/spatial.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr int64_t kMaxUnpooled = int64_t{1} << 31;

bool sane(const std::vector<int64_t>& values, int64_t least) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v >= least && v < kMaxUnpooled; });
}

// The shape that was pooled, as far as the attributes tell: what the indices count in.
std::optional<Shape> pooled_from(const Node& node, const Shape& x) {
  const auto n = static_cast<size_t>(std::max(0, x.rank() - 2));
  const std::vector<int64_t> kernel = node.integers("kernel_shape");
  std::vector<int64_t> strides = node.integers("strides"), pads = node.integers("pads");
  if (strides.empty()) strides.assign(n, 1);
  if (pads.empty()) pads.assign(2 * n, 0);
  if (n == 0 || kernel.size() != n || strides.size() != n || pads.size() != 2 * n) return {};
  if (!sane(kernel, 1) || !sane(strides, 1) || !sane(pads, 0) || !sane(x.dims, 0)) return {};
  Shape shape{x[0], x[1]};
  for (size_t i = 0; i < n; ++i) {
    shape.dims.push_back((x.dims[2 + i] - 1) * strides[i] + kernel[i] - pads[i] - pads[n + i]);
    if (shape.dims.back() < 0) return {};
  }
  if (!checked_count(shape)) return {};
  return shape;
}

Answer<Types> infer_unpool(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs values and indices"};
  const Shape& x = facts.shape(0);
  const auto from = pooled_from(facts.node, x);
  if (!from) return Fault{"kernel_shape, strides and pads do not fit " + to_string(x)};
  if (facts.shape(1) != x) return Fault{"indices " + to_string(facts.shape(1)) + " for values " + to_string(x)};
  if (!facts.has(2)) return Types{{facts.types[0].dtype, *from}};
  Shape y;
  if (facts.value(2) && !facts.value(2)->is_absent()) {
    y.dims = facts.value(2)->integers();
  } else if (!facts.declared.empty() && facts.declared[0].dtype != DType::undefined) {
    y = facts.declared[0].shape;
  } else {
    return Types{TensorType{}};
  }
  if (y.rank() != x.rank() || !checked_count(y)) return Fault{"output_shape " + to_string(y) + " for " + to_string(x)};
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Fault> lower_unpool(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (is_packed(dtype) || bits_of(dtype) == 0 || bits_of(dtype) > 64)
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  std::vector<int64_t> in = pooled_from(node, x)->dims, out = y.dims;
  check_numbers(node, low, 2, y.dims);
  if (Shape(in).count() > INT32_MAX) return Fault{"an image of " + to_string(Shape(in)) + " is too large", "", "E207"};
  in.resize(kMaxRank, 1);
  out.resize(kMaxRank, 1);
  const std::string kernel = "tarn_maxunpool_" + bytes_suffix(dtype);
  Operation& operation = low.call(
      node, kernel,
      {kernel + "_params", {{"count", x.count()}, {"total", y.count()}, {"rank", x.rank()}, {"in", in}, {"out", out}}},
      {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

// Images of C channels whose blocks are the columns of the input.
Answer<Types> infer_col2im(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || !facts.has(2) || facts.shape(0).rank() != 3)
    return Fault{"needs columns, image_shape and block_shape"};
  const Constant *image = facts.value(1), *block = facts.value(2);
  if (!image || image->is_absent() || !block || block->is_absent()) {
    if (!facts.declared.empty() && facts.declared[0].dtype != DType::undefined)
      return Types{{facts.types[0].dtype, facts.declared[0].shape}};
    return Types{TensorType{}};
  }
  Checked area = 1;
  for (int64_t d : block->integers()) area = d >= 1 && area ? checked_mul(*area, d) : Checked();
  const Shape& x = facts.shape(0);
  if (!area || x[1] % *area != 0)
    return Fault{cat("blocks of [", join(block->integers()), "] elements for ", to_string(x))};
  Shape y{x[0], x[1] / *area};
  for (int64_t d : image->integers()) y.dims.push_back(d);
  if (y.rank() > kMaxRank || !checked_count(y))
    return Fault{"image_shape [" + join(image->integers()) + "] is impossible", "", "E207"};
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Fault> lower_col2im(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const int dims = y.rank() - 2;
  if (is_packed(dtype) || !(is_integer(dtype) || (is_float(dtype) && bits_of(dtype) >= 16))) {
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  }
  if (dims < 1 || dims > 6 || x.rank() != 3 || y[0] != x[0] || y[1] == 0 || x[1] % y[1] != 0 ||
      low.dtype(node.inputs[2]) != DType::int64 || low.shape(node.inputs[2]).count() != dims) {
    return Fault{"columns " + to_string(x) + " do not fit images " + to_string(y)};
  }
  const auto n = static_cast<size_t>(dims);
  auto list = [&](const char* name, size_t count, int64_t otherwise) {
    std::vector<int64_t> values = node.integers(name);
    if (values.empty()) values.assign(count, otherwise);
    return values;
  };
  std::vector<int64_t> strides = list("strides", n, 1), dilations = list("dilations", n, 1),
                       pads = list("pads", 2 * n, 0);
  if (strides.size() != n || dilations.size() != n || pads.size() != 2 * n || !sane(strides, 1) ||
      !sane(dilations, 1) || !sane(pads, 0)) {
    return Fault{cat("strides, dilations and pads do not fit ", dims, " axes")};
  }
  std::vector<int64_t> out(y.dims.begin() + 2, y.dims.end()), begin(pads.begin(), pads.begin() + dims),
      end(pads.begin() + dims, pads.end());
  check_numbers(node, low, 1, out);
  for (auto* values : {&out, &strides, &dilations, &begin, &end}) values->resize(6, 1);
  const std::string kernel = "tarn_col2im_" + kernel_suffix(dtype);
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"images", x[0] * y[1]},
                                    {"dims", dims},
                                    {"block_count", x[1] / y[1]},
                                    {"blocks", x[2]},
                                    {"out", out},
                                    {"stride", strides},
                                    {"dilation", dilations},
                                    {"pad", begin},
                                    {"pad_end", end}}},
                                  {low.read(node.inputs[0]), low.read(node.inputs[2]), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> unpool_entries() {
  return {
      {"", "MaxUnpool", "any", lower_unpool, infer_unpool},
      {"", "Col2Im", "numbers", lower_col2im, infer_col2im, nullptr, Layout::fixed, nullptr, "at most 6 spatial axes"},
  };
}

}  // namespace tarn::ops
