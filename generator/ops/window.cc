#include "ops/window.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::ops {

namespace {

// Larger numbers are mistakes, and would overflow the arithmetic below.
constexpr int64_t kMaxWindow = int64_t{1} << 31;

bool sane_window(const std::vector<int64_t>& values, int64_t least) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v >= least && v < kMaxWindow; });
}

}  // namespace

Answer<std::vector<WindowAxis>> window_axes(const Node& node, const std::vector<int64_t>& in,
                                            std::vector<int64_t> kernel) {
  const size_t n = in.size();
  if (kernel.empty()) kernel = node.integers("kernel_shape");
  std::vector<int64_t> strides = node.integers("strides"), dilations = node.integers("dilations"),
                       pads = node.integers("pads");
  if (strides.empty()) strides.assign(n, 1);
  if (dilations.empty()) dilations.assign(n, 1);
  if (pads.empty()) pads.assign(2 * n, 0);
  if (kernel.size() != n || strides.size() != n || dilations.size() != n || pads.size() != 2 * n) {
    return Fault{cat("kernel_shape [", join(kernel), "], strides [", join(strides), "], dilations [", join(dilations),
                     "] and pads [", join(pads), "] do not fit ", n, " spatial axes")};
  }
  if (!sane_window(kernel, 1) || !sane_window(strides, 1) || !sane_window(dilations, 1) || !sane_window(pads, 0) ||
      !sane_window(in, 0)) {
    return Fault{"kernel, strides and dilations are 1 or more, pads 0 or more"};
  }
  const std::string auto_pad = node.text("auto_pad", "NOTSET");
  const bool ceil_mode = node.integer("ceil_mode", 0) != 0;
  std::vector<WindowAxis> axes;
  for (size_t i = 0; i < n; ++i) {
    WindowAxis a{in[i], 0, kernel[i], strides[i], dilations[i], pads[i], pads[n + i]};
    if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
      a.out = ceil_div(a.in, a.stride);
      const int64_t total = std::max<int64_t>(0, (a.out - 1) * a.stride + a.extent() - a.in);
      a.pad_begin = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
      a.pad_end = total - a.pad_begin;
    } else {
      if (auto_pad == "VALID") a.pad_begin = a.pad_end = 0;
      const int64_t room = a.in + a.pad_begin + a.pad_end - a.extent();
      if (room < 0) {
        return Fault{cat("a kernel of extent ", a.extent(), " does not fit ", a.in, " + ", a.pad_begin, " + ",
                         a.pad_end, " elements of spatial axis ", i)};
      }
      a.out = (ceil_mode ? ceil_div(room, a.stride) : room / a.stride) + 1;
      // A window that begins in the padding at the end does not count.
      if (ceil_mode && (a.out - 1) * a.stride >= a.in + a.pad_begin) --a.out;
    }
    axes.push_back(a);
  }
  return axes;
}

std::vector<int64_t> spatial_dims(const Shape& shape, bool channels_last) {
  const int first = channels_last ? 1 : 2;
  return {shape.dims.begin() + first, shape.dims.begin() + first + shape.rank() - 2};
}

void stand_signals(const Lowering& low, std::vector<WindowAxis>& axes) {
  if (!low.options().time_lines) return;
  if (axes.size() == 1) {
    axes.emplace_back();
    axes.back().out = 1;
  } else if (axes.size() == 2 && axes[0].in == 1 && axes[0].out == 1) {
    std::swap(axes[0], axes[1]);
  }
}

std::vector<program::Field> axis_fields(const std::vector<WindowAxis>& axes) {
  std::vector<program::Field> fields;
  auto add = [&](const char* name, int64_t WindowAxis::*member) {
    std::vector<int64_t> list;
    for (const WindowAxis& axis : axes) list.push_back(axis.*member);
    fields.push_back({name, std::move(list)});
  };
  add("in", &WindowAxis::in);
  add("out", &WindowAxis::out);
  add("kernel", &WindowAxis::kernel);
  add("stride", &WindowAxis::stride);
  add("dilation", &WindowAxis::dilation);
  add("pad", &WindowAxis::pad_begin);
  return fields;
}

std::vector<program::Span> window_spans(const WindowAxis& axis) {
  std::vector<program::Span> spans;
  for (int64_t o = 0; o < axis.out; ++o) {
    const int64_t first = o * axis.stride - axis.pad_begin;
    const int64_t lo = std::clamp<int64_t>(first, 0, axis.in),
                  hi = std::clamp<int64_t>(first + axis.extent(), lo, axis.in);
    spans.push_back({lo, hi});
  }
  return spans;
}

std::vector<program::Span> window_lines(int64_t images, const WindowAxis& planes, const WindowAxis& lines) {
  const std::vector<program::Span> over_planes = window_spans(planes), over_lines = window_spans(lines);
  std::vector<program::Span> spans;
  for (int64_t image = 0; image < images; ++image) {
    for (const program::Span& p : over_planes) {
      for (const program::Span& l : over_lines) {
        const int64_t base = image * planes.in;
        if (p.first == p.end || l.first == l.end) {
          const int64_t at = (base + p.first) * lines.in + l.first;
          spans.push_back({at, at});
        } else {
          spans.push_back({(base + p.first) * lines.in + l.first, (base + p.end - 1) * lines.in + l.end});
        }
      }
    }
  }
  return spans;
}

}  // namespace tarn::ops
