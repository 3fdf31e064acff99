#include "requant/requant.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "requant/thresholds.h"

namespace tarn::requant {

namespace {

using Wide = __int128;

constexpr int kMostPost = 20;
constexpr int64_t kMostWrong = 1 << 14;  // accumulators named by one channel's exceptions
constexpr size_t kMostExceptions = 300;  // of one channel
constexpr int64_t kLargest = (int64_t{1} << 31) - 1;

int64_t high_word(int64_t accumulator, int pre, int64_t m) {
  return static_cast<int64_t>((static_cast<Wide>(accumulator) * (int64_t{1} << pre) * m) >> 32);
}

// Where code k begins, as t sees it.
int64_t begin_of(const Form& form, int64_t k) {
  const bool odd = ((k + form.parity) & 1) != 0;
  return k * (int64_t{1} << form.post) + (odd ? form.tie : 0);
}

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

// The bounds as lines in m, `at_0 - slope * m`; they take 63 bits where accumulators and codes are no larger than those
// of eight-bit layers.
template <class Int>
struct Bounds {
  struct Bound {
    Int at_0 = 0, slope = 0;
  };
  std::vector<Bound> above, below;

  void take(const Form& form, const Thresholds& t) {
    above.clear();
    below.clear();
    const Int scale = Int{1} << form.pre;
    const auto begin = [&](const Corner& at) { return static_cast<Int>(begin_of(form, at.code)) * (Int{1} << 32); };
    for (const Corner& at : t.tight_above)
      above.push_back({begin(at) - 1, static_cast<Int>(at.accumulator - 1) * scale});
    for (const Corner& at : t.tight_below) below.push_back({begin(at), static_cast<Int>(at.accumulator) * scale});
  }

