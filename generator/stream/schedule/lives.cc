#include "stream/schedule/lives.h"

#include <algorithm>

namespace tarn::stream {

namespace {

void find_slots(const Net& net, size_t m, Lives& lives) {
  const std::vector<LineLife>& lines = lives.lines[m];
  const auto count = static_cast<int64_t>(lines.size());
  int before = -1;
  bool used = false;
  for (const LineLife& life : lines) {
    if (life.born == kNever) continue;
    used = true;
    if (life.born < before) lives.ascending[m] = false;
    before = life.born;
  }
  if (!used) return;
  if (net.contiguous[m] || !lives.ascending[m]) {
    lives.slots[m] = count;
    return;
  }
  // When line r is born, the lines alive reach back to the first line that dies in this step or later.
  int64_t slots = 1, oldest = 0;
  for (int64_t r = 0; r < count; ++r) {
    const int born = lines[static_cast<size_t>(r)].born;
    if (born == kNever) continue;
    // Ends at line r, which does not die before it is born; what is never made has died before all steps.
    while (lines[static_cast<size_t>(oldest)].last < born) ++oldest;
    slots = std::max(slots, r - oldest + 1);
  }
  const int64_t unit = std::max<int64_t>(1, net.memories[m].unit);
  lives.slots[m] = std::min(count, (slots + unit - 1) / unit * unit);
}

// Bytes alive just before and just after each step, whichever is more: a line that is born in a step may overlap one
// that dies in it.
void find_bound(const Net& net, size_t steps, Lives& lives) {
  std::vector<int64_t> change(steps + 1, 0), single(steps, 0), during(steps, 0);
  const auto end = static_cast<int>(steps);
  for (size_t m = 0; m < net.memories.size(); ++m) {
    if (net.outside[m]) continue;
    const int64_t bytes = net.memories[m].line_bytes;
    const bool scratch =
        net.memories[m].holds == Memory::Holds::scratch || net.memories[m].holds == Memory::Holds::window;
    for (const LineLife& life : lives.lines[m]) {
      if (life.born == kNever) continue;
      if (life.last > life.born) {
        change[static_cast<size_t>(life.born) + 1] += bytes;
        if (life.last < end) change[static_cast<size_t>(life.last) + 1] -= bytes;
      } else if (life.born >= 0) {
        single[static_cast<size_t>(life.born)] += bytes;
        if (scratch) during[static_cast<size_t>(life.born)] += bytes;
      }
    }
  }
  int64_t alive = 0;
  for (size_t s = 0; s < steps; ++s) {
    alive += change[s];
    const int64_t most = std::max(alive + during[s], alive + change[s + 1] + single[s]);
    lives.alive.push_back(most);
    if (most > lives.bound) {
      lives.bound = most;
      lives.bound_step = static_cast<int>(s);
    }
  }
}

}  // namespace

Lives find_lives(const Net& net, const std::vector<Step>& steps) {
  const size_t count = net.memories.size();
  Lives lives;
  lives.lines.resize(count);
  lives.slots.assign(count, 0);
  lives.ascending.assign(count, true);
  for (size_t m = 0; m < count; ++m) {
    lives.lines[m].assign(static_cast<size_t>(net.memories[m].lines), net.given[m] ? LineLife{-1, -1} : LineLife{});
  }
  for (size_t s = 0; s < steps.size(); ++s) {
    const auto now = static_cast<int>(s);
    for_each_touch(net, steps[s], [&](int memory, int64_t line, bool written) {
      LineLife& life = lives.lines[static_cast<size_t>(memory)][static_cast<size_t>(line)];
      if (written) life.born = std::min(life.born, now);
      life.last = std::max(life.last, now);
      ++lives.touches;
    });
  }
  for (size_t m = 0; m < count; ++m) {
    for (LineLife& life : lives.lines[m]) {
      if (net.kept[m] && life.born != kNever) life.last = kNever;
    }
    find_slots(net, m, lives);
  }
  find_bound(net, steps.size(), lives);
  return lives;
}

}  // namespace tarn::stream
