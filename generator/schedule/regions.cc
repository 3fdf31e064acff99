#include "schedule/regions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>

#include "schedule/at.h"
#include "schedule/canonical_order.h"
#include "schedule/tuning.h"

namespace tarn::schedule {

namespace {

// Operators strictly between `first` and `last`, which only meet the rest there.
struct RegionPart {
  int first = 0, last = 0;  // `last` is past the end when nothing has to come after
  std::vector<int> operators;
  bool is_chain = false;
};

// First operator that is on every way from v to the end, by v; the number of operators when only the end is.
std::vector<int> meeting_points(const OrderGraph& graph) {
  std::vector<int> meeting(graph.operators.size(), graph.count());
  for (int v = graph.count() - 1; v >= 0; --v) {
    const std::vector<int>& after = at(graph.operators, v).after;
    if (after.empty()) continue;
    int meet = after.front();
    for (int w : after) {
      while (meet != w) (meet < w ? meet : w) = at(meeting, std::min(meet, w));
    }
    at(meeting, v) = meet;
  }
  return meeting;
}

// Marks the members of a part for the checks below.
class PartFinder {
 public:
  explicit PartFinder(const OrderGraph& graph) : graph_(graph), inside_(graph.operators.size(), 0) {}

  // Everything between `first` and the point where all ways from it meet, when it is a part of suitable size.
  bool between(int first, int last, RegionPart& part) {
    part = {first, last, {}, false};
    std::vector<int>& found = part.operators;
    bool small = true;
    for (size_t i = 0; i <= found.size() && small; ++i) {
      for (int w : at(graph_.operators, i == 0 ? first : found[i - 1]).after) {
        if (w == last || at(inside_, w)) continue;
        at(inside_, w) = 1;
        found.push_back(w);
        small = found.size() <= kMostPartOperators;
        if (!small) break;
      }
    }
    std::sort(found.begin(), found.end());
    part.is_chain = is_chain(found);
    return finish(part, small && found.size() > 1);
  }

  // Operators of a chain that starts after `first`, as many as there are.
  bool chain(int first, RegionPart& part) {
    part = {first, graph_.count(), {}, true};
    int v = first;
    while (part.operators.size() < kMostPartOperators) {
      const std::vector<int>& after = at(graph_.operators, v).after;
      if (after.size() != 1) break;
      part.last = after.front();
      if (at(graph_.operators, part.last).before.size() != 1) break;
      v = part.last;
      at(inside_, v) = 1;
      part.operators.push_back(v);
    }
    if (part.last == v) {  // the chain is full or ends here: its last operator closes the part
      at(inside_, v) = 0;
      if (!part.operators.empty()) part.operators.pop_back();
    }
    return finish(part, part.operators.size() > 1);
  }

 private:
  bool finish(const RegionPart& part, bool promising) {
    const bool closed = promising && is_closed(part);
    for (int v : part.operators) at(inside_, v) = 0;
    return closed;
  }
  bool is_chain(const std::vector<int>& operators) const {
    for (size_t i = 1; i < operators.size(); ++i) {
      const std::vector<int>& before = at(graph_.operators, operators[i]).before;
      if (!std::binary_search(before.begin(), before.end(), operators[i - 1])) return false;
    }
    return true;
  }
  // Nothing comes in but from `first`. What goes out goes to `last` or is needed behind it, as every way from `first`
  // passes `last`: it stays alive to the part's end in every order.
  bool is_closed(const RegionPart& part) const {
    const auto within = [&](int v) { return v == part.first || (v >= 0 && at(inside_, v)); };
    return std::all_of(part.operators.begin(), part.operators.end(), [&](int v) {
      const GraphOperator& op = at(graph_.operators, v);
      return std::all_of(op.before.begin(), op.before.end(), within) &&
             std::all_of(op.uses.begin(), op.uses.end(), [&](int t) { return within(at(graph_.tensors, t).producer); });
    });
  }

  const OrderGraph& graph_;
  std::vector<char> inside_;
};

// Operators that become one, in the order they run.
struct Group {
  std::vector<int> operators;
  Bytes hill = 0, before = 0;  // of the block, for groups of more than one
  bool is_block = false;
  int previous = -1;  // group of the same part that runs before
  int last = -1;      // group of the same part that runs last; -1: not of a part
};

// Parts to condense in one pass: smallest first, none overlapping, then the chains that are left.
std::vector<RegionPart> parts_of(const OrderGraph& graph) {
  const std::vector<int> meeting = meeting_points(graph);
  PartFinder finder(graph);
  std::vector<RegionPart> found, chosen;
  RegionPart part;
  for (int v = 0; v < graph.count(); ++v) {
    if (at(graph.operators, v).after.size() > 1 && at(meeting, v) < graph.count() &&
        finder.between(v, at(meeting, v), part)) {
      found.push_back(part);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const RegionPart& a, const RegionPart& b) { return a.operators.size() < b.operators.size(); });
  std::vector<char> taken(graph.operators.size(), 0);
  const auto choose = [&](const RegionPart& p) {
    if (std::any_of(p.operators.begin(), p.operators.end(), [&](int v) { return at(taken, v) != 0; })) return;
    for (int v : p.operators) at(taken, v) = 1;
    chosen.push_back(p);
  };
  for (const RegionPart& p : found) choose(p);
  for (int v = 0; v < graph.count(); ++v) {
    if (!at(taken, v) && finder.chain(v, part)) choose(part);
  }
  return chosen;
}

class Condenser {
 public:
  explicit Condenser(const OrderGraph& graph) : graph_(graph), group_(graph.operators.size(), -1) {}

