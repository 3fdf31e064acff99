// note [valley search]: a state is a floor for each section and the set of blocks not placed yet, all of which lie
// above the floors. A valley is a run of sections with equal floor between higher ones, or between walls: cuts that no
// unplaced block crosses. In the corner section of a valley only a block that starts there and ends within the valley
// can sit on the floor (mirrored: one that ends there); else the corner stays empty up to the level at which something
// can rest: the least wall or block beside it. So each corner has few branches, each packing that is pushed down is
// reached by one way, and the corner with the fewest branches goes first, wherever it is.
//
// A failure rests on a span of sections: what lies outside has no part in it. Hence a choice outside the span of the
// failure below it needs no alternatives, and parts of the strip that have become independent never mix. A forced raise
// on which a failure rests brings in the span of that raise.
//
// note [window nogoods]: the span of a failure with its floors, and the unplaced blocks that touch it, is infeasible in
// every later state and run. It is kept as a 64-bit hash; equal blocks have equal hashes, so that only their number
// counts. Two states with one hash would spoil a proof: with a million states the odds are one in ten million.
#include "planner/valley_search.h"

#include <algorithm>
#include <numeric>

#include "support/progress.h"

namespace tarn::planner {

namespace {
// Whole numbers far below 2^53 in practice; beyond, sums differ by rounding, the same on every machine.
double area(const StripBlock& b) { return static_cast<double>(b.size) * (b.last - b.first + 1); }
}  // namespace

ValleySearch::ValleySearch(const Strip& strip, uint64_t seed, int table_bits)
    : strip_(strip),
      section_count_(strip.section_count),
      block_count_(static_cast<int>(strip.blocks.size())),
      random_(seed),
      nogoods_(strip.blocks.size() < 32 ? 8 : table_bits, table_bits) {
  total_.assign(Z(section_count_), 0);
  for (const StripBlock& b : strip_.blocks) {
    for (int s = b.first; s <= b.last; ++s) total_[Z(s)] += b.size;
  }
  // Blocks alike share a hash: what counts is how many of them are unplaced.
  hash_.resize(Z(block_count_));
  for (int i = 0; i < block_count_; ++i) {
    const StripBlock& b = strip_.blocks[Z(i)];
    hash_[Z(i)] =
        mix(mix(mix(static_cast<uint64_t>(b.first)) + static_cast<uint64_t>(b.last)) + static_cast<uint64_t>(b.size));
    hash_[Z(i)] = mix(hash_[Z(i)] + static_cast<uint64_t>(b.max_offset));
  }
  for (const StripBlock& b : strip_.blocks) capacity_ = std::max(capacity_, b.max_offset + b.size);
}

void ValleySearch::order_blocks() {
  std::vector<double> key(Z(block_count_));
  for (int i = 0; i < block_count_; ++i) {
    const StripBlock& b = strip_.blocks[Z(i)];
    const double width = b.last - b.first + 1, size = static_cast<double>(b.size);
    switch (config_.key) {
      case SearchConfig::Key::area: key[Z(i)] = width * size; break;
      case SearchConfig::Key::size: key[Z(i)] = size * 1e6 + width; break;
      case SearchConfig::Key::width: key[Z(i)] = width * 1e9 + size; break;
      case SearchConfig::Key::busiest: {
        Bytes most = 0;
        for (int s = b.first; s <= b.last; ++s) most = std::max(most, total_[Z(s)]);
        key[Z(i)] = static_cast<double>(most) * 1e6 + width;
        break;
      }
    }
    if (config_.noise) key[Z(i)] *= 1 + 0.5 * static_cast<double>(random_.next() >> 11) / 9007199254740992.0;
  }
  std::vector<int> order(Z(block_count_));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return std::pair(-key[Z(i)], i); });
  starting_.assign(Z(section_count_), {});
  ending_.assign(Z(section_count_), {});
  for (const int i : order) {
    starting_[Z(strip_.blocks[Z(i)].first)].push_back(i);
    ending_[Z(strip_.blocks[Z(i)].last)].push_back(i);
  }
}

