#include "property/lifetimes/kernel_runner.h"

#include <cstring>
#include <functional>

#include "tarn_affine_f32.h"
#include "tarn_averagepool_f32.h"
#include "tarn_conv2d_f32.h"
#include "tarn_conv3d_f32.h"
#include "tarn_convtranspose_f32.h"
#include "tarn_dense_f32.h"
#include "tarn_depthwise2d_f32.h"
#include "tarn_maxpool_f32.h"
#include "tarn_pad_b4.h"
#include "tarn_resize_f32.h"
#include "tarn_resize_nearest_b4.h"
#include "tarn_resize_repeat_b4.h"

namespace tarn::tests {

namespace {

using program::Argument;
using program::Operation;
using program::Program;

template <class P, class... Operands, size_t... i>
void call_with(void (*kernel)(const P*, Operands...), const void* params, void* const* operands,
               std::index_sequence<i...>) {
  kernel(static_cast<const P*>(params), static_cast<Operands>(operands[i])...);
}

using Call = std::function<void(const void* params, void* const* operands)>;

template <class P, class... Operands>
Call call_of(void (*kernel)(const P*, Operands...)) {
  return [kernel](const void* params, void* const* operands) {
    call_with(kernel, params, operands, std::index_sequence_for<Operands...>());
  };
}

const std::map<std::string, Call>& kernels() {
  static const std::map<std::string, Call> all = {
      {"tarn_affine_f32", call_of(tarn_affine_f32)},
      {"tarn_averagepool_f32", call_of(tarn_averagepool_f32)},
      {"tarn_conv2d_f32", call_of(tarn_conv2d_f32)},
      {"tarn_conv3d_f32", call_of(tarn_conv3d_f32)},
      {"tarn_convtranspose_f32", call_of(tarn_convtranspose_f32)},
      {"tarn_dense_f32", call_of(tarn_dense_f32)},
      {"tarn_depthwise2d_f32", call_of(tarn_depthwise2d_f32)},
      {"tarn_maxpool_f32", call_of(tarn_maxpool_f32)},
      {"tarn_pad_b4", call_of(tarn_pad_b4)},
      {"tarn_resize_f32", call_of(tarn_resize_f32)},
      {"tarn_resize_nearest_b4", call_of(tarn_resize_nearest_b4)},
      {"tarn_resize_repeat_b4", call_of(tarn_resize_repeat_b4)},
  };
  return all;
}

// The parameters as the C struct has them: for float32 kernels, 32-bit numbers one after the other.
class Words {
 public:
  Words(const Program& program, const lifetimes::Storage& storage, const Operation& operation, const Places& places)
      : program_(program), storage_(storage), operation_(operation), places_(places) {}

  std::vector<int32_t> take() {
    add(operation_.params);
    return std::move(words_);
  }
  bool known() const { return known_; }

 private:
  void add(const program::Params& params) {
    for (const program::Field& field : params.fields) std::visit([&](const auto& value) { add(value); }, field.value);
  }
  void add(int64_t value) { words_.push_back(static_cast<int32_t>(value)); }
  void add(const program::Float32& value) {
    const auto v = static_cast<float>(value.value);
    int32_t word;
    std::memcpy(&word, &v, 4);
    words_.push_back(word);
  }
  void add(const std::vector<int64_t>& values) {
    for (int64_t v : values) add(v);
  }
  void add(const program::Pitch& pitch) {
    const lifetimes::Place& place = storage_[operation_.arguments[pitch.argument].tensor];
    add((pitch.of == program::Pitch::Of::pixel ? place.pixel_pitch : place.line_pitch) * pitch.scale + pitch.plus);
  }
  // As the emitter chooses them: blocks that are safe with every operand.
  void add(const program::BlockRange& range) {
    const program::TensorId out = operation_.arguments[static_cast<size_t>(lifetimes::first_output(operation_))].tensor;
    const program::Geometry& g = program_[out].geometry;
    lifetimes::BlockRange safe_blocks{0, range.pixels ? g.lines * g.pixels : g.lines};
    for (size_t i = 0; i < operation_.arguments.size(); ++i) {
      const Argument& a = operation_.arguments[i];
      // Operands that are read as a whole stand apart.
      const auto reach = lifetimes::reach_of(program_, storage_, operation_, i);
      if (!reach || reach->same_place) continue;
      const lifetimes::BlockRange safe = lifetimes::block_range(program_, storage_, operation_, i,
                                                                places_.at(out) - places_.at(a.tensor), range.pixels);
      safe_blocks.first = std::max(safe_blocks.first, safe.first);
      safe_blocks.end = std::min(safe_blocks.end, safe.end);
    }
    add(range.end ? std::max(safe_blocks.first, safe_blocks.end) : safe_blocks.first);
  }
  template <class Other>
  void add(const Other&) {
    known_ = false;
  }

  const Program& program_;
  const lifetimes::Storage& storage_;
  const Operation& operation_;
  const Places& places_;
  std::vector<int32_t> words_;
  bool known_ = true;
};

}  // namespace

bool run_kernel(const Program& program, const lifetimes::Storage& storage, const Operation& operation,
                const Places& places, std::vector<uint8_t>& memory) {
  const auto kernel = kernels().find(operation.kernel);
  if (kernel == kernels().end()) return false;
  Words words(program, storage, operation, places);
  std::vector<int32_t> params = words.take();
  if (!words.known()) return false;
  std::vector<std::vector<uint8_t>> weights;
  weights.reserve(operation.arguments.size());
  std::vector<void*> operands, lines;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::lines) {
      lines.resize(static_cast<size_t>(a.count));
      operands.push_back(lines.data());
    } else if (a.role == Argument::Role::weight) {
      std::vector<uint8_t>& bytes = weights.emplace_back();
      program[a.weight].write(
          [&](std::span<const uint8_t> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
      operands.push_back(bytes.data());
    } else if (a.tensor.valid()) {
      operands.push_back(memory.data() + places.at(a.tensor));
    } else {
      operands.push_back(nullptr);
    }
  }
  kernel->second(params.data(), operands.data());
  return true;
}

}  // namespace tarn::tests
