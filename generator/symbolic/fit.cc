// A function whose step over m points is the same everywhere is linear but for what depends on N mod m. Its step over
// one point then repeats with period m, and a term floor((N + k)/m) adds one at one of the m places: so each such
// function is e*N + sum of a_k*floor((N + k)/m) + c, exactly. Sizes rounded up to the alignment and strides of windows
// make functions of this kind. Where there are products of two sizes, q*N*N (or its half) is taken off first.
#include "symbolic/fit.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "support/text.h"

namespace tarn::symbolic {

namespace {

constexpr int64_t kLargestValue = int64_t{1} << 58;    // four of them can be added
constexpr int64_t kLargestSquared = int64_t{1} << 20;  // N where N*N is looked for

struct Form {
  int64_t period = 1;
  int64_t square = 0;  // halves: square/2 * N*(N - 1), a whole number for every N
  int64_t slope = 0;
  std::vector<std::pair<int64_t, int64_t>> quotients;  // factor, k: factor * floor((N + k)/period)
  int64_t constant = 0;
};

// By 128 bits: what a formula of points nearby gives further away need not be small.
__extension__ using Wide = __int128;

Wide value_at(const Form& form, int64_t n) {
  const Wide wide = n;
  Wide value = wide * (wide - 1) / 2 * form.square + wide * form.slope + form.constant;
  for (const auto& [factor, k] : form.quotients) value += Wide{factor} * ((n + k) / form.period);
  return value;
}

// The form that the 2m + 1 (with squares: 3m + 1) values from `first` on determine, if there are as many.
std::optional<Form> form_of(const std::vector<int64_t>& values, int64_t from, size_t first, int64_t period,
                            bool squares) {
  const auto m = static_cast<size_t>(period);
  if (first + (squares ? 3 : 2) * m + 1 > values.size()) return {};
  const int64_t n0 = from + static_cast<int64_t>(first);
  Form form;
  form.period = period;
  if (squares) {
    if (n0 > kLargestSquared) return {};
    const int64_t second = values[first + 2 * m] - 2 * values[first + m] + values[first];
    if (second == 0 || second % (period * period) != 0) return {};
    form.square = second / (period * period);
  }
  const auto rest = [&](size_t i) {
    return Wide{values[first + i]} - value_at({.square = form.square}, n0 + static_cast<int64_t>(i));
  };
  std::vector<int64_t> steps;  // by (N + 1) mod m: of the step to N + 1
  steps.resize(m);
  for (size_t i = 0; i < m; ++i) {
    const Wide step = rest(i + 1) - rest(i);
    if (step > kLargestValue || step < -kLargestValue) return {};
    steps[static_cast<size_t>((n0 + static_cast<int64_t>(i) + 1) % period)] = static_cast<int64_t>(step);
  }
  // The commonest step is the slope, of equally common ones the least.
  std::vector<int64_t> sorted = steps;
  std::sort(sorted.begin(), sorted.end());
  std::ptrdiff_t most = 0;
  for (const int64_t step : sorted) {
    const std::ptrdiff_t times = std::count(sorted.begin(), sorted.end(), step);
    if (times <= most) continue;
    most = times;
    form.slope = step;
  }
  for (size_t r = 0; r < m; ++r) {
    const auto residue = static_cast<int64_t>(r);
    if (steps[r] != form.slope) form.quotients.emplace_back(steps[r] - form.slope, (period - residue) % period);
  }
  const Wide constant = Wide{values[first]} - value_at(form, n0);
  if (constant > kLargestValue || constant < -kLargestValue) return {};
  form.constant = static_cast<int64_t>(constant);
  return form;
}

// The values from `first` on that the form gives.
size_t length_of(const Form& form, const std::vector<int64_t>& values, int64_t from, size_t first) {
  size_t i = first;
  while (i < values.size() && value_at(form, from + static_cast<int64_t>(i)) == values[i]) ++i;
  return i - first;
}

void add_term(std::string& text, int64_t factor, const std::string& what, const char* times = "*") {
  if (factor == 0) return;
  text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
  const int64_t size = factor < 0 ? -factor : factor;
  if (what.empty()) text += std::to_string(size);
  else text += size == 1 ? what : cat(size, times, what);
}

std::string expression_of(const Form& form, const std::string& name) {
  std::string text;
  // square/2 * N*(N - 1)
  if (form.square % 2 == 0) add_term(text, form.square / 2, cat(name, "*", name));
  else add_term(text, form.square, cat("floor(", name, "*(", name, " - 1)/2)"));
  add_term(text, form.square % 2 == 0 ? form.slope - form.square / 2 : form.slope, name);
  for (const auto& [factor, k] : form.quotients) {
    if (k == form.period - 1) add_term(text, factor, cat("ceil(", name, "/", form.period, ")"));
    else if (k == 0) add_term(text, factor, cat("floor(", name, "/", form.period, ")"));
    else add_term(text, factor, cat("floor((", name, " + ", k, ")/", form.period, ")"));
  }
  add_term(text, form.constant, "");
  return text.empty() ? "0" : text;
}

struct Found {
  int64_t from = 0, to = 0;
  Form form;
};

std::vector<Found> fit_forms(int64_t from, const std::vector<int64_t>& values) {
  std::vector<Found> pieces;
  const bool small = std::all_of(values.begin(), values.end(), [](int64_t v) { return v >= 0 && v < kLargestValue; });
  for (size_t first = 0; first < values.size();) {
    Form best{.constant = values[first]};
    size_t length = 1;
    const auto offer = [&](const std::optional<Form>& form) {
      if (!form) return;
      const size_t reached = length_of(*form, values, from, first);
      // A longer form needs to explain more than the points that it was made from.
      const size_t needed = static_cast<size_t>((form->square != 0 ? 3 : 2) * form->period) + 1;
      if (reached < needed || reached <= length) return;
      best = *form;
      length = reached;
    };
    if (small) {
      for (const bool squares : {false, true}) {
        for (const int64_t period : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 32})
          offer(form_of(values, from, first, period, squares));
      }
    }
    const int64_t start = from + static_cast<int64_t>(first);
    pieces.push_back({start, start + static_cast<int64_t>(length) - 1, best});
    first += length;
  }
  return pieces;
}

}  // namespace

