// Terms of kernels that take single elements by an index or a position, and of normalisations that few networks have.
#include <algorithm>

#include "time/word_runs.h"

namespace tarn::timing {

namespace {

Terms gather_elements(CallTerms call) {
  const int64_t rank = call["rank"];
  call.add("call", 1);
  call.add(call["wide"] != 0 ? "wide_elements" : "elements", call.product("dims", rank));
  call.add("counted", call.counted("dims", rank));
  return call.take();
}

// tarn_hardmax_f32.c, tarn_lpnormalization_f32.c: every vector is read, then written.
Terms vectors(CallTerms call, bool by_order) {
  const int64_t vectors = call["outer"] * call["inner"];
  const std::string of = by_order && call["order"] == 2 ? "square_" : "";
  call.add("call", 1);
  call.add("runs", call["outer"]);
  call.add(of + "vectors", vectors);
  call.add(of + "elements", vectors * call["count"]);
  return call.take();
}

// tarn_trilu_b4.c: a diagonal made at run time is taken for the main one.
Terms trilu(CallTerms call) {
  const int64_t rows = call["outer"] * call["rows"];
  call.add("call", 1);
  call.add("matrices", call["outer"]);
  call.add("rows", rows);
  call.add(call["upper"] != 0 ? "upper" : "lower", rows * call["columns"]);
  return call.take();
}

// tarn_dequantize_f32.c, tarn_quantize_f32.c: codes of any width, whose width is asked for at every one.
Terms codes(CallTerms call) {
  const int64_t rows = call["outer"] * call["size"], bits = call["bits"];
  const std::string of = std::to_string(bits) + (call["lo"] < 0 ? "_signed" : "_unsigned");
  const bool zero = call["null.3"] == 0 && call.knows("null.3");
  call.add("call", 1);
  call.add("outer", call["outer"]);
  call.add("rows", rows);
  call.add(of, rows * call["inner"]);
  call.add(of + "_zeros", zero ? rows * call["inner"] : 0);
  call.add_nonzero(rows * call["inner"], 0);
  return call.take();
}

// templates/kernels/scan.c: along which axis, a tensor says, mostly a constant one (emit/table_numbers.h).
Terms scan(CallTerms call) {
  const int64_t elements = call.product("dims", call["rank"]);
  call.add("call", 1);
  call.add("rank", call["rank"]);
  call.add("vectors", elements / std::max<int64_t>(1, call.at("dims", call["along"])));
  call.add(call["reverse"] != 0 ? "reversed" : "elements", elements);
  call.add_nonzero(elements, 0);
  return call.take();
}

// tarn_trees_f32.c: which leaf a tree leads to, data decide (emit/table_numbers.h).
Terms trees(CallTerms call) {
  constexpr int64_t kAverage = 3, kParts = 65536;
  const int64_t examples = call["examples"];
  const auto of = [&](const std::string& name) {
    return examples * call.by_data(call[name + ".least"], call[name + ".usual"], call[name + ".most"]) / kParts;
  };
  call.add("call", 1);
  call.add("examples", examples);
  call.add("targets", examples * call["targets"]);
  call.add("averaged", call["aggregate"] == kAverage ? examples * call["targets"] : 0);
  call.add("based", call["null.7"] == 0 ? examples * call["targets"] : 0);
  call.add("trees", examples * call["trees"]);
  call.add("compared", of("trees.compared"));
  call.add("weights", of("trees.weights"));
  call.add_nonzero(of("trees.weights") * (100 - call["trees.zeros"]) / 100, -1);
  return call.take();
}

Terms resize_nearest(CallTerms call) {
  const int64_t planes = call["images"] * call["out_planes"], lines = planes * call["out_lines"];
  const int64_t pixels = lines * call["out_pixels"];
  call.add("call", 1);
  call.add("planes", planes);
  call.add("lines", lines);
  call.add("pixels", pixels);
  call.add("elements", pixels * call["channels"]);
  return call.take();
}

// tarn_mvn_f32.c: three passes through every set.
Terms mvn(CallTerms call) {
  const int64_t kept = call["kept"], reduced = call["reduced"], sets = call.product("kept_size", kept);
  call.add("call", 1);
  call.add("sets", sets);
  call.add("counted_sets", call.counted("kept_size", kept));
  call.add("elements", sets * call.product("reduced_size", reduced));
  call.add("counted", sets * call.counted("reduced_size", reduced));
  return call.take();
}

Terms batchnorm(CallTerms call) {
  call.add("call", 1);
  call.add("channels", call["channels"]);
  call.add("pixels", call["pixels"]);
  call.add("elements", call["pixels"] * call["channels"]);
  call.add_nonzero(call["pixels"] * call["channels"], 0);
  return call.take();
}

// Values that the model promises: as many as there are is what a run without a fault looks at.
Terms expect(CallTerms call) {
  call.add("call", 1);
  call.add("elements", call["count"]);
  return call.take();
}

// tarn_slice_run_time_b4.c: what its bounds say is the shape of the output, which is known. Usually each step is one.
Terms slice(CallTerms call, int64_t element) {
  const int64_t rank = call["rank"], last = call.at("out", rank - 1), runs = call.product("out", rank - 1);
  int64_t pitch = 1, numbers = last;
  for (int64_t axis = rank - 1; axis > 0; --axis) numbers |= pitch *= call.at("in", axis);
  call.add("call", 1);
  call.add("axes", rank);
  call.add("given", call["count"]);
  // For each axis all bounds are looked through.
  call.add(call["wide"] != 0 ? "wide_bounds" : "bounds", rank * call["count"]);
  call.add("counted", call.counted("out", rank - 1));
  if (words_fit(call, element * numbers, element * last, "word.5")) {
    add_word_runs(call, runs, element * last);
  } else {
    call.add("runs", runs);
    call.add("elements", runs * last);
  }
  return call.take();
}

}  // namespace

std::optional<Terms> picking_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_gather_elements_b4") return gather_elements(call);
  if (kernel == "tarn_hardmax_f32") return vectors(call, false);
  if (kernel == "tarn_lpnormalization_f32") return vectors(call, true);
  if (kernel == "tarn_trilu_b4") return trilu(call);
  if (kernel == "tarn_dequantize_f32" || kernel == "tarn_quantize_f32") return codes(call);
  if (kernel == "tarn_cumsum_f32" || kernel == "tarn_cumprod_f32") return scan(call);
  if (kernel == "tarn_resize_nearest_b4") return resize_nearest(call);
  if (kernel == "tarn_mvn_f32") return mvn(call);
  if (kernel == "tarn_batchnorm_f32") return batchnorm(call);
  if (kernel == "tarn_expect_f32") return expect(call);
  if (kernel == "tarn_trees_f32") return trees(call);
  for (const int64_t bytes : {1, 2, 4, 8}) {
    if (kernel == "tarn_slice_run_time_b" + std::to_string(bytes)) return slice(call, bytes);
  }
  return {};
}

}  // namespace tarn::timing
