#include "stream/schedule/looped_schedule.h"

#include <algorithm>

namespace tarn::stream {

namespace {

constexpr int64_t kWordBytes = 3;
constexpr int64_t kMostTimes = 65535;
constexpr size_t kLongestBody = 255;
constexpr size_t kPairsCompared = 16'000'000;  // pairs of steps; bounds the length of a loop's body for long lists

// Dynamic programming from the last step back. The list for the steps from i on is the shortest that begins either with
// one step in a loop that is run once, or with a loop whose body has some period and is run as often as the steps
// repeat; to stop earlier, for another loop that takes the rest in, could spare a few bytes and is not tried.
struct SplitChoice {
  int64_t bytes = 0;   // of the list from here on
  int64_t single = 0;  // of the rest of a loop that is run once and goes on here
  size_t period = 0;   // 0: a loop that is run once
  int64_t times = 0;
  bool goes_on = false;  // the single loop takes the next step in
};

std::vector<SplitChoice> choose_splits(const std::vector<int>& actors) {
  const size_t count = actors.size();
  const size_t most = std::min(kLongestBody, std::max<size_t>(1, kPairsCompared / std::max<size_t>(1, count)));
  std::vector<SplitChoice> choices(count + 1);
  std::vector<int64_t> alike(most + 1, 0);  // by period: how many steps from here on equal the one a period later
  for (size_t i = count; i-- > 0;) {
    SplitChoice& c = choices[i];
    c.goes_on = choices[i + 1].single < choices[i + 1].bytes;
    c.single = 1 + (c.goes_on ? choices[i + 1].single : choices[i + 1].bytes);
    c.bytes = kWordBytes + c.single;
    for (size_t p = 1; p <= most && i + p < count; ++p) {
      alike[p] = actors[i] == actors[i + p] ? alike[p] + 1 : 0;
      const int64_t times = std::min(kMostTimes, alike[p] / static_cast<int64_t>(p) + 1);
      if (times < 2) continue;
      const int64_t bytes = kWordBytes + static_cast<int64_t>(p) + choices[i + p * static_cast<size_t>(times)].bytes;
      if (bytes < c.bytes) {
        c.bytes = bytes;
        c.period = p;
        c.times = times;
      }
    }
  }
  return choices;
}

}  // namespace

std::vector<ScheduleLoop> find_schedule_loops(const std::vector<Step>& steps) {
  std::vector<int> actors;
  for (const Step& step : steps) actors.push_back(step.actor);
  const std::vector<SplitChoice> choices = choose_splits(actors);
  std::vector<ScheduleLoop> loops;
  for (size_t i = 0; i < actors.size();) {
    ScheduleLoop loop;
    if (choices[i].period > 0) {
      const size_t p = choices[i].period;
      loop.actors.assign(actors.begin() + static_cast<std::ptrdiff_t>(i),
                         actors.begin() + static_cast<std::ptrdiff_t>(i + p));
      loop.times = choices[i].times;
      i += p * static_cast<size_t>(loop.times);
    } else {
      bool goes_on = true;
      while (goes_on && loop.actors.size() < kLongestBody) {
        loop.actors.push_back(actors[i]);
        goes_on = choices[i++].goes_on;
      }
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace tarn::stream
