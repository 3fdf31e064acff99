// Terms of kernels that walk along several axes, counting the outer ones on run by run: broadcasting, choices, picking,
// rotations; and of some that go through vectors, or the channels of pixels.
#include <algorithm>

#include "time/int8_call.h"

namespace tarn::timing {

namespace {

// Runs behind the axes [0, count), and how often an axis of them is counted on.
struct Walk {
  int64_t runs = 1, counted = 0;
};
Walk walk_of(const CallTerms& call, const std::string& dims, int64_t count) {
  return {call.product(dims, count), call.counted(dims, count)};
}

// templates/kernels/binary_nd.c: a call of the kernel of runs for each.
Terms broadcast(CallTerms call) {
  const Walk walk = walk_of(call, "dims", call["rank"]);
  call.add("call", 1);
  call.add("walked", walk.runs);
  call.add("counted", walk.counted);
  call.add("runs", walk.runs * call["run.outer"]);
  const int64_t elements = walk.runs * call["run.outer"] * call["run.inner"];
  call.add("elements", elements);
  call.add_nonzero(call.nonzero(elements, 0), 1);
  if (!call.core().floats) call.add(kBesideZero, call.beside_zero(elements));
  return call.take();
}

Terms where(CallTerms call) {
  const int64_t rank = call["rank"];
  const Walk walk = walk_of(call, "dims", rank - 1);
  call.add("call", 1);
  call.add("runs", walk.runs);
  call.add("counted", walk.counted);
  call.add("elements", walk.runs * call.at("dims", rank - 1));
  return call.take();
}

Terms gather_nd(CallTerms call) {
  const int64_t slices = call["batch"] * call["count"];
  call.add("call", 1);
  call.add("batches", call["batch"]);
  call.add("slices", slices);
  call.add(call["wide"] != 0 ? "wide_indices" : "indices", slices * call["depth"]);
  // Of bytes the C library copies words where all slices begin at one.
  call.add(call["inner"] % 4 == 0 ? "fours" : "elements", slices * call["inner"]);
  return call.take();
}

// tarn_argmax_f32.c, tarn_argmin_f32.c: which is best, data decide; what that costs is little.
Terms argmax(CallTerms call) {
  const int64_t vectors = call["outer"] * call["inner"];
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add("vectors", vectors);
  call.add("compared", vectors * std::max<int64_t>(0, call["count"] - 1));
  return call.take();
}

Terms rotary(CallTerms call) {
  const int64_t rows = call.at("dims", 0) * call.at("dims", 1) * call.at("dims", 2), half = call["half"];
  const bool interleaved = call["interleaved"] != 0;
  call.add("call", 1);
  call.add("rows", rows);
  call.add("rows_loops", call.at("dims", 0) * call.at("dims", 1));
  call.add(interleaved ? "interleaved_pairs" : "pairs", rows * half);
  call.add("copied", rows * std::max<int64_t>(0, call["size"] - 2 * half));
  return call.take();
}

Terms group_normalization(CallTerms call) {
  const int64_t images = call["images"], channels = call["channels"], values = images * call["pixels"] * channels;
  const int64_t groups = images * (channels / std::max<int64_t>(1, call["group"]));
  call.add("call", 1);
  call.add("images", images);
  call.add("groups", groups);
  call.add("group_pixels", groups * call["pixels"]);
  call.add("pixels", images * call["pixels"]);
  call.add("channels", images * channels);
  call.add("scaled", call["null.1"] == 0 ? images * channels : 0);
  call.add("values", values);
  call.add("moved", call["null.2"] == 0 ? values : 0);
  return call.take();
}

Terms int_layernorm(CallTerms call) {
  const int64_t vectors = call["outer"], elements = vectors * call["count"];
  call.add("call", 1);
  call.add("vectors", vectors);
  call.add("elements", elements);
  // What vector instructions take at once: four sums of products, sixteen codes.
  call.add("quads", vectors * ((call["count"] + 3) / 4));
  call.add("sixteens", vectors * ((call["count"] + 15) / 16));
  return call.take();
}

Terms int_mean(CallTerms call) {
  const int64_t channels = call["images"] * call["channels"];
  call.add("call", 1);
  call.add("images", call["images"]);
  call.add("channels", channels);
  call.add("values", channels * call["pixels"]);
  return call.take();
}

Terms lrn(CallTerms call) {
  const int64_t pixels = call["pixels"], channels = call["channels"];
  int64_t squares = 0;
  for (int64_t c = 0; c < channels; ++c) {
    const int64_t first = std::max<int64_t>(0, c - call["before"]), last = std::min(channels - 1, c + call["after"]);
    squares += last - first + 1;
  }
  call.add("call", 1);
  call.add("pixels", pixels);
  call.add("values", pixels * channels);
  call.add("squares", pixels * squares);
  return call.take();
}

Terms dynamic_quantize(CallTerms call) {
  call.add("call", 1);
  call.add("elements", call["count"]);
  call.add_nonzero(call["count"], 0);
  return call.take();
}

// Kernels whose params say of their loops only how many runs of elements there are.
Terms plain_runs(CallTerms call) {
  for (const char* other : {"count", "channels", "rank", "depth"}) {
    if (call.knows(other)) call.refuse();
  }
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add("elements", call["outer"] * call["inner"]);
  call.add_nonzero(call["outer"] * call["inner"], 0);
  return call.take();
}

Terms int_prelu(Int8Call call) {
  const int64_t values = call["pixels"] * call["channels"];
  call.add("call", 1);
  call.add("pixels", call["pixels"]);
  call.add("values", call.zones() ? 0 : values);
  call.add("zoned", call.zones() ? values : 0);
  return call.take();
}

Terms int_group_normalization(Int8Call call) {
  const int64_t images = call["images"], channels = images * call["channels"];
  call.add("call", 1);
  call.add("images", images);
  call.add("groups", channels / std::max<int64_t>(1, call["group"]));
  call.add("channels", channels);
  call.add("pixels", images * call["pixels"]);
  call.add("values", channels * call["pixels"]);
  return call.take();
}

}  // namespace

std::optional<Terms> walk_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel.ends_with("_nd") && call.knows("run.outer")) return broadcast(call);
  if (kernel == "tarn_where_b4") return where(call);
  if (kernel == "tarn_gather_nd_b4") return gather_nd(call);
  if (kernel == "tarn_argmax_f32" || kernel == "tarn_argmin_f32") return argmax(call);
  if (kernel == "tarn_rotary_f32") return rotary(call);
  if (kernel == "tarn_group_normalization_f32") return group_normalization(call);
  if (kernel == "tarn_int_layernorm_s8") return int_layernorm(call);
  if (kernel == "tarn_int_groupnorm_s8") return int_group_normalization(Int8Call(call));
  if (kernel == "tarn_int_prelu_s8") return int_prelu(Int8Call(call));
  if (kernel == "tarn_int_mean_s8") return int_mean(call);
  if (kernel == "tarn_lrn_f32") return lrn(call);
  if (kernel == "tarn_dynamic_quantize_f32") return dynamic_quantize(call);
  if (call.knows("outer") && call.knows("inner")) return plain_runs(call);
  return {};
}

}  // namespace tarn::timing
