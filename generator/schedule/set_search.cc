#include "schedule/set_search.h"

#include "schedule/beam.h"
#include "schedule/exhaust.h"
#include "support/check.h"

namespace tarn::schedule {

namespace {

template <int W>
class SetSearchOf final : public SetSearch {
 public:
  SetSearchOf(const OrderGraph& graph, const SearchFeatures& features)
      : search_graph_(graph, features), exhaust_(graph, search_graph_, features) {}

  std::vector<int> beam(Bytes top, int width, int64_t& words) const override {
    return beam_search(search_graph_, top, width, words);
  }
  Exhausted exhaust(Bytes top, int64_t& words) override { return exhaust_.search(top, words); }
  Exhausted wander(Bytes top, Random& random, int64_t& words) override { return exhaust_.search(top, words, &random); }

 private:
  SearchGraph<W> search_graph_;
  Exhaust<W> exhaust_;
};

}  // namespace

std::unique_ptr<SetSearch> SetSearch::make(const OrderGraph& graph, const SearchFeatures& features) {
  const int words = (graph.count() + 63) / 64;
  TARN_CHECK(graph.count() <= kMostOperators);
  if (words <= 1) return std::make_unique<SetSearchOf<1>>(graph, features);
  if (words <= 2) return std::make_unique<SetSearchOf<2>>(graph, features);
  if (words <= 3) return std::make_unique<SetSearchOf<3>>(graph, features);
  if (words <= 4) return std::make_unique<SetSearchOf<4>>(graph, features);
  if (words <= 8) return std::make_unique<SetSearchOf<8>>(graph, features);
  return std::make_unique<SetSearchOf<16>>(graph, features);
}

}  // namespace tarn::schedule