  // False when there was nothing to do.
  bool add_parts() {
    bool changed = false;
    for (const RegionPart& part : parts_of(graph_)) {
      const auto blocks = canonical_order(graph_, part.operators, kMostPartStates);
      if (!blocks || (part.is_chain && blocks->size() == part.operators.size())) continue;
      changed = true;
      const int last = count_of(groups_) + count_of(*blocks) - 1;
      int previous = -1;
      for (const Block& block : *blocks) {
        for (int v : block.operators) at(group_, v) = count_of(groups_);
        groups_.push_back({block.operators, block.hill, block.before, true, previous, last});
        previous = count_of(groups_) - 1;
      }
    }
    return changed;
  }

  Condensed finish() {
    for (int v = 0; v < graph_.count(); ++v) {
      if (at(group_, v) >= 0) continue;
      at(group_, v) = count_of(groups_);
      groups_.push_back({{v}, 0, 0, false, -1, -1});
    }
    list_groups();
    Condensed result;
    result.graph.base = graph_.base;
    result.graph.operators.resize(groups_.size());
    result.members.resize(groups_.size());
    add_dependencies(result.graph);
    add_tensors(result.graph);
    for (int g = 0; g < count_of(groups_); ++g) {
      const Group& group = at(groups_, g);
      at(result.members, at(position_, g)) = group.operators;
      GraphOperator& op = at(result.graph.operators, at(position_, g));
      op.extra =
          group.is_block ? group.hill - group.before - op.born : at(graph_.operators, group.operators.front()).extra;
      if (group.is_block) continue;
      for (const Gift& gift : at(graph_.operators, group.operators.front()).gifts) {
        op.gifts.push_back({at(tensor_place_, gift.giver), gift.saves});
      }
    }
    return result;
  }

 private:
  // Numbers the groups in a valid order, the one with the earliest operator first.
  void list_groups() {
    before_.resize(groups_.size());
    std::vector<std::vector<int>> after(groups_.size());
    std::vector<int> missing;
    for (int g = 0; g < count_of(groups_); ++g) {
      std::vector<int>& before = at(before_, g);
      const Group& group = at(groups_, g);
      if (group.previous >= 0) {  // what comes before the part is implied
        before.push_back(group.previous);
      } else {
        for (int v : group.operators) {
          for (int p : at(graph_.operators, v).before) add_before(at(group_, p), group, before);
        }
      }
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
      for (int p : before) at(after, p).push_back(g);
      missing.push_back(count_of(before));
    }
    std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> ready;
    for (int g = 0; g < count_of(groups_); ++g) {
      if (at(missing, g) == 0) ready.push({at(groups_, g).operators.front(), g});
    }
    position_.assign(groups_.size(), -1);
    for (int next = 0; !ready.empty(); ++next) {
      const int g = ready.top().second;
      ready.pop();
      at(position_, g) = next;
      for (int h : at(after, g)) {
        if (--at(missing, h) == 0) ready.push({at(groups_, h).operators.front(), h});
      }
    }
  }

  // `group` depends on p, and on all of the part that p is of when it is of another.
  void add_before(int p, const Group& group, std::vector<int>& before) const {
    const int last = at(groups_, p).last;
    if (last < 0) {
      before.push_back(p);
    } else if (last != group.last) {
      before.push_back(last);
    }
  }

  void add_dependencies(OrderGraph& result) const {
    for (int g = 0; g < count_of(groups_); ++g) {
      std::vector<int>& before = at(result.operators, at(position_, g)).before;
      for (int p : at(before_, g)) before.push_back(at(position_, p));
      std::sort(before.begin(), before.end());
    }
    for (int v = 0; v < result.count(); ++v) {
      for (int p : at(result.operators, v).before) at(result.operators, p).after.push_back(v);
    }
  }

  // Tensors that no group both makes and uses up.
  void add_tensors(OrderGraph& result) {
    tensor_place_.assign(graph_.tensors.size(), -1);
    for (int t = 0; t < count_of(graph_.tensors); ++t) {
      const GraphTensor& tensor = at(graph_.tensors, t);
      const int producer = tensor.producer < 0 ? -1 : at(position_, at(group_, tensor.producer));
      std::vector<int> users;
      for (int u : tensor.users) {
        if (at(position_, at(group_, u)) != producer) users.push_back(at(position_, at(group_, u)));
      }
      std::sort(users.begin(), users.end());
      users.erase(std::unique(users.begin(), users.end()), users.end());
      if (users.empty() && !tensor.kept) continue;
      const int place = count_of(result.tensors);
      at(tensor_place_, t) = place;
      for (int u : users) at(result.operators, u).uses.push_back(place);
      result.tensors.push_back({tensor.bytes, producer, tensor.kept, std::move(users)});
      if (producer < 0) continue;
      at(result.operators, producer).born += tensor.bytes;
      at(result.operators, producer).makes.push_back(place);
    }
  }

  const OrderGraph& graph_;
  std::vector<Group> groups_;
  std::vector<int> group_;                // of an operator
  std::vector<std::vector<int>> before_;  // of a group
  std::vector<int> position_;             // of a group among the operators of the result
  std::vector<int> tensor_place_;
};

// Absent: no part becomes a chain.
std::optional<Condensed> condense_once(const OrderGraph& graph) {
  Condenser condenser(graph);
  if (!condenser.add_parts()) return {};
  return condenser.finish();
}

}  // namespace

Condensed condense(const OrderGraph& graph) {
  Condensed result{graph, {}};
  for (int v = 0; v < graph.count(); ++v) result.members.push_back({v});
  while (std::optional<Condensed> next = condense_once(result.graph)) {
    for (std::vector<int>& members : next->members) {
      std::vector<int> all;
      for (int v : members) all.insert(all.end(), at(result.members, v).begin(), at(result.members, v).end());
      members = std::move(all);
    }
    result = std::move(*next);
  }
  return result;
}

}  // namespace tarn::schedule
