// Terms of kernels that put elements where indices say, of classes as vectors, and of sums by an equation.
#include "time/call_terms.h"

namespace tarn::timing {

namespace {

// Positions of the axes [0, rank), and how often an axis of them is counted on.
struct Positions {
  int64_t count = 1, counted = 0;
};
Positions positions_of(const CallTerms& call, const std::string& dims, int64_t rank) {
  Positions all;
  for (int64_t axis = 0; axis < rank; ++axis) {
    all.count *= call[dims + "." + std::to_string(axis)];
    all.counted += all.count;
  }
  return all;
}

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
  const Positions all = positions_of(call, "dims", call["rank"]);
  call.add("call", 1);
  add_copied(call);
  call.add(call["wide"] != 0 ? "wide_elements" : "elements", all.count);
  call.add("counted", all.counted);
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
  const Positions made = positions_of(call, "dims", call["rank"]),
                  summed = positions_of(call, "sum_dims", call["sum_rank"]);
  const std::string part = call["null.1"] == 0 ? "products" : "values";
  call.add("call", 1);
  call.add("outputs", made.count);
  call.add("counted_outputs", made.counted);
  call.add(part, made.count * summed.count);
  call.add("counted_" + part, made.count * summed.counted);
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
