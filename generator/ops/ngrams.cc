// TfIdfVectorizer over numbers: the sequences to look for, their places in the pool and in the output are constants.
#include <algorithm>

#include "ops/lowering.h"
#include "ops/signal.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

struct Grams {
  std::vector<int64_t> pool;
  std::vector<int32_t> first, size, output;
  int64_t outputs = 0, least = 1, most = 1, skips = 0;
};

Answer<Grams> grams_of(const Node& node) {
  Grams g;
  g.pool = node.integers("pool_int64s");
  const std::vector<int64_t> counts = node.integers("ngram_counts"), indexes = node.integers("ngram_indexes");
  g.least = node.integer("min_gram_length", 1);
  g.most = node.integer("max_gram_length", 1);
  g.skips = node.integer("max_skip_count", 0);
  if (node.has("pool_strings") && !node.texts("pool_strings").empty())
    return Fault{"strings are not supported", "", "E204"};
  if (g.least < 1 || g.most < g.least || g.most > INT32_MAX || g.skips < 0 || g.skips > INT32_MAX - 1)
    return Fault{"lengths or skips are out of range"};
  const auto end_of_pool = static_cast<int64_t>(g.pool.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    const int64_t first = counts[i], end = i + 1 < counts.size() ? counts[i + 1] : end_of_pool,
                  size = static_cast<int64_t>(i) + 1;
    if (first < 0 || end < first || end > end_of_pool || (end - first) % size != 0)
      return Fault{"ngram_counts do not fit the pool"};
    for (int64_t at = first; at < end; at += size) {
      g.first.push_back(static_cast<int32_t>(at));
      g.size.push_back(static_cast<int32_t>(size));
    }
  }
  if (indexes.size() != g.first.size() || indexes.empty())
    return Fault{cat(indexes.size(), " ngram_indexes for ", g.first.size(), " sequences")};
  for (int64_t index : indexes) {
    if (index < 0 || index >= (1 << 24)) return Fault{cat("index ", index, " is out of range")};
    g.output.push_back(static_cast<int32_t>(index));
    g.outputs = std::max(g.outputs, index + 1);
  }
  const size_t weights = node.reals("weights").size();
  if (weights != 0 && static_cast<int64_t>(weights) < g.outputs)
    return Fault{cat(weights, " weights for ", g.outputs, " outputs")};
  return g;
}

Answer<Types> infer_ngrams(const Facts& facts) {
  if (!facts.has(0) || facts.shape(0).rank() > 2) return Fault{"needs a list or a matrix"};
  const auto answer = grams_of(facts.node);
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  Shape y{std::get<Grams>(answer).outputs};
  if (facts.shape(0).rank() == 2) y.dims.insert(y.dims.begin(), facts.shape(0)[0]);
  return Types{{DType::float32, y}};
}

std::optional<Fault> lower_ngrams(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (dtype != DType::int32 && dtype != DType::int64)
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Grams g = std::get<Grams>(grams_of(node));
  const Shape& x = low.shape(node.inputs[0]);
  const int64_t rows = x.rank() == 2 ? x[0] : 1, columns = x.rank() == 0 ? 1 : x[x.rank() - 1];
  auto key = [&](const char* what) { return low.key(node.outputs[0], cat("/", what)); };
  const std::string kernel = "tarn_ngrams_" + kernel_suffix(dtype);
  low.call(node, kernel,
           {kernel + "_params",
            {{"rows", rows},
             {"columns", columns},
             {"outputs", g.outputs},
             {"grams", static_cast<int64_t>(g.first.size())},
             {"least", g.least},
             {"most", g.most},
             {"skips", std::min(g.skips, columns)}}},
           {low.read(node.inputs[0]),
            low.weight(key("pool"), Constant::ints(DType::int64, Shape{static_cast<int64_t>(g.pool.size())}, g.pool)),
            low.weight(key("first"), g.first), low.weight(key("size"), g.size), low.weight(key("output"), g.output),
            low.write(node.outputs[0])});
  const std::string mode = node.text("mode", "TF");
  if (mode == "TF") return {};
  if (mode != "IDF" && mode != "TFIDF") return Fault{"unknown mode '" + mode + "'"};
  const std::vector<double> weights = node.reals("weights");
  low.call(
      node, "tarn_ngrams_weigh",
      {"tarn_ngrams_weigh_params", {{"rows", rows}, {"outputs", g.outputs}, {"by_count", int64_t{mode == "TFIDF"}}}},
      {weights.empty() ? low.none() : low.weight(key("weights"), std::vector<float>(weights.begin(), weights.end())),
       low.update(node.outputs[0])});
  return {};
}

}  // namespace

std::vector<OperatorEntry> ngram_entries() {
  return {{"", "TfIdfVectorizer", "int32 int64", lower_ngrams, infer_ngrams}};
}

}  // namespace tarn::ops
