// Small random ordering problems, the least peak by trying every set of finished operators, and a step-by-step
// simulator. Both read the problem as order_problem.h words it and share no code with the search.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "schedule/order_problem.h"

namespace tarn::schedule::testing {

struct TinyShape {
  int least_operators = 1, most_operators = 11;
  bool donations = true, scratch = true;
  bool branches = false;  // chains between a fork and a join, as networks have them
};

class TinyMaker {
 public:
  TinyMaker(uint32_t seed, const TinyShape& shape) : rng_(seed), shape_(shape) {}

  OrderProblem make() {
    largest_ = one_in(2) ? 3 : 40;
    const int inputs = 1 + below(3);
    for (int i = 0; i < inputs; ++i) p_.tensors.push_back({size(), true, one_in(10)});
    const int count = shape_.least_operators + below(shape_.most_operators - shape_.least_operators + 1);
    reach_ = one_in(3) ? 100 : 2 + below(5);
    if (shape_.branches) {
      while (static_cast<int>(p_.operators.size()) < count) add_branches();
      return p_;
    }
    for (int v = 0; v < count; ++v) add_operator();
    return p_;
  }

 private:
  int below(int n) { return static_cast<int>(rng_() % static_cast<uint32_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  Bytes size() { return one_in(15) ? 0 : 1 + below(largest_); }
  OrderTensor& tensor(int t) { return p_.tensors[static_cast<size_t>(t)]; }

  void add_operator() {
    OrderOperator op;
    const int have = static_cast<int>(p_.tensors.size());
    const int reads = one_in(12) ? 0 : 1 + below(3);
    for (int i = 0; i < reads; ++i)
      op.inputs.push_back(one_in(3) ? below(have) : have - 1 - below(std::min(have, reach_)));
    if (shape_.scratch && one_in(3)) op.scratch = below(largest_);
    const int outputs = one_in(5) ? 2 : one_in(30) ? 0 : 1;
    for (int i = 0; i < outputs; ++i) {
      OrderTensor out{size(), false, one_in(10)};
      if (!op.inputs.empty() && one_in(2)) out.bytes = tensor(op.inputs.front()).bytes;
      op.outputs.push_back(static_cast<int>(p_.tensors.size()));
      p_.tensors.push_back(out);
    }
    if (shape_.donations && !op.outputs.empty() && one_in(2)) add_donations(op);
    p_.operators.push_back(op);
  }

  int add_from(std::vector<int> inputs) {  // the tensor it makes
    OrderOperator op;
    op.inputs = std::move(inputs);
    if (shape_.scratch && one_in(4)) op.scratch = below(largest_);
    op.outputs.push_back(static_cast<int>(p_.tensors.size()));
    p_.tensors.push_back({1 + below(largest_), false, one_in(20)});
    if (shape_.donations && one_in(3)) add_donations(op);
    p_.operators.push_back(op);
    return p_.operators.back().outputs[0];
  }
  void add_branches() {
    const int fork = add_from({static_cast<int>(p_.tensors.size()) - 1});
    std::vector<int> ends;
    for (int i = 1 + below(2); i >= 0; --i) {
      ends.push_back(fork);
      for (int k = below(3); k >= 0; --k) ends.back() = add_from({ends.back()});
    }
    add_from(ends);
  }

  void add_donations(OrderOperator& op) {
    for (int giver : op.inputs) {
      if (one_in(4)) continue;
      const int taker = op.outputs[static_cast<size_t>(below(static_cast<int>(op.outputs.size())))];
      const Bytes most = std::min(tensor(giver).bytes, tensor(taker).bytes);
      op.donations.push_back({giver, taker, one_in(2) ? most : below(static_cast<int>(most) + 1)});
    }
  }

  std::mt19937 rng_;
  TinyShape shape_;
  OrderProblem p_;
  int largest_ = 3, reach_ = 4;
};

inline OrderProblem tiny_problem(uint32_t seed, const TinyShape& shape = {}) { return TinyMaker(seed, shape).make(); }

// Looks at every set of finished operators of a problem with at most 16 of them.
class EverySet {
 public:
  explicit EverySet(const OrderProblem& p) : p_(p), made_by_(p.tensors.size(), -1), used_by_(p.tensors.size(), 0) {
    for (size_t v = 0; v < p.operators.size(); ++v) {
      for (int t : p.operators[v].outputs) made_by_[static_cast<size_t>(t)] = static_cast<int>(v);
      for (int t : p.operators[v].inputs) used_by_[static_cast<size_t>(t)] |= 1u << v;
    }
  }

  Bytes least_peak() const {
    const size_t count = p_.operators.size();
    std::vector<Bytes> least(size_t{1} << count, INT64_MAX);
    least[0] = live(0);
    for (uint32_t done = 0; done < least.size(); ++done) {
      if (least[done] == INT64_MAX) continue;
      for (size_t v = 0; v < count; ++v) {
        if ((done >> v & 1) || !ready(done, v)) continue;
        Bytes& next = least[done | 1u << v];
        next = std::min(next, std::max(least[done], step(done, v)));
      }
    }
    return least.back();
  }

 private:
  bool alive(uint32_t done, size_t t) const {
    if (made_by_[t] < 0 ? !p_.tensors[t].input : !(done >> made_by_[t] & 1)) return false;
    return p_.tensors[t].kept || (used_by_[t] & ~done) != 0;
  }
  Bytes live(uint32_t done) const {
    Bytes sum = 0;
    for (size_t t = 0; t < p_.tensors.size(); ++t) sum += alive(done, t) ? p_.tensors[t].bytes : 0;
    return sum;
  }
  bool ready(uint32_t done, size_t v) const {
    for (int t : p_.operators[v].inputs) {
      const int producer = made_by_[static_cast<size_t>(t)];
      if (producer >= 0 && !(done >> producer & 1)) return false;
    }
    return true;
  }
  Bytes step(uint32_t done, size_t v) const {
    const OrderOperator& op = p_.operators[v];
    Bytes bytes = live(done) + op.scratch, saved = 0;
    for (int t : op.outputs) bytes += p_.tensors[static_cast<size_t>(t)].bytes;
    for (const Donation& d : op.donations) {
      if (!alive(done | 1u << v, static_cast<size_t>(d.giver))) saved = std::max(saved, d.saves);
    }
    return bytes - saved;
  }

  const OrderProblem& p_;
  std::vector<int> made_by_;
  std::vector<uint32_t> used_by_;
};

// Runs an order with a count of outstanding readers per tensor. -1 when the order is not valid.
inline Bytes simulate(const OrderProblem& p, const std::vector<int>& order) {
  std::vector<int> readers(p.tensors.size(), 0);
  std::vector<char> present(p.tensors.size(), 0), ran(p.operators.size(), 0);
  for (const OrderOperator& op : p.operators) {
    for (int t : std::set<int>(op.inputs.begin(), op.inputs.end())) ++readers[static_cast<size_t>(t)];
  }
  Bytes held = 0;
  const auto wanted = [&](size_t t) { return p.tensors[t].kept || readers[t] > 0; };
  for (size_t t = 0; t < p.tensors.size(); ++t) {
    present[t] = p.tensors[t].input;
    if (present[t] && wanted(t)) held += p.tensors[t].bytes;
  }
  Bytes peak = order.empty() ? held : 0;
  if (order.size() != p.operators.size()) return -1;
  for (int v : order) {
    if (v < 0 || static_cast<size_t>(v) >= ran.size() || ran[static_cast<size_t>(v)]) return -1;
    ran[static_cast<size_t>(v)] = 1;
    const OrderOperator& op = p.operators[static_cast<size_t>(v)];
    Bytes during = held + op.scratch, saved = 0;
    for (int t : op.outputs) during += p.tensors[static_cast<size_t>(t)].bytes;
    for (int t : std::set<int>(op.inputs.begin(), op.inputs.end())) {
      const size_t i = static_cast<size_t>(t);
      if (!present[i]) return -1;
      --readers[i];
      if (wanted(i)) continue;
      held -= p.tensors[i].bytes;
      for (const Donation& d : op.donations) saved = d.giver == t ? std::max(saved, d.saves) : saved;
    }
    for (int t : op.outputs) {
      const size_t i = static_cast<size_t>(t);
      present[i] = 1;
      if (wanted(i)) held += p.tensors[i].bytes;
    }
    peak = std::max(peak, during - saved);
  }
  return peak;
}

}  // namespace tarn::schedule::testing