void ValleySearch::reset(const SearchConfig& config) {
  config_ = config;
  const size_t sections = Z(section_count_);
  floor_.assign(sections, 0);
  floor_hash_.assign(sections, 0);
  rest_ = total_;
  unplaced_.assign(sections, 0);
  crossing_.assign(sections + 1, 0);
  placed_.assign(Z(block_count_), 0);
  offset_.assign(Z(block_count_), -1);
  over_hash_.assign(sections, 0);
  start_hash_.assign(sections, 0);
  floor_prefix_.assign(sections + 1, 0);
  start_prefix_.assign(sections + 1, 0);
  changed_.assign(sections, ++time_);
  for (auto& side : cache_) side.assign(sections, Cached{});
  order_blocks();
  for (int s = 0; s < section_count_; ++s) set_floor(s, 0);
  for (int i = 0; i < block_count_; ++i) {
    const StripBlock& b = strip_.blocks[Z(i)];
    start_hash_[Z(b.first)] += hash_[Z(i)];
    for (int s = b.first; s <= b.last; ++s) {
      over_hash_[Z(s)] += hash_[Z(i)];
      ++unplaced_[Z(s)];
      if (s > b.first) ++crossing_[Z(s)];
    }
  }
  for (auto& side : section_noise_) {
    side.assign(sections, 0);
    if (config_.noise) {
      for (double& x : side) x = 0.0001 * static_cast<double>(random_.below(1024)) / 1024;
    }
  }
  frames_.clear();
  choices_.clear();
  raises_.clear();
  left_count_ = block_count_;
  left_area_ = 0;
  for (const StripBlock& b : strip_.blocks) left_area_ += area(b);
  least_left_ = left_area_;
  near_section_ = 0;
}

void ValleySearch::set_floor(int section, Offset level) {
  floor_[Z(section)] = level;
  floor_hash_[Z(section)] = mix((static_cast<uint64_t>(section) << 44) ^ static_cast<uint64_t>(level));
}

void ValleySearch::place(int block, Offset at) {
  const StripBlock& b = strip_.blocks[Z(block)];
  placed_[Z(block)] = 1;
  offset_[Z(block)] = at;
  --left_count_;
  left_area_ -= area(b);
  ++time_;
  for (int s = b.first; s <= b.last; ++s) {
    set_floor(s, at + b.size);
    rest_[Z(s)] -= b.size;
    over_hash_[Z(s)] -= hash_[Z(block)];
    --unplaced_[Z(s)];
    if (s > b.first) --crossing_[Z(s)];
    changed_[Z(s)] = time_;
  }
  start_hash_[Z(b.first)] -= hash_[Z(block)];
}

// Called where a branch ends: only there the least may be left.
void ValleySearch::note_best() {
  if (left_area_ >= least_left_) return;
  least_left_ = left_area_;
  if (left_area_ >= least_ever_) return;
  least_ever_ = left_area_;
  best_ = offset_;
  for (int i = 0; i < block_count_; ++i) {
    if (!placed_[Z(i)]) best_[Z(i)] = -1;
  }
}

void ValleySearch::unplace(int block, Offset floor) {
  const StripBlock& b = strip_.blocks[Z(block)];
  placed_[Z(block)] = 0;
  ++left_count_;
  left_area_ += area(b);
  ++time_;
  for (int s = b.first; s <= b.last; ++s) {
    set_floor(s, floor);
    rest_[Z(s)] += b.size;
    over_hash_[Z(s)] += hash_[Z(block)];
    ++unplaced_[Z(s)];
    if (s > b.first) ++crossing_[Z(s)];
    changed_[Z(s)] = time_;
  }
  start_hash_[Z(b.first)] += hash_[Z(block)];
}

void ValleySearch::raise(int section, Offset level) {
  set_floor(section, level);
  changed_[Z(section)] = ++time_;
}

void ValleySearch::join_raises(Span& span, size_t raise_first) const {
  for (size_t k = raises_.size(); k > raise_first; --k) {
    const Raise& r = raises_[k - 1];
    if (span.meets(r.section, r.section)) span.join(r.span.first, r.span.last);
  }
}

void ValleySearch::undo_raises(size_t raise_first) {
  while (raises_.size() > raise_first) {
    raise(raises_.back().section, raises_.back().old_floor);
    raises_.pop_back();
  }
}

void ValleySearch::compute_prefixes() {
  uint64_t floors = 0, starts = 0;
  for (size_t s = 0; s < Z(section_count_); ++s) {
    if (unplaced_[s]) floors += floor_hash_[s];
    starts += start_hash_[s];
    floor_prefix_[s + 1] = floors;
    start_prefix_[s + 1] = starts;
  }
}

