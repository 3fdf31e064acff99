// DFT and STFT: sums over a table of the circle's parts, one per length.
#include <cmath>
#include <numbers>

#include "ops/indexed.h"
#include "ops/lowering.h"
#include "ops/movement.h"
#include "ops/signal.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr int64_t kMaxPoints = 1 << 20;  // the table has as many entries

bool transforms_real(DType type) {
  return type == DType::float32 || type == DType::float64 || type == DType::float16 || type == DType::bfloat16;
}

// A scalar input, if it is known.
std::optional<int64_t> scalar(const std::optional<std::vector<int64_t>>& values) {
  if (!values || values->size() != 1) return {};
  return (*values)[0];
}

// Cosine and sine of each n-th part of the circle, for several n after each other; exact where they are 0 or 1.
std::vector<double> circle(const std::vector<int64_t>& lengths) {
  std::vector<double> table;
  for (int64_t n : lengths) {
    for (int64_t k = 0; k < n; ++k) {
      // Reduced to an eighth of the circle, where sine and cosine are as exact as they can be.
      const int64_t eighths = 8 * k / n;
      const int64_t octant = eighths % 8;
      auto angle = [&](int64_t part) {
        return 2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(4 * n);
      };
      // Angles in quarter parts of k / n, relative to the nearest axis of the plane.
      const int64_t quarter = (octant + 1) / 2 % 4, rest = 4 * k - ((octant + 1) / 2) * n;
      const double c = std::cos(angle(rest)), s = std::sin(angle(rest));
      const double cosines[4] = {c, -s, -c, s}, sines[4] = {s, c, -s, -c};
      table.push_back(cosines[quarter]);
      table.push_back(sines[quarter]);
    }
  }
  return table;
}

Argument circle_weight(Lowering& low, const std::vector<int64_t>& lengths, DType type) {
  const DType stored = type == DType::float64 ? DType::float64 : DType::float32;
  const std::vector<double> table = circle(lengths);
  const auto count = static_cast<int64_t>(table.size());
  return low.weight(cat("circle/", to_string(stored), ":circle_", join(lengths, "_")),
                    Constant::floats(stored, Shape{count}, table));
}

struct Transform {
  bool inverse = false, half = false;
  std::optional<int64_t> axis, length;  // where known; the axis normalised
  bool length_given = false;
};

template <class Get>
std::optional<Transform> transform_of(const Node& node, int rank, const Get& get) {
  Transform t;
  t.inverse = node.integer("inverse", 0) != 0;
  t.half = node.integer("onesided", 0) != 0;
  t.length_given = node.has_input(1);
  if (t.length_given) t.length = scalar(get(1, ""));
  if (node.version >= 20) {
    t.axis = node.has_input(2) ? scalar(get(2, "")) : std::optional<int64_t>(-2);
  } else {
    t.axis = node.integer("axis", 1);
  }
  if (t.axis) {
    const auto axis = normalise_axis(*t.axis, rank);
    if (!axis || *axis == rank - 1) return {};
    t.axis = *axis;
  }
  return t;
}

int64_t default_length(const Transform& t, int64_t in) { return t.inverse && t.half ? 2 * (in - 1) : in; }
int64_t made_of(const Transform& t, int64_t length) { return t.half && !t.inverse ? length / 2 + 1 : length; }

Answer<Types> infer_dft(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  Shape y = facts.shape(0);
  const int rank = y.rank();
  if (rank < 2 || (y[rank - 1] != 1 && y[rank - 1] != 2))
    return Fault{"an input of " + to_string(y) + " is no tensor of real or complex numbers"};
  const auto t =
      transform_of(facts.node, rank, [&](size_t i, const char* name) { return integers_of(facts, i, name); });
  if (!t) return Fault{"axis is outside " + to_string(y), "", "E211"};
  if (!t->axis || (t->length_given && !t->length)) return Types{TensorType{}};
  const auto at = static_cast<int>(*t->axis);
  const int64_t length = t->length ? *t->length : default_length(*t, y[at]);
  if (length < 1 || length > kMaxPoints) return Fault{cat("a transform of ", length, " points"), "", "E211"};
  y[at] = made_of(*t, length);
  y[rank - 1] = t->inverse && t->half ? 1 : 2;
  return Types{{facts.types[0].dtype, y}};
}

// How many points the transform along an axis has, if it leads from x to y; else 0.
int64_t points(const Transform& t, const Shape& x, const Shape& y, int axis) {
  for (int i = 0; i + 1 < x.rank(); ++i) {
    if (i != axis && x[i] != y[i]) return 0;
  }
  int64_t n = default_length(t, x[axis]);
  if (t.length) n = *t.length;
  else if (t.length_given) n = t.half && !t.inverse ? 2 * (y[axis] - 1) : y[axis];  // of the two lengths the even one
  return n >= 1 && n <= kMaxPoints && made_of(t, n) == y[axis] ? n : 0;
}

