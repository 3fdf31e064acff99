#include "requant/lines.h"

#include <cmath>

namespace tarn::requant {

namespace {

constexpr int64_t kMostWrong = 1 << 14;  // accumulators named by one channel's exceptions
constexpr size_t kMostExceptions = 300;  // of one channel

// note [best line]: code k begins at t exactly when begin(k) - x(t)*m <= c < begin(k) - x(t - 1)*m for all thresholds
// t. For a given m the slack for c is the least upper minus the largest lower bound: concave in m, so it grows up to
// the best m and nowhere after it. Few of the bounds are the tightest one for any m; Thresholds names them.
struct Slack {
  Wide low = 0, high = 0;
};

Slack slack_for(const Form& form, const Thresholds& t, int64_t m) {
  Slack slack{-(Wide{1} << 100), Wide{1} << 100};
  const Wide step = static_cast<Wide>(m) << form.pre;
  const auto begin = [&](const Corner& at) { return static_cast<Wide>(begin_of(form, at.code)) * (Wide{1} << 32); };
  for (const Corner& at : t.tight_above) slack.high = std::min(slack.high, begin(at) - 1 - (at.accumulator - 1) * step);
  for (const Corner& at : t.tight_below) slack.low = std::max(slack.low, begin(at) - at.accumulator * step);
  return slack;
}

// The least m in [1, kLargest] from which on the slack does not grow. It is looked for around `guess`; where the
// tangents at both ends of what is left meet is the next to look at, and every other time the middle.
template <class Int>
int64_t best_multiplier(const Bounds<Int>& bounds, int64_t guess) {
  struct End {
    int64_t m = 0;
    Wide slack = 0, slope = 0;
  };
  auto look = [&](int64_t m) {
    const auto [slack, slope] = bounds.at(m);
    return End{m, slack, slope};
  };
  End low = look(std::clamp<int64_t>(guess, 1, kLargest - 1)), high = low;
  const int64_t near = std::max<int64_t>(16, guess >> 16);
  for (int64_t reach = near; low.slope > 0 && high.slope > 0; reach *= 16) {
    if (high.m == kLargest - 1) return kLargest;
    low = high;
    high = look(std::min(kLargest - 1, low.m + reach));
  }
  for (int64_t reach = near; low.slope <= 0; reach *= 16) {
    if (low.m == 1) return 1;
    high = low;
    low = look(std::max<int64_t>(1, high.m - reach));
  }
  for (bool middle = false; high.m - low.m > 1; middle = !middle) {
    int64_t m = low.m + (high.m - low.m) / 2;
    if (!middle) {
      const Wide meet = (high.slack - low.slack + low.m * low.slope - high.m * high.slope) / (low.slope - high.slope);
      m = static_cast<int64_t>(std::clamp<Wide>(meet, low.m + 1, high.m - 1));
    }
    const End at = look(m);
    (at.slope > 0 ? low : high) = at;
  }
  return high.m;
}

// `about`: near it, or 0.
int64_t best_multiplier(const Form& form, const Thresholds& t, int64_t about, Bounds<int64_t>& scratch) {
  const int64_t largest = std::max(std::abs(t.first), std::abs(t.last)) + 1;
  const int64_t code = int64_t{t.most_code} + 1;
  const bool small = largest <= kLargest >> form.pre && code <= kLargest >> (form.post + 2);
  const double along = std::min(t.slope * std::ldexp(1.0, 32 + form.post - form.pre), static_cast<double>(kLargest));
  const int64_t guess = about > 0 ? about : static_cast<int64_t>(along);
  if (small) {
    scratch.take(form, t);
    return best_multiplier(scratch, guess);
  }
  Bounds<Wide> wide;
  wide.take(form, t);
  return best_multiplier(wide, guess);
}

}  // namespace

Line constant_line(const Form& form, const Thresholds& t) {
  const int64_t half = int64_t{1} << (form.post - 1);
  return Line{0, static_cast<int64_t>(t.first_code) * (int64_t{1} << form.post) + half, true};
}

std::optional<Line> line_of(const Form& form, const Thresholds& t, int64_t m) {
  const Slack slack = slack_for(form, t, m);
  // The constants that fit are whole words; without any, the errors are spread to both sides.
  const auto first = static_cast<int64_t>((slack.low + ((Wide{1} << 32) - 1)) >> 32),
             last = static_cast<int64_t>(slack.high >> 32);
  const int64_t c = first + (last - first) / 2;
  if (std::abs(c) > (int64_t{1} << 30)) return {};
  return Line{m, c, first <= last};
}

std::optional<Line> best_line(const Form& form, const Thresholds& t, int64_t about, Bounds<int64_t>& scratch) {
  if (t.constant) return constant_line(form, t);
  return line_of(form, t, best_multiplier(form, t, about, scratch));
}

int64_t reaches(const Form& form, const Line& line, int64_t begin, int64_t guess, int64_t first, int64_t last) {
  auto below = [&](int64_t a) { return line.c + high_word(a, form.pre, line.m) < begin; };
  return first_not(below, guess, first, last + 1);
}

std::optional<Outcome> compare(const Form& form, const Line& line, const Thresholds& t) {
  Outcome outcome;
  if (line.exact) return outcome;
  std::vector<std::pair<int64_t, int64_t>> wrong;
  int64_t total = 0;
  // choose_shifts() leaves 31 bits to either factor.
  const int64_t step = line.m * (int64_t{1} << form.pre);
  for (size_t i = 0; i < t.begins.size(); ++i) {
    const int64_t begin = begin_of(form, t.least_code + static_cast<int64_t>(i));
    const int64_t truth = t.begins[i], product = truth * step;
    if (line.c + (product >> 32) >= begin && line.c + ((product - step) >> 32) < begin) continue;
    const Threshold at = t.at(i);
    const int64_t made = reaches(form, line, begin, truth, t.first, t.last);
    if (made == truth) continue;
    if (!at.from_below && made < truth) continue;  // below the first reachable one
    if (!at.from_above && made > truth) continue;
    const int64_t a = std::min(made, truth), b = std::max(made, truth);
    total += b - a;
    if (total > kMostWrong) return {};
    wrong.push_back({a, b});
    const int64_t level = static_cast<int64_t>(at.code) * (int64_t{1} << form.post);
    for (int64_t edge : {a, b - 1}) {
      const int64_t distance = line.c + high_word(edge, form.pre, line.m) - level;
      outcome.farthest = std::max(outcome.farthest, distance < 0 ? -distance : distance + 1);
    }
  }
  std::sort(wrong.begin(), wrong.end());
  int64_t done = t.first;
  for (auto [a, b] : wrong) {
    for (int64_t x = std::max(a, done); x < b;) {
      const auto [code, end] = t.code_at(x);
      const int64_t count = std::min(b, end) - x;
      std::vector<Exception>& list = outcome.exceptions;
      if (!list.empty() && list.back().code == code && list.back().first + list.back().count == x)
        list.back().count += count;
      else list.push_back({x, count, code});
      x += count;
    }
    done = std::max(done, b);
  }
  if (outcome.exceptions.size() > kMostExceptions) return {};
  return outcome;
}

}  // namespace tarn::requant
