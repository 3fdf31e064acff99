#include "schedule/interference.h"

#include <algorithm>
#include <bit>

#include "schedule/at.h"
#include "schedule/tuning.h"

namespace tarn::schedule {

Interference::Interference(const OrderGraph& graph) : graph_(graph) {
  for (int t = 0; t < count_of(graph.tensors); ++t) items_.push_back({t, -1, at(graph.tensors, t).bytes});
  for (int v = 0; v < graph.count(); ++v) {
    if (at(graph.operators, v).extra > 0) items_.push_back({-1, v, at(graph.operators, v).extra});
  }
  std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.bytes > b.bytes; });
  if (items_.size() > kMostInterfering) items_.resize(kMostInterfering);
  for (size_t a = 0; a < items_.size(); ++a) {
    for (size_t b = 0; b < a; ++b) weights_.push_back(items_[a].bytes);
  }
  for (const GraphOperator& op : graph.operators) {
    for (const Gift& g : op.gifts) weights_.push_back(g.saves);
  }
}

std::vector<uint64_t> Interference::of(const std::vector<int>& order) const {
  std::vector<int> position(order.size());
  for (int i = 0; i < count_of(order); ++i) at(position, at(order, i)) = i;
  const auto last_use = [&](int t) {
    int last = at(graph_.tensors, t).kept ? count_of(order) : -1;
    for (int u : at(graph_.tensors, t).users) last = std::max(last, at(position, u));
    return last;
  };
  struct OrderedLife {
    int first, last;
  };
  std::vector<OrderedLife> lives;
  for (const Item& item : items_) {
    if (item.tensor < 0) {
      lives.push_back({at(position, item.op), at(position, item.op)});
    } else {
      const int producer = at(graph_.tensors, item.tensor).producer;
      lives.push_back({producer < 0 ? -1 : at(position, producer), last_use(item.tensor)});
    }
  }
  std::vector<uint64_t> bits((weights_.size() + 63) / 64, 0);
  size_t at_bit = 0;
  const auto push = [&](bool value) {
    bits[at_bit / 64] |= uint64_t{value} << (at_bit & 63);
    ++at_bit;
  };
  for (size_t a = 0; a < lives.size(); ++a) {
    for (size_t b = 0; b < a; ++b) push(lives[a].first <= lives[b].last && lives[b].first <= lives[a].last);
  }
  for (int v = 0; v < graph_.count(); ++v) {
    for (const Gift& g : at(graph_.operators, v).gifts) push(last_use(g.giver) == at(position, v));
  }
  return bits;
}

Bytes Interference::distance(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) const {
  Bytes sum = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    for (uint64_t word = a[k] ^ b[k]; word != 0; word &= word - 1) {
      sum += weights_[64 * k + static_cast<size_t>(std::countr_zero(word))];
    }
  }
  return sum;
}

}  // namespace tarn::schedule