std::optional<Fault> lower_dft(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!transforms_real(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Transform t =
      *transform_of(node, x.rank(), [&](size_t i, const char* name) { return integers_of(node, low, i, name); });
  const int rank = x.rank() - 1;
  const bool parts_fit = y.rank() == x.rank() && y[rank] == (t.inverse && t.half ? 1 : 2);
  if (!parts_fit) return Fault{"an output of " + to_string(y)};
  std::vector<int64_t> length(8, 0), table_at(8, 0), lengths;
  int64_t total = 0, last = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if (t.axis && *t.axis != axis) continue;
    const int64_t n = points(t, x, y, axis);
    if (n == 0) continue;
    if (t.length_given && !t.length && last != 0 && last != n)
      return Fault{"axis and length are known only at run time", "fix one with --const"};
    length[static_cast<size_t>(axis)] = last = n;
    table_at[static_cast<size_t>(axis)] = total;
    lengths.push_back(n);
    total += n;
  }
  if (lengths.empty()) return Fault{cat("no transform leads from ", to_string(x), " to ", to_string(y))};
  if (t.length_given && !t.length) lower_expected(node, low, node.inputs[1], {last});
  if (!t.axis && low.dtype(node.inputs[2]) != DType::int64) return Fault{"the axis is no int64", "", "E204"};
  auto dims = [&](const Shape& s) { return padded_to({s.dims.begin(), s.dims.end() - 1}, 8, 1); };
  Operation& operation = low.call(node, "tarn_dft_" + kernel_suffix(dtype),
                                  {"tarn_dft_params",
                                   {{"rank", static_cast<int64_t>(rank)},
                                    {"in", dims(x)},
                                    {"out", dims(y)},
                                    {"length", length},
                                    {"table_at", table_at},
                                    {"x_parts", x[rank]},
                                    {"y_parts", y[rank]},
                                    {"axis", t.axis.value_or(-1)},
                                    {"inverse", int64_t{t.inverse}},
                                    {"half", int64_t{t.half}}}},
                                  {low.read(node.inputs[0]), circle_weight(low, lengths, dtype),
                                   t.axis ? low.none() : low.read(node.inputs[2]), low.write(node.outputs[0])});
  operation.returns_status = !t.axis;
  return {};
}

// STFT: signal, frame step, window, frame length.
struct Frames {
  std::optional<int64_t> step, length;
};
template <class Get>
Frames frames_of(const Node& node, const Shape& signal, const std::optional<Shape>& window, const Get& get) {
  Frames f;
  f.step = scalar(get(1, ""));
  if (node.has_input(3)) f.length = scalar(get(3, ""));
  else if (!window && signal.rank() > 1) f.length = signal[1];
  if (!f.length && window) f.length = window->count();
  return f;
}

Answer<Types> infer_stft(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs a signal and a frame step"};
  const Shape& x = facts.shape(0);
  if (x.rank() < 2 || x.rank() > 3 || (x.rank() == 3 && x[2] != 1 && x[2] != 2))
    return Fault{"a signal of " + to_string(x)};
  std::optional<Shape> window;
  if (facts.has(2)) window = facts.shape(2);
  const Frames f =
      frames_of(facts.node, x, window, [&](size_t i, const char* name) { return integers_of(facts, i, name); });
  if (!f.step || !f.length) return Types{TensorType{}};
  if (*f.step < 1 || *f.length < 1 || *f.length > x[1] || *f.length > kMaxPoints ||
      (window && window->count() != *f.length)) {
    return Fault{cat("frames of ", *f.length, " points every ", *f.step, " in a signal of ", to_string(x)), "", "E211"};
  }
  const int64_t bins = facts.node.integer("onesided", 1) != 0 ? *f.length / 2 + 1 : *f.length;
  return Types{{facts.types[0].dtype, Shape{x[0], (x[1] - *f.length) / *f.step + 1, bins, 2}}};
}

std::optional<Fault> lower_stft(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!transforms_real(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const bool half = node.integer("onesided", 1) != 0;
  std::optional<Shape> window;
  if (node.has_input(2)) window = low.shape(node.inputs[2]);
  Frames f = frames_of(node, x, window, [&](size_t i, const char* name) { return integers_of(node, low, i, name); });
  if (y.rank() != 4 || y[0] != x[0] || y[3] != 2) return Fault{"an output of " + to_string(y)};
  if (!f.length) f.length = half ? 2 * (y[2] - 1) : y[2];  // of the two lengths the even one
  if (*f.length < 1 || *f.length > kMaxPoints || y[2] != (half ? *f.length / 2 + 1 : *f.length) ||
      (window && window->count() != *f.length)) {
    return Fault{cat("frames of ", *f.length, " points do not make ", to_string(y))};
  }
  if (node.has_input(3) && !low.constant(node.inputs[3])) lower_expected(node, low, node.inputs[3], {*f.length});
  const DType step = low.dtype(node.inputs[1]);
  if (!f.step && step != DType::int64 && step != DType::int32) return Fault{"the frame step is no integer", "", "E204"};
  const std::string kernel = "tarn_stft_" + kernel_suffix(dtype);
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"batches", x[0]},
                                    {"size", x[1]},
                                    {"x_parts", x.rank() == 3 ? x[2] : int64_t{1}},
                                    {"frames", y[1]},
                                    {"bins", y[2]},
                                    {"length", *f.length},
                                    {"step", f.step.value_or(0)},
                                    {"wide", int64_t{step == DType::int64}}}},
                                  {low.read(node.inputs[0]), node.has_input(2) ? low.read(node.inputs[2]) : low.none(),
                                   circle_weight(low, {*f.length}, dtype),
                                   f.step ? low.none() : low.read(node.inputs[1]), low.write(node.outputs[0])});
  operation.returns_status = !f.step;
  return {};
}

}  // namespace

std::vector<OperatorEntry> fourier_entries() {
  return {{"", "DFT", "floats", lower_dft, infer_dft}, {"", "STFT", "floats", lower_stft, infer_stft}};
}

}  // namespace tarn::ops
