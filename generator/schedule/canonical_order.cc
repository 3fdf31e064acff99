#include "schedule/canonical_order.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <unordered_map>

#include "schedule/at.h"
#include "schedule/flow.h"

namespace tarn::schedule {

namespace {

using Mask = uint64_t;  // a set of operators of the part, by position

Mask bit(int i) { return Mask{1} << i; }

struct PartTensor {
  Bytes bytes;
  int producer;  // -1: alive when the part begins
  Mask users = 0;
  bool held;  // alive when the part ends
};

struct OpenGift {
  Mask users;   // of the giver
  Bytes saves;  // on top of what is saved whatever the order
};

struct PartOperator {
  Bytes born = 0, extra = 0;
  Mask before = 0, after = 0, upto = 0;
  std::vector<int> uses;
  std::vector<OpenGift> gifts;  // that depend on the order
  Mask gain = 0;                // operators that save more when this one has run before them
};

struct Part {
  std::vector<PartTensor> tensors;
  std::vector<PartOperator> operators;
  bool has_open_gifts = false;
  Mask all() const { return operators.size() == 64 ? ~Mask{0} : bit(count_of(operators)) - 1; }

  Bytes live(Mask done) const {
    Bytes sum = 0;
    for (const PartTensor& t : tensors) {
      const bool born = t.producer < 0 || (done & bit(t.producer)) != 0;
      if (born && (t.held || (t.users & ~done) != 0)) sum += t.bytes;
    }
    return sum;
  }
  Bytes step(int v, Mask done, Bytes live) const {  // `done` without v
    Bytes saved = 0;
    for (const OpenGift& g : at(operators, v).gifts) {
      if ((g.users & ~(done | bit(v))) == 0) saved = std::max(saved, g.saves);
    }
    return live + at(operators, v).born + at(operators, v).extra - saved;
  }
  // Would running some operator outside `done` first have saved more in it?
  bool splits_gift(Mask done) const {
    for (Mask m = done; m != 0; m &= m - 1) {
      for (const OpenGift& g : at(operators, std::countr_zero(m)).gifts) {
        if ((g.users & ~done) != 0) return true;
      }
    }
    return false;
  }
  Bytes freed(int v, Mask done) const {  // by running v, which is not in `done`
    Bytes sum = 0;
    for (int t : at(operators, v).uses) {
      if (!at(tensors, t).held && (at(tensors, t).users & ~(done | bit(v))) == 0) sum += at(tensors, t).bytes;
    }
    return sum;
  }
};

// Gifts that never take effect are dropped, those that always do become part of the step.
void settle_gifts(const OrderGraph& graph, const std::vector<int>& operators,
                  const std::unordered_map<int, int>& tensor_place, Part& part) {
  for (int i = 0; i < count_of(operators); ++i) {
    PartOperator& op = at(part.operators, i);
    Bytes sure = 0;
    for (const Gift& g : at(graph.operators, at(operators, i)).gifts) {
      const PartTensor& giver = at(part.tensors, tensor_place.at(g.giver));
      bool possible = !giver.held;
      for (Mask m = giver.users & ~bit(i); m != 0; m &= m - 1) {
        if ((at(part.operators, std::countr_zero(m)).upto & bit(i)) != 0) possible = false;
      }
      if (!possible) continue;
      if ((giver.users & ~op.upto) == 0) {
        sure = std::max(sure, g.saves);
      } else {
        op.gifts.push_back({giver.users, g.saves});
      }
    }
    op.extra -= sure;
    for (OpenGift& g : op.gifts) g.saves -= sure;
    std::erase_if(op.gifts, [](const OpenGift& g) { return g.saves <= 0; });
    if (!op.gifts.empty()) part.has_open_gifts = true;
    for (const OpenGift& g : op.gifts) {
      for (Mask m = g.users & ~op.upto; m != 0; m &= m - 1) at(part.operators, std::countr_zero(m)).gain |= bit(i);
    }
  }
}

Part part_of(const OrderGraph& graph, const std::vector<int>& part) {
  Part result;
  std::vector<int> place(graph.operators.size(), -1);
  std::unordered_map<int, int> tensor_place;
  for (int i = 0; i < count_of(part); ++i) at(place, at(part, i)) = i;
  const auto find_tensor = [&](int t) {
    const auto [entry, added] = tensor_place.emplace(t, count_of(result.tensors));
    if (added) {
      const GraphTensor& tensor = at(graph.tensors, t);
      PartTensor own{tensor.bytes, tensor.producer < 0 ? -1 : at(place, tensor.producer), 0, tensor.kept};
      for (int u : tensor.users) {
        if (at(place, u) >= 0) own.users |= bit(at(place, u));
        if (at(place, u) < 0) own.held = true;
      }
      result.tensors.push_back(own);
    }
    return entry->second;
  };
  result.operators.resize(part.size());
  for (int i = 0; i < count_of(part); ++i) {
    const GraphOperator& op = at(graph.operators, at(part, i));
    PartOperator& own = at(result.operators, i);
    own.born = op.born;
    own.extra = op.extra;
    own.upto = bit(i);
    for (int t : op.makes) find_tensor(t);
    for (int t : op.uses) own.uses.push_back(find_tensor(t));
    for (int p : op.before) {
      if (at(place, p) < 0) continue;
      own.before |= bit(at(place, p));
      own.upto |= at(result.operators, at(place, p)).upto;
      at(result.operators, at(place, p)).after |= bit(i);
    }
  }
  settle_gifts(graph, part, tensor_place, result);
  return result;
}

// Spreads from one set of finished operators over ever higher hills, forwards or backwards.
class Flood {
 public:
  Flood(const Part& part, int most_states) : part_(part), most_states_(most_states) {}

