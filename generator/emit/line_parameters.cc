// Which function a call of a kernel by lines goes to, and its numbers: those of the layer, as far as they belong to the
// lines and pixels of the call.
#include "emit/line_work.h"

namespace tarn::emit {

using program::Operation;

size_t range_of(const program::LineCall& call, int64_t pixels) {
  using How = program::LineArgument::How;
  for (size_t i = 0; i + 1 < call.arguments.size(); ++i) {
    const program::LineArgument &a = call.arguments[i], &b = call.arguments[i + 1];
    if (a.how == How::number && b.how == How::number && a.number == 0 && b.number == pixels) return i;
  }
  return call.arguments.size();
}

std::string function_of(const Analysis& analysis, const LineKernelCall& call) {
  const Operation& operation = analysis.program[call.operation];
  if (call.call == kTogether) return operation.line_form->together->kernel;
  return call.call < 0 ? operation.kernel : operation.line_form->calls[static_cast<size_t>(call.call)].kernel;
}

std::string kernel_of(const Analysis& analysis, const LineKernelCall& call) {
  const Operation& operation = analysis.program[call.operation];
  return call.call < 0 || is_part(operation.params, operation.line_form->params) ? operation.kernel
                                                                                 : function_of(analysis, call);
}

namespace {

// One line of a window's layer: another image, of which the same rows are missing. `transposed`: strides are those of
// the input, and the first line looks for what reaches it from where the call's does. Lines that are joined have the
// pixels of all, and what lies `between` their windows is the pixel stride (as joined_params in stream_params.cc says).
void take_line(std::map<std::string, int64_t>& p, const LineKernelCall& call, int64_t between, bool transposed) {
  const auto has = [&](const char* name) { return p.count(name) > 0; };
  // A member of an array or a number by itself: integer layers, floats, pools.
  const auto lines = [&](const char* out, const char* pad, const char* stride) {
    if (!has(out) || !has(pad) || !has(stride)) return;
    p[out] = call.lines;
    p[pad] += transposed ? call.line : -call.line * p[stride];
  };
  const auto pixels = [&](const char* pad, const char* stride) {
    if (!has(pad) || !has(stride) || !has("out_pixels")) return;
    p["out_pixels"] = call.end - call.first;
    p[pad] += transposed ? call.first : -call.first * p[stride];
  };
  if (has("images")) p["images"] = 1;
  if (call.joined > 1) {
    for (const char* pixels : {"in_pixels", "line.in_pixels"}) {
      if (has(pixels)) p[pixels] *= call.joined * between;
    }
    for (const char* pixels : {"pixels", "dims.0"}) {
      if (has(pixels)) p[pixels] *= call.joined;
    }
    for (const char* stride : {"line.stride", "stride.1"}) {
      if (has(stride)) p[stride] *= between;
    }
  }
  if (has("out.1")) lines("out.1", "pad.1", "stride.1");
  else lines("out_lines", has("pad.0") ? "pad.0" : "pad", has("pad.0") ? "stride.0" : "stride");
  if (has("line.pad")) pixels("line.pad", "line.stride");
  else pixels("pad.1", "stride.1");
  // Blocks of pixels of this line.
  if (has("block_end")) {
    const bool of_pixels = has("pixels");
    if (of_pixels) p["pixels"] = call.end - call.first;
    p["block_first"] = 0;
    p["block_end"] = !call.apart ? 0 : of_pixels ? call.end - call.first : 1;
  }
  p["apart"] = call.apart;
  if (call.counted) p["outer"] = call.end - call.first;
}

}  // namespace

std::map<std::string, int64_t> line_parameters(const Analysis& analysis, const LineKernelCall& call) {
  const Operation& operation = analysis.program[call.operation];
  if (call.call == -1) return call_parameters(analysis, operation);
  const Extent extent{true, call.flat_elements};
  std::map<std::string, int64_t> found = call_parameters(analysis, operation, extent);
  take_line(found, call, operation.line_form->lines_between(),
            operation.kernel.find("_convtranspose_") != std::string::npos);
  return found;
}

}  // namespace tarn::emit