std::string shown(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
  return plain && !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 ? name : "'" + name + "'";
}

std::vector<Piece> fit(const std::string& name, int64_t from, const std::vector<int64_t>& values) {
  const std::string variable = shown(name);
  std::vector<Piece> pieces;
  for (const Found& found : fit_forms(from, values))
    pieces.push_back({found.from, found.to, expression_of(found.form, variable)});
  return pieces;
}

std::optional<int64_t> continued(int64_t from, const std::vector<int64_t>& values, int64_t n) {
  const std::vector<Found> pieces = fit_forms(from, values);
  if (pieces.empty() || pieces.back().from == pieces.back().to) return {};
  const Wide value = value_at(pieces.back().form, n);
  if (value < 0 || value > kLargestValue) return {};
  return static_cast<int64_t>(value);
}

namespace {

// No number on the way is larger than the sum of all terms' sizes at the largest n.
bool fits_32_bits(const Form& form, int64_t n) {
  Form sizes = form;
  for (int64_t* factor : {&sizes.square, &sizes.slope, &sizes.constant}) *factor = std::abs(*factor);
  for (auto& [factor, k] : sizes.quotients) factor = std::abs(factor);
  // n*n for n*(n - 1), and the numerators of quotients.
  return value_at(sizes, n + 1) <= INT32_MAX && n * (n + 1) <= INT32_MAX && n + form.period <= INT32_MAX;
}

std::string c_form(const Form& form, const std::string& v) {
  std::string text;
  if (form.square % 2 == 0) add_term(text, form.square / 2, cat(v, " * ", v), " * ");
  else add_term(text, form.square, cat("(", v, " * (", v, " - 1) / 2)"), " * ");
  add_term(text, form.square % 2 == 0 ? form.slope - form.square / 2 : form.slope, v, " * ");
  for (const auto& [factor, k] : form.quotients)
    add_term(text, factor,
             k == 0 ? cat("(", v, " / ", form.period, ")") : cat("((", v, " + ", k, ") / ", form.period, ")"), " * ");
  add_term(text, form.constant, "", " * ");
  return text.empty() ? "0" : text;
}

}  // namespace

std::optional<std::string> to_c(const std::string& variable, int64_t from, const std::vector<int64_t>& values) {
  constexpr size_t kMostPieces = 3;
  const std::vector<Found> pieces = fit_forms(from, values);
  if (pieces.size() > kMostPieces) return {};
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!fits_32_bits(pieces[i].form, pieces[i].to)) return {};
    const std::string form = c_form(pieces[i].form, variable);
    text += i + 1 < pieces.size() ? cat(variable, " <= ", pieces[i].to, " ? ", form, " : ") : form;
  }
  return pieces.size() > 1 ? "(" + text + ")" : text;
}

std::string to_text(const std::vector<Piece>& pieces) {
  if (pieces.size() == 1) return pieces[0].expression;
  std::string text;
  for (const Piece& piece : pieces) {
    text += cat(text.empty() ? "" : ", ", piece.expression, " for ", piece.from);
    if (piece.to > piece.from) text += cat("..", piece.to);
  }
  return text;
}

}  // namespace tarn::symbolic
