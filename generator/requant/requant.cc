#include "requant/requant.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "requant/floats.h"
#include "requant/lines.h"

namespace tarn::requant {

namespace {

constexpr int kMostPost = 20;
// Channels for which short factors save more than the code takes that reads them and looks closer.
constexpr size_t kFewestOfFactors = 24;

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

// All channels as one, for the line that suits all of them. Nothing: some fall.
std::optional<Thresholds> joined(const std::vector<Thresholds>& all) {
  Thresholds of;
  of.first = INT64_MAX;
  of.last = INT64_MIN;
  for (const Thresholds& t : all) {
    if (t.falling) return {};
    of.first = std::min(of.first, t.first);
    of.last = std::max(of.last, t.last);
    of.most_code = std::max(of.most_code, t.most_code);
    if (t.constant) continue;
    of.constant = false;
    of.slope = std::max(of.slope, t.slope);
    of.tight_above.insert(of.tight_above.end(), t.tight_above.begin(), t.tight_above.end());
    of.tight_below.insert(of.tight_below.end(), t.tight_below.begin(), t.tight_below.end());
  }
  if (of.constant) return {};
  return of;
}

// A line that is not a channel's own says all of its one code, where it has no more; others are compared.
bool suits(const Form& form, const Line& line, const Thresholds& t) {
  if (!t.constant) return true;
  const int64_t low = begin_of(form, t.first_code), high = begin_of(form, int64_t{t.first_code} + 1);
  const int64_t first = line.c + high_word(t.first, form.pre, line.m),
                last = line.c + high_word(t.last, form.pre, line.m);
  return (first >= low || t.first_code == form.lo) && (last < high || t.first_code == form.hi);
}

// Nothing also where `too_many` exceptions are reached. `multipliers`: of an earlier fit, from which these are not far;
// receives these. `shared`: the line of all channels, in place of the best of each.
std::optional<Form> fit_with(Form form, const std::vector<Thresholds>& all, std::vector<int64_t>& multipliers,
                             size_t too_many = SIZE_MAX, const Line* shared = nullptr) {
  int64_t farthest = form.tie;
  size_t exceptions = 0;
  std::vector<Line> lines;
  lines.reserve(all.size());
  form.channels.reserve(all.size());
  Bounds<int64_t> scratch;
  for (const Thresholds& t : all) {
    int64_t& multiplier = multipliers[lines.size()];
    const std::optional<Line> line = shared ? *shared : best_line(form, t, multiplier, scratch);
    if (!line || (shared && !suits(form, *shared, t))) return {};
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

// A line, with the tie rule and lists where it needs them. With a limit of exceptions: nothing where the largest
// fraction needs more.
std::optional<Form> fit_listed(Form form, const std::vector<Thresholds>& all, size_t too_many = SIZE_MAX) {
  std::optional<Form> best;
  for (; form.post >= 1; --form.post) {
    std::vector<int64_t> multipliers(all.size());
    best = fit_with(form, all, multipliers, too_many);
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
        std::optional<Form> other = fit_with(tied, all, multipliers, best ? best->exceptions() : too_many);
        if (other) best = std::move(other);
        if (best && best->exceptions() == 0) return best;
      }
    }
    // A constant that is too large, or too many exceptions: a smaller fraction seldom helps the latter.
    if (best || too_many < SIZE_MAX) return best;
  }
  return {};
}

// Lists of one exception more take over `most_listed` bytes.
size_t most_exceptions(size_t channels, size_t most_listed) {
  const size_t numbers = most_listed / sizeof(int32_t);
  return numbers > channels + 1 ? (numbers - channels - 1) / 2 : 0;
}

bool has_one_scale(const Floats& floats) {
  return std::all_of(floats.scales.begin(), floats.scales.end(), [&](float s) { return s == floats.scales.front(); });
}

// The same form with one multiplier and one constant for all channels, where that costs nothing: layers with one scale
// then need store them once. Else as it is.
Form share_line(Form form, const std::vector<Thresholds>& all) {
  const std::optional<Thresholds> one = joined(all);
  if (!one || all.size() < 2 || form.unit != 0) return form;
  Form plain = form;
  plain.channels.clear();
  plain.half_zone = 0;
  plain.mask = -1;
  Bounds<int64_t> scratch;
  std::optional<Line> line = best_line(plain, *one, 0, scratch);
  if (!line) return form;
  // It is exact where all channels' corners are kept; else each is looked at.
  std::vector<int64_t> multipliers(all.size());
  std::optional<Form> shared = fit_with(plain, all, multipliers, form.exceptions() + 1, &*line);
  const auto looks = [](const Form& f) { return f.mask == -1 ? -1 : f.mask == 0 ? INT32_MAX : f.half_zone; };
  if (!shared || looks(*shared) > looks(form)) return form;
  return std::move(*shared);
}

// The multipliers for which a line with this constant is right everywhere: from the first to the last, if any.
struct Multipliers {
  Wide first = 1, last = kLargest;
  // number <= m * factor
  void at_least(Wide number, Wide factor) {
    if (factor > 0) first = std::max(first, number > 0 ? (number + factor - 1) / factor : -(-number / factor));
    if (factor < 0) last = std::min(last, number > 0 ? -((number - factor - 1) / -factor) : -number / -factor);
    if (factor == 0 && number > 0) last = -1;
  }
};

Multipliers multipliers_for(const Form& form, const Thresholds& t, int64_t c) {
  Multipliers of;
  const Wide scale = Wide{1} << form.pre, whole = Wide{1} << 32;
  // Code k begins at accumulator x: begin(k) <= c + x * m, and c + (x - 1) * m < begin(k), in words.
  for (const Corner& at : t.tight_below)
    of.at_least((static_cast<Wide>(begin_of(form, at.code)) - c) * whole, at.accumulator * scale);
  for (const Corner& at : t.tight_above)
    of.at_least((static_cast<Wide>(c) - begin_of(form, at.code)) * whole + 1, -(at.accumulator - 1) * scale);
  return of;
}

// The same form with one constant for all channels, whose multipliers differ, where all lines are exact with it. Else
// as it is.
Form share_constant(Form form, const std::vector<Thresholds>& all) {
  if (all.size() < 2 || form.unit != 0 || form.exceptions() > 0) return form;
  std::vector<int32_t> constants;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].falling) return form;
    if (!all[i].constant) constants.push_back(form.channels[i].c);
  }
  if (constants.empty()) return form;
  std::nth_element(constants.begin(), constants.begin() + static_cast<std::ptrdiff_t>(constants.size() / 2),
                   constants.end());
  const int64_t middle = constants[constants.size() / 2] - form.half_zone;
  const int64_t code = middle >> form.post, half = int64_t{1} << (form.post - 1);
  for (const int64_t c : {code * 2 * half + half, middle}) {
    std::vector<int32_t> found;
    for (const Thresholds& t : all) {
      const Multipliers of = multipliers_for(form, t, c);
      if (of.first > of.last) break;
      const auto m = static_cast<int64_t>(of.first + (of.last - of.first) / 2);
      if (!suits(form, Line{m, c, true}, t)) break;
      found.push_back(static_cast<int32_t>(m));
    }
    if (found.size() != all.size()) continue;
    for (size_t i = 0; i < found.size(); ++i) {
      form.channels[i].m = found[i];
      form.channels[i].c = static_cast<int32_t>(c) + form.half_zone;
    }
    return form;
  }
  return form;
}