  // Over the lowest hill that leads lower: the fewest live bytes that can be reached over it; with a `goal`, over the
  // lowest hill that leads there. Sets stay within `limit` or, backwards, around it. False when there is no such way,
  // or the states have run out.
  bool spread(Mask from, Mask limit, bool forwards, std::optional<Mask> goal) {
    reached_.clear();
    number_.clear();
    heap_ = {};
    found_ = -1;
    Bytes lowest = part_.live(from);
    if (!reach({from, lowest, lowest, -1, -1, false})) return false;
    while (!heap_.empty()) {
      const auto [hill, i] = heap_.top();
      heap_.pop();
      if (at(reached_, i).closed) continue;
      if (found_ >= 0 && hill > hill_) break;
      at(reached_, i).closed = true;
      if (goal ? at(reached_, i).set == *goal : at(reached_, i).live < lowest) {
        hill_ = hill;
        found_ = i;
        lowest = at(reached_, i).live;
        if (goal) return true;
      }
      if (!step_from(i, limit, forwards)) return false;
    }
    return found_ >= 0;
  }
  Mask found() const { return at(reached_, found_).set; }
  Bytes hill() const { return hill_; }
  std::vector<int> steps() const {  // operators from the start to what was found
    std::vector<int> ops;
    for (int i = found_; at(reached_, i).parent >= 0; i = at(reached_, i).parent) ops.push_back(at(reached_, i).op);
    std::reverse(ops.begin(), ops.end());
    return ops;
  }

 private:
  struct Reached {
    Mask set;
    Bytes live, hill;
    int parent, op;
    bool closed;
  };

  bool reach(const Reached& r) {
    const auto [entry, added] = number_.emplace(r.set, count_of(reached_));
    const int i = entry->second;
    if (added) {
      if (count_of(reached_) == most_states_) return false;
      reached_.push_back(r);
    } else if (at(reached_, i).closed || at(reached_, i).hill <= r.hill) {
      return true;
    }
    at(reached_, i) = r;
    heap_.push({r.hill, i});
    return true;
  }
  // By F1 (and its mirror image) a step that fits under the level reached and does not add live bytes is enough.
  bool step_from(int i, Mask limit, bool forwards) {
    const Reached now = at(reached_, i);
    steps_.clear();
    Mask choice = forwards ? limit & ~now.set : now.set & ~limit;
    for (; choice != 0; choice &= choice - 1) {
      const int v = std::countr_zero(choice);
      const PartOperator& op = at(part_.operators, v);
      if (forwards ? (op.before & ~now.set) != 0 : (op.after & now.set) != 0) continue;
      const Bytes change = op.born - part_.freed(v, now.set & ~bit(v));
      const Bytes live = forwards ? now.live + change : now.live - change;
      const Bytes step = part_.step(v, now.set & ~bit(v), forwards ? now.live : live);
      steps_.push_back({now.set ^ bit(v), live, std::max(now.hill, step), i, v, false});
      const bool harmless = forwards || (op.gain & now.set) == 0;
      if (harmless && live <= now.live && step <= now.hill) return reach(steps_.back());
    }
    return std::all_of(steps_.begin(), steps_.end(), [this](const Reached& r) { return reach(r); });
  }

