// Random networks in the onnx library's textual form: convolutions, pools, sums, concatenations, slices, pads and what
// else moves bytes, on images or on signals. The same seed gives the same network.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "planner/random.h"
#include "support/text.h"
#include "unit/compile/joined.h"

namespace tarn {

class RandomText {
 public:
  explicit RandomText(uint64_t seed) : random_(seed) {}

  // float[1, C, H, W] to outputs of any kind.
  std::string image() {
    const int64_t inputs = 1 + below(4) / 3;
    std::string given;
    for (int64_t i = 0; i < inputs; ++i) {
      const Value x{cat("x", i), 1 + below(4), 6 + below(9), 6 + below(9)};
      given += cat(i > 0 ? ", " : "", typed(x));
      values_.push_back(x);
    }
    if (below(3) == 0) elementwise(values_[0]), values_[0].used = true;
    const int64_t count = 4 + below(9);
    for (int64_t i = 0; i < count; ++i) add();
    std::string made;
    for (const Value& v : values_) {
      if (v.used || v.name[0] == 'x') continue;
      made += cat(made.empty() ? "" : ", ", typed(v));
    }
    return cat("g (", given, ") => (", made, ") <", constants_, "> {\n", nodes_, "}");
  }

  // float[1, C, steps], each step made of those before it.
  std::string signal() {
    const int64_t steps = 24;
    Value x{"x", 1 + below(4), steps, 1};
    const std::string given = cat("float[1, ", x.channels, ", ", steps, "] x");
    std::vector<std::string> made;
    for (int64_t i = 0, count = 2 + below(4); i < count; ++i) {
      const int64_t k = 1 + below(3), dilation = 1 + below(2), channels = 1 + below(4);
      const bool last = i + 1 == count, strided = last && below(2) == 0 && k <= 2;
      const std::string w = kernel({channels, x.channels, k}), y = name();
      const int64_t pad = strided ? 0 : (k - 1) * dilation;
      nodes_ += cat("  ", y, " = Conv <dilations = [", strided ? 1 : dilation, "], pads = [", pad, ", 0], strides = [",
                    strided ? 2 : 1, "]> (", x.name, ", ", w, ")\n");
      Value next{y, channels, strided ? steps / 2 : steps, 1};
      if (strided && k == 1) next.lines = steps / 2;
      if (!strided && next.channels == x.channels && below(2) == 0) {
        const std::string sum = name();
        nodes_ += cat("  ", sum, " = Add(", y, ", ", x.name, ")\n");
        next.name = sum;
      } else if (below(3) == 0) {
        const std::string other = name();
        nodes_ += cat("  ", other, " = ", below(2) == 0 ? "Relu" : "Sigmoid", "(", y, ")\n");
        next.name = other;
      }
      x = next;
    }
    return cat("g (", given, ") => (float[1, ", x.channels, ", ", x.lines, "] ", x.name, ") <", constants_, "> {\n",
               nodes_, "}");
  }

 private:
  struct Value {
    std::string name;
    int64_t channels = 1, lines = 1, pixels = 1;
    bool used = false;
  };

  int64_t below(int64_t n) { return random_.below(n); }
  std::string name() { return cat("t", ++names_); }
  static std::string typed(const Value& v) {
    return cat("float[1, ", v.channels, ", ", v.lines, ", ", v.pixels, "] ", v.name);
  }
  Value& any() {
    // Mostly one of the last.
    const auto count = static_cast<int64_t>(values_.size());
    Value& v =
        values_[static_cast<size_t>(below(3) == 0 ? below(count) : count - 1 - below(std::min<int64_t>(2, count)))];
    v.used = true;
    return v;
  }

  std::string constant(const std::string& text) {
    constants_ += cat(constants_.empty() ? "" : ", ", text);
    return cat("c", ++made_constants_);
  }
  std::string kernel(const std::vector<int64_t>& dims) {
    int64_t count = 1;
    std::string shape;
    for (int64_t d : dims) count *= d, shape += cat(shape.empty() ? "" : ", ", d);
    return constant(ones(cat("c", made_constants_ + 1), shape, static_cast<int>(count)));
  }
  std::string integers(const std::vector<int64_t>& values) {
    std::string list;
    for (int64_t v : values) list += cat(list.empty() ? "" : ", ", v);
    return constant(cat("int64[", values.size(), "] c", made_constants_ + 1, " = {", list, "}"));
  }

  void push(const std::string& call, int64_t channels, int64_t lines, int64_t pixels) {
    const std::string y = name();
    nodes_ += cat("  ", y, " = ", call, "\n");
    values_.push_back({y, channels, lines, pixels});
  }

  void add() {
    const Value x = any();
    switch (below(18)) {
      case 0:
      case 1:
      case 2: return window(x, true);
      case 3: return window(x, false);
      case 4: return depthwise(x);
      case 5: return elementwise(x);
      case 6: return two(x, false);
      case 7: return two(x, true);
      case 8: return enlarge(x);
      case 9: return part(x);
      case 10: return pad(x);
      case 11: return gate(x);
      case 12: return push(cat("Transpose <perm = [0, 1, 3, 2]> (", x.name, ")"), x.channels, x.pixels, x.lines);
      default: return push(cat("Softmax <axis = ", 1 + below(3), "> (", x.name, ")"), x.channels, x.lines, x.pixels);
    }
  }