bool has_one_line(const Form& form) {
  return std::all_of(form.channels.begin(), form.channels.end(), [&](const Channel& channel) {
    return channel.m == form.channels[0].m && channel.c == form.channels[0].c;
  });
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

std::optional<Form> fit(const std::vector<Steps>& channels, int32_t parity, const Floats* floats, size_t most_listed) {
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
  // Where a list would be too long it is looked for only if floats do not replay the layer. Lines of different scales
  // are not one.
  std::optional<Form> listed;
  if (floats && !has_one_scale(*floats)) {
    listed = fit_listed(form, all, most_exceptions(all.size(), most_listed) + 1);
    if (!listed) {
      if (all.size() >= kFewestOfFactors) {
        if (std::optional<Form> shared = fit_factors(form, all, *floats)) return shared;
      }
      if (std::optional<Form> replayed = fit_floats(form, all, *floats)) return replayed;
    }
  }
  if (!listed) listed = fit_listed(form, all);
  if (listed) listed = share_line(std::move(*listed), all);
  const bool one_line = listed && has_one_line(*listed);
  if (floats && all.size() >= kFewestOfFactors && !one_line) {
    if (std::optional<Form> shared = fit_factors(form, all, *floats)) return shared;
  }
  if (listed && !one_line) listed = share_constant(std::move(*listed), all);
  if (!floats || (listed && pack_exceptions(*listed).size() * sizeof(int32_t) <= most_listed)) return listed;
  std::optional<Form> replayed = fit_floats(form, all, *floats);
  return replayed ? replayed : listed;
}

int32_t evaluate(const Form& form, size_t channel, int64_t accumulator) {
  const Channel& c = form.channels[channel];
  int64_t t = c.c + high_word(accumulator, form.pre, c.m);
  auto clamped = [&](int64_t q) { return static_cast<int32_t>(std::clamp<int64_t>(q, form.lo, form.hi)); };
  if ((t & form.mask) != 0) return clamped(t >> form.post);
  t -= form.half_zone;
  if (form.unit != 0) {
    const int64_t step = (t + (int64_t{1} << form.post) / 2) >> form.post;
    if (step <= form.lo || step > form.hi) return clamped(step);
    return static_cast<int32_t>(code_beside(form, step, accumulator, c.m));
  }
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