  const Part& part_;
  const int most_states_;
  std::vector<Reached> reached_, steps_;
  std::unordered_map<Mask, int> number_;  // looked up, never walked
  using Entry = std::pair<Bytes, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> heap_;
  int found_ = -1;
  Bytes hill_ = 0;
};

// Fewest live bytes of the part over all sets of finished operators around `low` and within `high`, by a minimum cut
// (see least_live.cc).
Bytes fewest_live(const Part& part, Mask low, Mask high) {
  FlowNetwork network;
  network.reset(2 + count_of(part.operators));
  for (int v = 0; v < count_of(part.operators); ++v) {
    for (Mask m = at(part.operators, v).before; m != 0; m &= m - 1) {
      network.add_arc(2 + v, 2 + std::countr_zero(m), kUnbounded);
    }
    if ((low & bit(v)) != 0) network.add_arc(0, 2 + v, kUnbounded);
    if ((high & bit(v)) == 0) network.add_arc(2 + v, 1, kUnbounded);
  }
  Bytes fixed = 0;
  for (const PartTensor& t : part.tensors) {
    const int from = t.producer < 0 ? 0 : 2 + t.producer;
    if (t.held && from == 0) {
      fixed += t.bytes;
    } else if (t.held) {
      network.add_arc(from, 1, t.bytes);
    } else {
      const int joint = network.add_node();
      network.add_arc(from, joint, t.bytes);
      for (Mask m = t.users; m != 0; m &= m - 1) network.add_arc(joint, 2 + std::countr_zero(m), kUnbounded);
    }
  }
  int64_t work = int64_t{1} << 40;
  return fixed + network.send(0, 1, kUnbounded, work);
}

// May the order be cut at `to`, coming from `from`? Without gifts that depend on the order it always may.
bool is_boundary(const Part& part, Mask from, Mask to) {
  if (!part.has_open_gifts) return true;
  return !part.splits_gift(to) && fewest_live(part, from & to, from | to) >= part.live(to);
}

}  // namespace

std::optional<std::vector<Block>> canonical_order(const OrderGraph& graph, const std::vector<int>& operators,
                                                  int most_states) {
  const Part part = part_of(graph, operators);
  Flood flood(part, most_states);
  std::vector<Block> blocks, last_blocks;
  const auto block_of = [&](Mask before, std::vector<int> steps) {
    for (int& v : steps) v = at(operators, v);
    return Block{std::move(steps), flood.hill(), part.live(before)};
  };
  const Bytes fewest = fewest_live(part, 0, part.all());
  Mask low = 0, high = part.all();
  while (part.live(low) > fewest) {
    if (!flood.spread(low, high, true, {}) || !is_boundary(part, low, flood.found())) return {};
    blocks.push_back(block_of(low, flood.steps()));
    low = flood.found();
  }
  while (part.live(high) > fewest) {
    if (!flood.spread(high, low, false, {}) || !is_boundary(part, high, flood.found())) return {};
    std::vector<int> steps = flood.steps();
    std::reverse(steps.begin(), steps.end());
    high = flood.found();
    last_blocks.push_back(block_of(high, std::move(steps)));
  }
  if (low != high) {
    if (!flood.spread(low, high, true, high)) return {};
    blocks.push_back(block_of(low, flood.steps()));
  }
  blocks.insert(blocks.end(), last_blocks.rbegin(), last_blocks.rend());
  return blocks;
}

}  // namespace tarn::schedule
