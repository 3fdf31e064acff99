// note [peeling]: an item whose conflicts, all added up, forbid fewer offsets than there are below the capacity can be
// placed last, wherever the others are. Taking it away may set others free in the same way. What is never alive counts
// for nothing: it finds a place above the capacity.
#include "planner/kernel.h"

#include <algorithm>
#include <numeric>

#include "planner/bounds.h"
#include "planner/index.h"
#include "planner/phases.h"
#include "planner/tuning.h"
#include "support/checked.h"

namespace tarn::planner {

namespace {

// An interval that forbids offsets, counted in units: between multiples of the unit the ends move outwards.
Forbidden in_units(Bytes lo, Bytes hi, Bytes unit) { return {floor_div(lo, unit), -floor_div(-hi, unit)}; }

int64_t forbidden_count(const Conflict& c, Bytes unit, Bytes step) {
  const Forbidden f = in_units(c.lo, c.hi, unit);
  return f.hi - f.lo < 2 ? 0 : (f.hi - f.lo - 2) / step + 1;
}

class Peeler {
 public:
  Peeler(const Problem& problem, const ConflictGraph& conflicts, Kernel& kernel)
      : problem_(problem),
        conflicts_(conflicts),
        kernel_(kernel),
        free_offsets_(problem.items.size()),
        gone_(problem.items.size(), false) {}

  std::vector<bool> run() {
    std::vector<int> ready;
    for (size_t i = 0; i < free_offsets_.size(); ++i) {
      const int item = static_cast<int>(i);
      free_offsets_[i] = kernel_.most[i] < 0 ? 0 : problem_.items[i].offset ? 1 : kernel_.most[i] / step(item) + 1;
      for (const Conflict& c : conflicts_.of(item)) free_offsets_[i] -= forbidden_count(c, kernel_.unit, step(item));
      if (free_offsets_[i] > 0 || (!is_alive(problem_.items[i]) && !problem_.items[i].offset)) {
        gone_[i] = true;
        ready.push_back(item);
      }
    }
    for (size_t k = 0; k < ready.size(); ++k) {
      kernel_.peeled.push_back(ready[k]);
      for (const Conflict& c : conflicts_.of(ready[k])) {
        if (gone_[Z(c.other)]) continue;
        // The mirrored interval is as long; the step is that of the other item.
        free_offsets_[Z(c.other)] += forbidden_count({0, -c.hi, -c.lo}, kernel_.unit, step(c.other));
        if (free_offsets_[Z(c.other)] > 0) {
          gone_[Z(c.other)] = true;
          ready.push_back(c.other);
        }
      }
    }
    return gone_;
  }

 private:
  Bytes step(int item) const { return std::max<Bytes>(1, problem_.items[Z(item)].alignment / kernel_.unit); }

  const Problem& problem_;
  const ConflictGraph& conflicts_;
  Kernel& kernel_;
  std::vector<int64_t> free_offsets_;
  std::vector<bool> gone_;
};

std::vector<Part> connected_parts(const ConflictGraph& conflicts, std::vector<bool> gone) {
  std::vector<Part> parts;
  for (size_t start = 0; start < gone.size(); ++start) {
    if (gone[start]) continue;
    Part part;
    gone[start] = true;
    part.items.push_back(static_cast<int>(start));
    for (size_t k = 0; k < part.items.size(); ++k) {
      for (const Conflict& c : conflicts.of(part.items[k])) {
        if (gone[Z(c.other)]) continue;
        gone[Z(c.other)] = true;
        part.items.push_back(c.other);
      }
    }
    std::sort(part.items.begin(), part.items.end());
    parts.push_back(std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& x, const Part& y) { return x.items.size() > y.items.size(); });
  return parts;
}

// The bytes that two items take together at least, in units.
Bytes least_union(Bytes size_a, Bytes size_b, const std::vector<Forbidden>& forbidden) {
  Bytes least = size_a + size_b;
  const auto consider = [&](Bytes d) {
    for (const Forbidden& f : forbidden) {
      if (f.lo < d && d < f.hi) return;
    }
    const Bytes shared = std::min(size_a, d + size_b) - std::max<Bytes>(0, d);
    least = std::min(least, size_a + size_b - std::max<Bytes>(0, shared));
  };
  consider(0);  // the smaller one within the other; where that is forbidden, an end of what is forbidden is the best
  for (const Forbidden& f : forbidden) {
    consider(f.lo);
    consider(f.hi);
  }
  return least;
}

class ApartFinder {
 public:
  ApartFinder(const Problem& problem, const Part& part, const DifferenceProblem& differences)
      : problem_(problem), part_(part), differences_(differences) {
    const size_t n = part.items.size();
    between_.assign(n * n, -1);
    for (size_t p = 0; p < differences.pairs.size(); ++p) {
      const FreePair& pair = differences.pairs[p];
      between_[Z(pair.a) * n + Z(pair.b)] = between_[Z(pair.b) * n + Z(pair.a)] = static_cast<int>(p);
    }
  }