  // The slack at m, and at m + 1 less that at m. A side without bounds counts for nothing.
  std::pair<Wide, Wide> at(int64_t m) const {
    constexpr Int kNone = std::is_same_v<Int, int64_t> ? static_cast<Int>(INT64_MAX) : static_cast<Int>(Wide{1} << 100);
    Int high = kNone, next_high = kNone, low = -kNone, next_low = -kNone;
    for (const Bound& b : above) {
      const Int here = b.at_0 - b.slope * static_cast<Int>(m), next = here - b.slope;
      if (here < high) high = here;
      if (next < next_high) next_high = next;
    }
    for (const Bound& b : below) {
      const Int here = b.at_0 - b.slope * static_cast<Int>(m), next = here - b.slope;
      if (here > low) low = here;
      if (next > next_low) next_low = next;
    }
    const Wide slack = static_cast<Wide>(high) - low;
    return {slack, static_cast<Wide>(next_high) - next_low - slack};
  }
};

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

struct Line {
  int64_t m = 0, c = 0;
  bool exact = false;  // each code begins where it should
};

std::optional<Line> best_line(const Form& form, const Thresholds& t, int64_t about, Bounds<int64_t>& scratch) {
  const int64_t half = int64_t{1} << (form.post - 1);
  // One code everywhere needs no slope, and has bounds on one side at most.
  if (t.constant) return Line{0, static_cast<int64_t>(t.first_code) * (int64_t{1} << form.post) + half, true};
  const int64_t m = best_multiplier(form, t, about, scratch);
  const Slack slack = slack_for(form, t, m);
  // The constants that fit are whole words; without any, the errors are spread to both sides.
  const auto first = static_cast<int64_t>((slack.low + ((Wide{1} << 32) - 1)) >> 32),
             last = static_cast<int64_t>(slack.high >> 32);
  const int64_t c = first + (last - first) / 2;
  if (std::abs(c) > (int64_t{1} << 30)) return {};
  return Line{m, c, first <= last};
}

// The least accumulator whose t reaches `begin`, near `guess`; within [first, last + 1].
int64_t reaches(const Form& form, const Line& line, int64_t begin, int64_t guess, int64_t first, int64_t last) {
  auto below = [&](int64_t a) { return line.c + high_word(a, form.pre, line.m) < begin; };
  return first_not(below, guess, first, last + 1);
}

struct Outcome {
  std::vector<Exception> exceptions;
  int64_t farthest = 0;  // from its step, of t at an exceptional accumulator
};

// Compares where each code begins on the line and in truth; see note [corrected line].
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

// Sets pre and post as large as the products allow. False: the codes rise too steeply for a fraction.
bool choose_shifts(Form& form, const std::vector<Thresholds>& all) {
  int64_t largest = 1;
  double slope = 0;
  for (const Thresholds& t : all) {
    largest = std::max({largest, std::abs(t.first), std::abs(t.last)});
    slope = std::max(slope, t.slope);
  }
  form.pre = 0;
  while (form.pre < 24 && (largest << (form.pre + 1)) <= kLargest) ++form.pre;
  if (largest > kLargest) return false;
  form.post = kMostPost;
  // m = slope * 2^(32 + post - pre) has 31 bits; a little is kept back for the search.
  while (form.post > 0 && slope * std::ldexp(1.0, 32 + form.post - form.pre) > 0.97 * std::ldexp(1.0, 31)) --form.post;
  return form.post >= 1;
}

// Nothing also where `too_many` exceptions are reached. `multipliers`: of an earlier fit, from which these are not far;
// receives these.
std::optional<Form> fit_with(Form form, const std::vector<Thresholds>& all, std::vector<int64_t>& multipliers,
                             size_t too_many = SIZE_MAX) {
  int64_t farthest = form.tie;
  size_t exceptions = 0;
  std::vector<Line> lines;
  lines.reserve(all.size());
  form.channels.reserve(all.size());
  Bounds<int64_t> scratch;
  for (const Thresholds& t : all) {
    int64_t& multiplier = multipliers[lines.size()];
    const std::optional<Line> line = best_line(form, t, multiplier, scratch);
    if (!line) return {};
    multiplier = line->m;
    std::optional<Outcome> outcome = compare(form, *line, t);
    if (!outcome || (exceptions += outcome->exceptions.size()) >= too_many) return {};
    farthest = std::max(farthest, outcome->farthest);
    form.channels.push_back({0, 0, std::move(outcome->exceptions)});
    lines.push_back(*line);
  }
  if (farthest > 0) {
    int bits = 0;
    while ((int64_t{1} << bits) < farthest && bits < form.post - 1) ++bits;
    // Wider than half a step: every value is looked at.
    const bool everywhere = (int64_t{1} << bits) < farthest;
    form.half_zone = everywhere ? 0 : 1 << bits;
    form.mask = everywhere ? 0 : (1 << form.post) - (2 << bits);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    Channel& channel = form.channels[i];
    channel.m = static_cast<int32_t>(all[i].falling ? -lines[i].m : lines[i].m);
    channel.c = static_cast<int32_t>(lines[i].c) + form.half_zone;
    if (!all[i].falling) continue;
    for (Exception& e : channel.exceptions) e.first = -(e.first + e.count - 1);
    std::reverse(channel.exceptions.begin(), channel.exceptions.end());
  }
  return form;
}

}  // namespace

size_t Form::exceptions() const {
  size_t count = 0;
  for (const Channel& channel : channels) count += channel.exceptions.size();
  return count;
}

size_t Form::exact_channels() const {
  size_t count = 0;
  for (const Channel& channel : channels) count += channel.exceptions.empty();
  return count;
}

std::optional<Form> fit(const std::vector<Steps>& channels, int32_t parity) {
  std::vector<Thresholds> all;
  all.reserve(channels.size());
  Form form;
  form.parity = parity;
  form.lo = INT32_MAX;
  form.hi = INT32_MIN;
  for (const Steps& steps : channels) {
    if (steps.first > steps.last) return {};
    for (int64_t end : {steps.first, steps.last}) {
      form.lo = std::min(form.lo, steps.value(end));
      form.hi = std::max(form.hi, steps.value(end));
    }
  }
  for (const Steps& steps : channels) {
    std::optional<Thresholds> t = find_thresholds(steps, form.lo, form.hi);
    if (!t) return {};
    all.push_back(std::move(*t));
  }
  if (!choose_shifts(form, all)) return {};
  std::optional<Form> best;
  for (; form.post >= 1; --form.post) {
    std::vector<int64_t> multipliers(all.size());
    best = fit_with(form, all, multipliers);
    if (best && best->exceptions() == 0) return best;
    // Ties: a scale that is a power of two, or nearly, puts many accumulators just on a step.
    double slope = 1e300;
    for (const Thresholds& t : all) {
      if (t.slope > 0) slope = std::min(slope, t.slope);
    }
    const double step = slope * std::ldexp(1.0, form.post);
    if (slope < 1e300 && step >= 2) {
      for (double tie : {std::floor(step / 2), 1.0, 2.0, 4.0}) {
        if (tie < 1 || tie > std::floor(step / 2)) continue;
        Form tied = form;
        tied.tie = static_cast<int32_t>(std::min(tie, std::ldexp(1.0, form.post - 1)));
        std::optional<Form> other = fit_with(tied, all, multipliers, best ? best->exceptions() : SIZE_MAX);
        if (other) best = std::move(other);
        if (best && best->exceptions() == 0) return best;
      }
    }
    // A constant that is too large, or too many exceptions: a smaller fraction seldom helps the latter.
    if (best) return best;
  }
  return {};
}

int32_t evaluate(const Form& form, size_t channel, int64_t accumulator) {
  const Channel& c = form.channels[channel];
  int64_t t = c.c + high_word(accumulator, form.pre, c.m);
  auto clamped = [&](int64_t q) { return static_cast<int32_t>(std::clamp<int64_t>(q, form.lo, form.hi)); };
  if ((t & form.mask) != 0) return clamped(t >> form.post);
  t -= form.half_zone;
  for (const Exception& e : c.exceptions) {
    if (accumulator >= e.first && accumulator < e.first + e.count) return e.code;
  }
  const int64_t q = t >> form.post;
  const bool late = ((q + form.parity) & 1) != 0 && (t & ((int64_t{1} << form.post) - 1)) < form.tie;
  return clamped(late ? q - 1 : q);
}

std::vector<int32_t> pack_exceptions(const Form& form) {
  if (form.exceptions() == 0) return {};
  std::vector<int32_t> packed(form.channels.size() + 1);
  for (size_t i = 0; i < form.channels.size(); ++i) {
    packed[i] = static_cast<int32_t>(packed.size());
    for (const Exception& e : form.channels[i].exceptions) {
      packed.push_back(static_cast<int32_t>(e.first));
      packed.push_back(static_cast<int32_t>((e.count << 8) | (e.code & 255)));
    }
  }
  packed[form.channels.size()] = static_cast<int32_t>(packed.size());
  return packed;
}

}  // namespace tarn::requant