uint64_t ValleySearch::window_key(int first, int last) const {
  return start_prefix_[Z(last) + 1] - start_prefix_[Z(first) + 1] + over_hash_[Z(first)] +
         3 * (floor_prefix_[Z(last) + 1] - floor_prefix_[Z(first)]);
}

ValleySearch::Step ValleySearch::enter(int changed_first, int changed_last) {
  if (left_count_ == 0) return Step::solved;
  if (++nodes_ > limit_) return Step::stopped;
  note_some_progress("packing, nodes", nodes_);
  const size_t raise_first = raises_.size();
  Corner corner;
  bool fails = !settle_forced(corner);
  if (!fails && config_.use_nogoods && !nogoods_.windows().empty()) {
    compute_prefixes();
    const auto& windows = nogoods_.windows();
    for (size_t w = 0; w < windows.size(); ++w) {
      if (windows[w].first > changed_last || windows[w].last < changed_first) continue;
      if (nogoods_.refuted(w, window_key(windows[w].first, windows[w].last))) {
        failure_ = {windows[w].first, windows[w].last};
        fails = true;
        ++use_.nogoods;
        break;
      }
    }
  }
  if (fails) {
    note_best();
    join_raises(failure_, raise_first);
    undo_raises(raise_first);
    return Step::failed;
  }
  const size_t choice_first = choices_.size();
  collect(corner);
  frames_.push_back({.corner = corner,
                     .floor = floor_[Z(corner.section)],
                     .choice_first = choice_first,
                     .next_choice = choice_first,
                     .raise_first = raise_first,
                     .reason = {left_wall(corner.first) ? corner.first : corner.first - 1,
                                right_wall(corner.last) ? corner.last : corner.last + 1},
                     .near_section = near_section_});
  return try_next();
}

// Tries the next choice of the newest frame, or gives the frame up.
ValleySearch::Step ValleySearch::try_next() {
  Frame& f = frames_.back();
  if (f.next_choice == choices_.size()) {
    failure_ = f.reason;
    compute_prefixes();
    nogoods_.add(failure_.first, failure_.last, window_key(failure_.first, failure_.last), random_.next());
    return give_up();
  }
  f.applied = choices_[f.next_choice++];
  if (f.applied == kWaste) {
    raise(f.corner.section, f.corner.level);
    change_ = {f.corner.section, f.corner.section};
  } else {
    const StripBlock& b = strip_.blocks[Z(f.applied)];
    place(f.applied, f.floor);
    near_section_ = (b.first + b.last) / 2;
    change_ = {b.first - 1, b.last + 1};
  }
  return Step::descend;
}

ValleySearch::Step ValleySearch::give_up() {
  Frame& f = frames_.back();
  join_raises(failure_, f.raise_first);
  undo_raises(f.raise_first);
  choices_.resize(f.choice_first);
  frames_.pop_back();
  return Step::failed;
}

// Takes back the choice of the newest frame after it failed for failure_.
ValleySearch::Step ValleySearch::retreat() {
  Frame& f = frames_.back();
  Span touched{f.corner.section, f.corner.section};
  if (f.applied == kWaste) {
    raise(f.corner.section, f.floor);
  } else {
    const StripBlock& b = strip_.blocks[Z(f.applied)];
    unplace(f.applied, f.floor);
    near_section_ = f.near_section;
    touched = {b.first, b.last};
  }
  if (config_.jump_back && !failure_.meets(touched.first, touched.last)) {  // this choice has no part in the failure
    ++use_.jumps;
    return give_up();
  }
  f.reason.join(failure_.first, failure_.last);
  return try_next();
}

Verdict ValleySearch::run(const SearchConfig& config, uint64_t node_limit) {
  reset(config);
  limit_ = nodes_ + node_limit;
  for (int s = 0; s < section_count_; ++s) {
    if (total_[Z(s)] > capacity_) return Verdict::refuted;
  }
  Step step = enter(0, section_count_ - 1);
  for (;;) {
    switch (step) {
      case Step::solved: return Verdict::found;
      case Step::stopped: return Verdict::out_of_nodes;
      case Step::descend: step = enter(change_.first, change_.last); break;
      case Step::failed:
        if (frames_.empty()) return Verdict::refuted;
        step = retreat();
        break;
    }
  }
}

}  // namespace tarn::planner