  // One axis of a window: kernel, stride, dilation, pads, and how many fit.
  struct Axis {
    int64_t k, stride, dilation, before, after, out;
  };
  Axis axis(int64_t size, bool dilated) {
    for (;;) {
      Axis a{1 + below(4), 1 + below(2), dilated ? 1 + below(5) / 4 : 1, 0, 0, 0};
      a.before = below(a.k), a.after = below(a.k);
      const int64_t reach = (a.k - 1) * a.dilation + 1;
      if (size + a.before + a.after < reach) continue;
      a.out = (size + a.before + a.after - reach) / a.stride + 1;
      return a;
    }
  }
  static std::string window_of(const Axis& l, const Axis& p) {
    return cat("kernel_shape = [", l.k, ", ", p.k, "], strides = [", l.stride, ", ", p.stride, "], pads = [", l.before,
               ", ", p.before, ", ", l.after, ", ", p.after, "]");
  }

  void window(const Value& x, bool convolution) {
    const Axis l = axis(x.lines, convolution), p = axis(x.pixels, convolution);
    if (!convolution)
      return push(cat(below(2) == 0 ? "MaxPool" : "AveragePool", " <", window_of(l, p), "> (", x.name, ")"), x.channels,
                  l.out, p.out);
    const int64_t made = 1 + below(6);
    push(cat("Conv <", window_of(l, p), ", dilations = [", l.dilation, ", ", p.dilation, "]> (", x.name, ", ",
             kernel({made, x.channels, l.k, p.k}), ")"),
         made, l.out, p.out);
  }
  void depthwise(const Value& x) {
    const int64_t wide = x.channels * (2 + below(3));
    push(cat("Conv (", x.name, ", ", kernel({wide, x.channels, 1, 1}), ")"), wide, x.lines, x.pixels);
    const Value in = any_last();
    push(cat("Conv <group = ", wide, ", pads = [1, 1, 1, 1]> (", in.name, ", ", kernel({wide, 1, 3, 3}), ")"), wide,
         x.lines, x.pixels);
    const Value mid = any_last();
    push(cat("Conv (", mid.name, ", ", kernel({x.channels, wide, 1, 1}), ")"), x.channels, x.lines, x.pixels);
    if (below(2) == 0) return;
    const Value out = any_last();
    push(cat("Add(", x.name, ", ", out.name, ")"), x.channels, x.lines, x.pixels);
  }
  Value any_last() {
    values_.back().used = true;
    return values_.back();
  }

  void enlarge(const Value& x) {
    if (x.lines * x.pixels > 150) return elementwise(x);
    push(cat("ConvTranspose <strides = [2, 2]> (", x.name, ", ", kernel({x.channels, 2, 2, 2}), ")"), 2, 2 * x.lines,
         2 * x.pixels);
  }
  void reshape(const Value& x) {
    const int64_t k = below(3);
    const Value to{"", k == 0 ? x.lines : x.channels,
                   k == 0   ? x.channels
                   : k == 1 ? x.pixels
                            : x.lines * x.pixels,
                   k == 0   ? x.pixels
                   : k == 1 ? x.lines
                            : 1};
    const std::string shape = integers({1, to.channels, to.lines, to.pixels});
    push(cat("Reshape(", x.name, ", ", shape, ")"), to.channels, to.lines, to.pixels);
  }
  // A number for each channel, added or multiplied.
  void by_channel(const Value& x) {
    push(cat(below(2) == 0 ? "Add" : "Mul", "(", x.name, ", ", kernel({x.channels, 1, 1}), ")"), x.channels, x.lines,
         x.pixels);
  }

  void elementwise(const Value& x) {
    push(cat(below(2) == 0 ? "Sigmoid" : "Relu", "(", x.name, ")"), x.channels, x.lines, x.pixels);
  }
  // A sum, or the channels side by side, with another tensor of these lines and pixels, or with one made for it.
  void two(const Value& x, bool beside) {
    Value other = x;
    for (Value& v : values_) {
      if (v.name == x.name || v.lines != x.lines || v.pixels != x.pixels || (!beside && v.channels != x.channels))
        continue;
      v.used = true;
      other = v;
      break;
    }
    if (other.name == x.name) {
      push(cat("Tanh(", x.name, ")"), x.channels, x.lines, x.pixels);
      other = any_last();
    }
    if (beside)
      return push(cat("Concat <axis = 1> (", x.name, ", ", other.name, ")"), x.channels + other.channels, x.lines,
                  x.pixels);
    push(cat(below(2) == 0 ? "Add" : "Mul", "(", x.name, ", ", other.name, ")"), x.channels, x.lines, x.pixels);
  }
  void part(const Value& x) {
    const int64_t axis = 1 + below(3), size = axis == 1 ? x.channels : axis == 2 ? x.lines : x.pixels;
    const int64_t first = below(size), end = first + 1 + below(size - first);
    const std::string from = integers({first}), to = integers({end}), along = integers({axis});
    push(cat("Slice(", x.name, ", ", from, ", ", to, ", ", along, ")"), axis == 1 ? end - first : x.channels,
         axis == 2 ? end - first : x.lines, axis == 3 ? end - first : x.pixels);
  }
  void pad(const Value& x) {
    const int64_t top = below(3), left = below(3), bottom = below(3), right = below(3);
    const std::string pads = integers({0, 0, top, left, 0, 0, bottom, right});
    push(cat("Pad(", x.name, ", ", pads, ")"), x.channels, x.lines + top + bottom, x.pixels + left + right);
  }
  void gate(const Value& x) {
    push(cat("GlobalAveragePool(", x.name, ")"), x.channels, 1, 1);
    const Value mean = any_last();
    push(cat("Sigmoid(", mean.name, ")"), x.channels, 1, 1);
    const Value scale = any_last();
    push(cat("Mul(", x.name, ", ", scale.name, ")"), x.channels, x.lines, x.pixels);
  }

  planner::Random random_;
  std::vector<Value> values_;
  std::string nodes_, constants_;
  int64_t names_ = 0, made_constants_ = 0;
};

}  // namespace tarn
