// Searches over sets of finished operators, for graphs of up to kMostOperators; hides how many words a set has.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/order_graph.h"
#include "schedule/random.h"
#include "schedule/search_features.h"

namespace tarn::schedule {

enum class Verdict { found, none, gave_up };

struct Exhausted {
  Verdict verdict = Verdict::gave_up;
  std::vector<int> order;  // when found
  Bytes next_top = 0;      // when there is none: no order has a smaller peak
  uint64_t states = 0;     // opened
  SearchUse use;
};

class SetSearch {
 public:
  static constexpr int kMostOperators = 1024;

  // The operators of `graph`, which must outlive the search, are listed in a valid order.
  static std::unique_ptr<SetSearch> make(const OrderGraph& graph, const SearchFeatures& features);
  virtual ~SetSearch() = default;

  // An order whose steps need at most `top`, keeping the `width` best states after each move. Empty when it fails or
  // `words` are used up.
  virtual std::vector<int> beam(Bytes top, int width, int64_t& words) const = 0;

  // Finds an order within `top`, or proves that there is none, or uses up `words`. What has failed is remembered, so
  // `top` must not grow from one call to the next.
  virtual Exhausted exhaust(Bytes top, int64_t& words) = 0;

  // The same, trying first what `random` says: for orders that differ.
  virtual Exhausted wander(Bytes top, Random& random, int64_t& words) = 0;
};

}  // namespace tarn::schedule
