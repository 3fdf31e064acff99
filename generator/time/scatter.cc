// Terms of kernels that put elements where indices say, of classes as vectors, and of sums by an equation.
#include "time/call_terms.h"

namespace tarn::timing {

namespace {

// What is not put is copied, unless the output lies over the input.
void add_copied(CallTerms& call) {
  const bool same = call.knows("same.0") && call["same.0"] != 0;  // a constant lies nowhere in the arena
  call.add("copied", same ? 0 : call["total"]);
}

Terms scatter_nd(CallTerms call) {
  const int64_t slices = call["count"];
  call.add("call", 1);
  add_copied(call);
  call.add("slices", slices);
  call.add(call["wide"] != 0 ? "wide_indices" : "indices", slices * call["depth"]);
  call.add("elements", slices * call["inner"]);
  return call.take();
}

Terms scatter_elements(CallTerms call) {
  const int64_t rank = call["rank"];
  call.add("call", 1);
  add_copied(call);
  call.add(call["wide"] != 0 ? "wide_elements" : "elements", call.product("dims", rank));
  call.add("counted", call.counted("dims", rank));
  return call.take();
}

Terms onehot(CallTerms call) {
  const int64_t classes = call["outer"] * call["depth"], elements = classes * call["inner"];
  call.add("call", 1);
  call.add("vectors", call["outer"]);
  call.add("classes", classes);
  call.add("elements", elements);
  call.add("bytes", elements * call["bytes"]);
  return call.take();
}

// templates/kernels/einsum.c: for every element of the result a walk along the axes that are summed.
Terms einsum(CallTerms call) {
  const int64_t made = call.product("dims", call["rank"]), summed = call["sum_rank"];
  const std::string part = call["null.1"] == 0 ? "products" : "values";
  call.add("call", 1);
  call.add("outputs", made);
  call.add("counted_outputs", call.counted("dims", call["rank"]));
  call.add(part, made * call.product("sum_dims", summed));
  call.add("counted_" + part, made * call.counted("sum_dims", summed));
  const int64_t nonzero = call.nonzero(made * call.product("sum_dims", summed), 0);
  call.add_nonzero(call["null.1"] == 0 ? call.nonzero(nonzero, 1) : nonzero, -1);
  return call.take();
}

}  // namespace

std::optional<Terms> scatter_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_scatter_nd_b4") return scatter_nd(call);
  if (kernel == "tarn_scatter_elements_b4") return scatter_elements(call);
  if (kernel == "tarn_onehot_f32") return onehot(call);
  if (kernel.starts_with("tarn_einsum_") && call.knows("sum_rank")) return einsum(call);
  return {};
}

}  // namespace tarn::timing
