// Terms of kernels that move elements: gathering, strided copies, repeated pixels.
#include "time/call_terms.h"

namespace tarn::timing {

namespace {

Terms gather(CallTerms call) {
  const int64_t slices = call["outer"] * call["count"];
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add(call["wide"] != 0 ? "wide_slices" : "slices", slices);
  call.add("elements", slices * call["inner"]);
  return call.take();
}

// tarn_strided_b4.c: runs along the last axis; behind each, axes are counted on from the last but one.
Terms strided(CallTerms call) {
  const int64_t rank = call["rank"];
  const int64_t runs = call.product("dims", rank - 1);
  call.add("call", 1);
  call.add("runs", runs);
  call.add("counted", call.counted("dims", rank - 1));
  call.add("elements", runs * call["dims." + std::to_string(rank - 1)]);
  return call.take();
}

Terms repeat(CallTerms call) {
  const int64_t planes = call["planes"] * call["times_planes"], lines = planes * call["lines"] * call["times_lines"];
  call.add("call", 1);
  call.add("planes", planes);
  call.add("lines", lines);
  call.add("pixels", lines * call["pixels"]);
  call.add("copies", lines * call["pixels"] * call["times_pixels"]);
  call.add("elements", lines * call["pixels"] * call["times_pixels"] * call["channels"]);
  return call.take();
}

Terms affine(CallTerms call) {
  call.add("call", 1);
  call.add("pixels", call["outer"]);
  call.add("elements", call["outer"] * call["channels"]);
  call.add_nonzero(call["outer"] * call["channels"], 0);
  call.add("bounded", call["bounded"] * call["outer"] * call["channels"]);
  return call.take();
}

}  // namespace

std::optional<Terms> move_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_gather_b4" || kernel == "tarn_gather_b1") return gather(call);
  if (kernel == "tarn_strided_b4" || kernel == "tarn_strided_b1") return strided(call);
  if (kernel == "tarn_resize_repeat_b4" || kernel == "tarn_resize_repeat_b1") return repeat(call);
  if (kernel == "tarn_affine_f32") return affine(call);
  return {};
}

}  // namespace tarn::timing
