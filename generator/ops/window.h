// Sliding windows: the arithmetic that convolutions and pools share.
#pragma once
#include <string>
#include <vector>

#include "ops/lowering.h"

namespace tarn::ops {

// One spatial axis.
struct WindowAxis {
  int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  bool single() const { return kernel == 1 && pad_begin == 0 && pad_end == 0; }
  bool plain() const { return single() && stride == 1; }  // each position needs that of its number
};

// The attributes kernel_shape (or `kernel`, when the weights give it), strides, dilations, pads, auto_pad and ceil_mode
// of a node, for input sizes `in`. The outputs are computed.
Answer<std::vector<WindowAxis>> window_axes(const Node& node, const std::vector<int64_t>& in,
                                            std::vector<int64_t> kernel);

// The sizes of an image's spatial axes, for N, C, spatial... or N, spatial..., C; weights stand as the former.
std::vector<int64_t> spatial_dims(const Shape& shape, bool channels_last);

// With LowerOptions::time_lines the one axis that a signal has becomes that of lines, beside one pixel.
void stand_signals(const Lowering& low, std::vector<WindowAxis>& axes);

// The fields in, out, kernel, stride, dilation and pad of a kernel's parameters: lists with a number per axis.
std::vector<program::Field> axis_fields(const std::vector<WindowAxis>& axes);

// Which positions of the input each position of the output needs, clipped to the input; for Walk.
std::vector<program::Span> window_spans(const WindowAxis& axis);
// Lines of `images` images after each other; `planes` is the axis above lines in volumes, or one of size 1.
std::vector<program::Span> window_lines(int64_t images, const WindowAxis& planes, const WindowAxis& lines);

}  // namespace tarn::ops