  std::vector<Apart> run() {
    const int n = static_cast<int>(part_.items.size());
    std::vector<Apart> aparts;
    for (int i = 0; i < n; ++i) {
      std::vector<int> members{i};
      for (int j = 0; j < n; ++j) {
        if (j != i && lives(j, item(i).first)) members.push_back(j);
      }
      add(members, aparts);
    }
    for (const FreePair& pair : differences_.pairs) {
      const int early = item(pair.a).first <= item(pair.b).first ? pair.a : pair.b,
                late = early == pair.a ? pair.b : pair.a;
      if (item(late).first < item(early).end) continue;
      std::vector<int> members{early, late};
      for (int j = 0; j < n; ++j) {
        if (lives(j, item(early).end - 1) && lives(j, item(late).first)) members.push_back(j);
      }
      add(members, aparts);
    }
    return aparts;
  }

 private:
  const Item& item(int i) const { return problem_.items[Z(part_.items[Z(i)])]; }
  Bytes size(int i) const { return differences_.items[Z(i)].size; }
  bool lives(int i, Instant at) const { return item(i).first <= at && at < item(i).end; }
  // How much two items take together; their sum if they are apart, less if they may overlap.
  Bytes together(int a, int b) const {
    const int p = between_[Z(a) * part_.items.size() + Z(b)];
    if (p < 0) return std::max(size(a), size(b));
    const FreePair& pair = differences_.pairs[Z(p)];
    return least_union(size(pair.a), size(pair.b), pair.forbidden);
  }

  // Makes bodies out of items: two that may overlap become one body; who may overlap with more than one is left out.
  void add(const std::vector<int>& members, std::vector<Apart>& aparts) const {
    Apart apart;
    for (int i : members) {
      int meets = -1, count = 0;
      for (size_t k = 0; k < apart.size(); ++k) {
        bool free = together(apart[k].a, i) < size(apart[k].a) + size(i);
        if (apart[k].b >= 0) free |= together(apart[k].b, i) < size(apart[k].b) + size(i);
        if (!free) continue;
        meets = static_cast<int>(k);
        ++count;
      }
      if (count == 0) apart.push_back({i, -1, size(i)});
      else if (count == 1 && apart[Z(meets)].b < 0) {
        const int other = apart[Z(meets)].a;
        apart[Z(meets)] = {other, i, together(other, i)};
      }
    }
    if (apart.size() > 1) aparts.push_back(std::move(apart));
  }

