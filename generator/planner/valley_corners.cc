// The corners of valleys: what may sit in one, and which is tried first. See note [valley search] in valley_search.cc.
#include <algorithm>

#include "planner/valley_search.h"

namespace tarn::planner {

// The lowest level at which `section`, an end of the valley first..last, can be used again if nothing sits at its floor
// now. A block that is pushed down rests on something: on a wall it crosses, or on an unplaced block beside the corner.
Offset ValleySearch::waste_level(int first, int last, int section, bool left, Bytes slack) const {
  const Offset floor = floor_[Z(section)], enough = floor + slack;
  const Offset left_top = left_wall(first) ? kNever : floor_[Z(first) - 1];
  const Offset right_top = right_wall(last) ? kNever : floor_[Z(last) + 1];
  Offset level = left ? left_top : right_top;
  int reach = section;
  for (int i : left ? starting_[Z(section)] : ending_[Z(section)]) {
    if (placed_[Z(i)]) continue;
    const StripBlock& b = strip_.blocks[Z(i)];
    if (left) {
      if (b.last > last) level = std::min(level, right_top);
      else reach = std::max(reach, b.last);
    } else {
      if (b.first < first) level = std::min(level, left_top);
      else reach = std::min(reach, b.first);
    }
  }
  const int step = left ? 1 : -1;
  for (int s = section; s != reach;) {
    s += step;
    for (int i : left ? starting_[Z(s)] : ending_[Z(s)]) {
      if (placed_[Z(i)]) continue;
      const StripBlock& b = strip_.blocks[Z(i)];
      const bool leaves = left ? b.last > last : b.first < first;
      level = std::min(level, (leaves ? (left ? right_top : left_top) : floor) + b.size);
    }
  }
  return level <= enough ? level : kNever;
}

void ValleySearch::evaluate(Corner& corner, Cached& cached) {
  const size_t s = Z(corner.section);
  const Offset floor = floor_[s];
  int count = 0;
  int seen[64];
  for (int i : corner.left ? starting_[s] : ending_[s]) {
    if (placed_[Z(i)]) continue;
    const StripBlock& b = strip_.blocks[Z(i)];
    if (b.first < corner.first || b.last > corner.last || floor > b.max_offset) continue;
    bool alike = false;
    for (int k = 0; k < std::min(count, 64) && !alike; ++k) {
      const StripBlock& c = strip_.blocks[Z(seen[k])];
      alike = c.size == b.size && c.first == b.first && c.last == b.last && c.max_offset == b.max_offset;
    }
    if (alike) continue;
    if (count < 64) seen[count] = i;
    ++count;
  }
  const Bytes slack = capacity_ - floor - rest_[s];
  corner.candidates = count;
  corner.level = slack > 0 ? waste_level(corner.first, corner.last, corner.section, corner.left, slack) : kNever;
  cached = {corner.first, corner.last, corner.candidates, corner.level, time_};
}

// The next valley from section s on, which then is the one behind it. False: there is none.
bool ValleySearch::next_valley(int& s, Valley& valley) const {
  while (s < section_count_) {
    if (unplaced_[Z(s)] == 0) {
      ++s;
      continue;
    }
    const int first = s;
    const Offset floor = floor_[Z(s)];
    uint64_t newest = changed_[Z(s)];
    while (crossing_[Z(s) + 1] > 0 && floor_[Z(s) + 1] == floor) {
      ++s;
      newest = std::max(newest, changed_[Z(s)]);
    }
    const int last = s++;
    const bool left_closed = left_wall(first), right_closed = right_wall(last);
    if (!left_closed && floor_[Z(first) - 1] < floor) continue;
    if (!right_closed && floor_[Z(last) + 1] < floor) continue;
    if (first > 0) newest = std::max(newest, changed_[Z(first) - 1]);
    if (last + 1 < section_count_) newest = std::max(newest, changed_[Z(last) + 1]);
    valley = {first, last, floor, {left_closed ? first : first - 1, right_closed ? last : last + 1}, newest};
    return true;
  }
  return false;
}

// Branches, and what the configuration prefers between corners with equally many.
double ValleySearch::score_of(const Corner& corner, Offset floor) const {
  double score = corner.candidates + (corner.level < kNever ? config_.waste_weight : 0);
  const double c = static_cast<double>(capacity_);
  switch (config_.tie) {
    case SearchConfig::Tie::lowest: score += config_.height_weight * static_cast<double>(floor) / c; break;
    case SearchConfig::Tie::tightest: {
      const Bytes slack = capacity_ - floor - rest_[Z(corner.section)];
      score += 1e-3 * static_cast<double>(slack) / c;
      break;
    }
    case SearchConfig::Tie::nearest: score += 1e-4 * std::abs(corner.section - near_section_) / section_count_; break;
    case SearchConfig::Tie::widest: score -= 1e-4 * (corner.last - corner.first) / section_count_; break;
  }
  return score + section_noise_[corner.left ? 0 : 1][Z(corner.section)];
}

// Raises every corner at which nothing can sit, and finds the corner with the fewest branches. False: a dead end, with
// failure_ set.
bool ValleySearch::settle_forced(Corner& best) {
  for (bool again = true; again;) {
    again = false;
    double best_score = 1e300;
    Valley valley{};
    for (int s = 0; !again && next_valley(s, valley);) {
      for (int side = 0; side < 2 && !again; ++side) {
        Corner corner{valley.first, valley.last, side == 0 ? valley.first : valley.last, side == 0, 0, 0};
        Cached& cached = cache_[side][Z(corner.section)];
        if (cached.first == valley.first && cached.last == valley.last && cached.time >= valley.newest) {
          corner.candidates = cached.candidates;
          corner.level = cached.level;
        } else {
          evaluate(corner, cached);
        }
        if (corner.candidates == 0) {
          if (corner.level == kNever) {
            failure_ = valley.around;
            return false;
          }
          raises_.push_back({corner.section, valley.floor, valley.around});
          raise(corner.section, corner.level);
          ++use_.raises;
          again = true;
          continue;
        }
        const double score = score_of(corner, valley.floor);
        if (score < best_score) {
          best_score = score;
          best = corner;
        }
      }
    }
  }
  return true;
}

// Appends the choices at a corner to choices_, most promising first.
void ValleySearch::collect(const Corner& corner) {
  const size_t begin = choices_.size(), s = Z(corner.section);
  const Offset floor = floor_[s];
  for (int i : corner.left ? starting_[s] : ending_[s]) {
    if (placed_[Z(i)]) continue;
    const StripBlock& b = strip_.blocks[Z(i)];
    if (b.first < corner.first || b.last > corner.last || floor > b.max_offset) continue;
    bool alike = false;
    for (size_t k = begin; config_.skip_alike && k < choices_.size() && !alike; ++k) {
      const StripBlock& c = strip_.blocks[Z(choices_[k])];
      alike = c.size == b.size && c.first == b.first && c.last == b.last && c.max_offset == b.max_offset;
    }
    if (!alike) choices_.push_back(i);
    use_.alike += alike;
  }
  const Offset left_top = left_wall(corner.first) ? -1 : floor_[Z(corner.first) - 1];
  const Offset right_top = right_wall(corner.last) ? -1 : floor_[Z(corner.last) + 1];
  const bool as_before = config_.as_before && !best_.empty();
  const auto fit = [&](int i) {
    const StripBlock& b = strip_.blocks[Z(i)];
    const Offset top = floor + b.size;
    const bool at_left = b.first == corner.first, at_right = b.last == corner.last;
    int value = 0;
    if (config_.prefer_full_width) value += at_left && at_right;
    if (config_.prefer_level) value += 2 * ((at_left && top == left_top) + (at_right && top == right_top));
    if (config_.avoid_overtopping) {
      value -= (at_left && left_top >= 0 && top > left_top) + (at_right && right_top >= 0 && top > right_top);
    }
    if (as_before && best_[Z(i)] == floor) value += 16;  // above all else
    return value;
  };
  // The lists are in rank order already, so a stable order by fit alone is total.
  std::stable_sort(choices_.begin() + static_cast<std::ptrdiff_t>(begin), choices_.end(),
                   [&](int x, int y) { return fit(x) > fit(y); });
  if (corner.level < kNever) {
    choices_.push_back(kWaste);
  }
}

}  // namespace tarn::planner