  const Problem& problem_;
  const Part& part_;
  const DifferenceProblem& differences_;
  std::vector<int> between_;
};

}  // namespace

Kernel find_kernel(const Problem& problem, const ConflictGraph& conflicts, Bytes capacity) {
  Kernel kernel;
  kernel.unit = common_alignment(problem);
  for (size_t i = 0; i < problem.items.size(); ++i) {
    if (!conflicts.of(static_cast<int>(i)).empty()) kernel.unit = std::gcd(kernel.unit, problem.items[i].alignment);
  }
  for (const Item& item : problem.items) {
    const bool costs = is_alive(item);
    Offset most = costs ? capacity - item.size : capacity;
    if (item.offset) most = costs && *item.offset > most ? -1 : *item.offset;
    kernel.most.push_back(most < 0 ? -1 : most / kernel.unit);
  }
  const std::vector<bool> gone = Peeler(problem, conflicts, kernel).run();
  kernel.parts = connected_parts(conflicts, gone);
  std::vector<bool> paired(problem.items.size(), false);
  for (const Pair& p : problem.pairs) {
    if (!gone[Z(p.a)] && !gone[Z(p.b)]) paired[Z(p.a)] = paired[Z(p.b)] = true;
  }
  for (Part& part : kernel.parts) {
    part.plain = std::all_of(part.items.begin(), part.items.end(), [&](int i) {
      const Item& item = problem.items[Z(i)];
      return is_whole(item) && !item.offset && !paired[Z(i)] && item.alignment == kernel.unit;
    });
  }
  return kernel;
}

StripPart strip_of(const Problem& problem, const Kernel& kernel, const Part& part) {
  // Sections begin where an item begins after another one ended: only those sets of items alive count that no other
  // holds.
  std::vector<Instant> starts, ends;
  for (int i : part.items) {
    starts.push_back(problem.items[Z(i)].first);
    ends.push_back(problem.items[Z(i)].end);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  std::vector<Instant> section_last;  // the last beginning within each section
  for (size_t k = 0; k < starts.size(); ++k) {
    const auto next_end = std::upper_bound(ends.begin(), ends.end(), starts[k]);
    const bool closes = k + 1 == starts.size() || (next_end != ends.end() && *next_end <= starts[k + 1]);
    if (closes) section_last.push_back(starts[k]);
  }
  StripPart out;
  out.scale = 0;
  for (int i : part.items) out.scale = std::gcd(out.scale, ceil_div(problem.items[Z(i)].size, kernel.unit));
  out.strip.section_count = static_cast<int>(section_last.size());
  for (int i : part.items) {
    const Item& item = problem.items[Z(i)];
    StripBlock block;
    block.first =
        static_cast<int>(std::lower_bound(section_last.begin(), section_last.end(), item.first) - section_last.begin());
    block.last =
        static_cast<int>(std::lower_bound(section_last.begin(), section_last.end(), item.end) - section_last.begin()) -
        1;
    block.size = ceil_div(item.size, kernel.unit) / out.scale;
    block.max_offset = kernel.most[Z(i)] < 0 ? -1 : kernel.most[Z(i)] / out.scale;
    out.strip.blocks.push_back(block);
  }
  return out;
}

DifferenceProblem differences_of(const Problem& problem, const ConflictGraph& conflicts, const Kernel& kernel,
                                 const Part& part) {
  DifferenceProblem out;
  std::vector<int> position(problem.items.size(), -1);
  for (int i : part.items) {
    const Item& item = problem.items[Z(i)];
    position[Z(i)] = static_cast<int>(out.items.size());
    FreeItem free{ceil_div(item.size, kernel.unit), std::max<Bytes>(1, item.alignment / kernel.unit), 0,
                  kernel.most[Z(i)]};
    if (item.offset) free.least = *item.offset / kernel.unit;
    out.items.push_back(free);
  }
  for (int i : part.items) {
    for (const Conflict& c : conflicts.of(i)) {
      if (c.other > i || position[Z(c.other)] < 0) continue;  // each pair once, seen from its later item
      const Forbidden f = in_units(c.lo, c.hi, kernel.unit);
      if (f.hi - f.lo < 2) continue;
      const int a = position[Z(c.other)], b = position[Z(i)];
      if (!out.pairs.empty() && out.pairs.back().a == a && out.pairs.back().b == b) {
        std::vector<Forbidden>& list = out.pairs.back().forbidden;
        if (f.lo < list.back().hi) list.back().hi = std::max(list.back().hi, f.hi);
        else list.push_back(f);
      } else {
        out.pairs.push_back({a, b, {f}});
      }
    }
  }
  const bool whole =
      std::all_of(part.items.begin(), part.items.end(), [&](int i) { return is_whole(problem.items[Z(i)]); });
  if (whole && part.items.size() <= kMostApartItems) out.aparts = ApartFinder(problem, part, out).run();
  return out;
}

}  // namespace tarn::planner
