#include "symbolic/evaluate.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tarn::symbolic {

namespace {

using Wide = __int128;

// Numerator and denominator, which is positive; no larger than this, so that nothing overflows on the way.
constexpr Wide kMost = Wide{1} << 62;
struct Fraction {
  Wide above = 0, below = 1;
};

constexpr int kMostDepth = 64;

class Parser {
 public:
  using Values = std::function<std::optional<int64_t>(const std::string&)>;
  // Without values only names are collected.
  Parser(const std::string& text, const Values& value_of) : text_(text), value_of_(value_of) {}

  std::optional<Fraction> whole() {
    const Fraction value = sum();
    skip();
    if (at_ != text_.size() || failed_) return {};
    return value;
  }

  std::vector<std::string> names;
  bool operators = false;

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const char* word) {
    skip();
    const std::string wanted = word;
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }
  Fraction fail() {
    failed_ = true;
    return {};
  }

  Fraction reduced(Wide above, Wide below) {
    if (below == 0) return value_of_ ? fail() : Fraction{1, 1};
    if (below < 0) above = -above, below = -below;
    Wide a = above < 0 ? -above : above, b = below;
    while (b != 0) a = std::exchange(b, a % b);
    if (a > 1) above /= a, below /= a;
    if (above > kMost || above < -kMost || below > kMost) return fail();
    return {above, below};
  }
  // Products of numbers of 62 bits fit.
  Fraction add(const Fraction& a, const Fraction& b, int sign) {
    return reduced(a.above * b.below + sign * b.above * a.below, a.below * b.below);
  }
  static Fraction floor_of(const Fraction& a) {
    return {a.above >= 0 ? a.above / a.below : -((-a.above + a.below - 1) / a.below), 1};
  }
  static Fraction negative(const Fraction& a) { return {-a.above, a.below}; }
  static bool less(const Fraction& a, const Fraction& b) { return a.above * b.below < b.above * a.below; }

  Fraction sum() {
    if (++depth_ > kMostDepth) return fail();
    Fraction value = product();
    while (!failed_) {
      if (take("+")) value = add(value, product(), 1);
      else if (take("-")) value = add(value, product(), -1);
      else break;
      operators = true;
    }
    --depth_;
    return value;
  }

  Fraction product() {
    Fraction value = factor();
    while (!failed_) {
      if (take("*")) {
        const Fraction by = factor();
        value = reduced(value.above * by.above, value.below * by.below);
      } else if (take("//")) {
        const Fraction by = factor();
        value = floor_of(reduced(value.above * by.below, value.below * by.above));
      } else if (take("/")) {
        const Fraction by = factor();
        value = reduced(value.above * by.below, value.below * by.above);
      } else {
        break;
      }
      operators = true;
    }
    return value;
  }

  Fraction factor() {
    skip();
    if (at_ == text_.size() || failed_) return fail();
    if (take("(")) {
      const Fraction value = sum();
      return take(")") ? value : fail();
    }
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) != 0) return number();
    if (std::isalpha(c) != 0 || c == '_') return named();
    return fail();
  }

  Fraction number() {
    Wide value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      value = value * 10 + (text_[at_++] - '0');
      if (value > kMost) return fail();
    }
    return {value, 1};
  }

  Fraction named() {
    const size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    std::string name = text_.substr(from, at_ - from);
    if (take("(")) return function_of(name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (!value_of_) return {1, 1};
    const std::optional<int64_t> value = value_of_(name);
    return value && *value <= kMost && *value >= -kMost ? Fraction{*value, 1} : fail();
  }

  Fraction function_of(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    operators = true;
    Fraction value = sum();
    if (name == "floor") value = floor_of(value);
    else if (name == "ceil" || name == "ceiling") value = negative(floor_of(negative(value)));
    else if (name == "min" || name == "max") {
      while (take(",")) {
        const Fraction other = sum();
        if (less(other, value) == (name == "min")) value = other;
      }
    } else {
      return fail();
    }
    return take(")") ? value : fail();
  }

  const std::string& text_;
  const Values& value_of_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<std::vector<std::string>> names_in(const std::string& expression) {
  const Parser::Values none;
  Parser parser(expression, none);
  if (!parser.whole() || !parser.operators || parser.names.empty()) return {};
  return parser.names;
}

std::optional<int64_t> evaluate(const std::string& expression,
                                const std::function<std::optional<int64_t>(const std::string&)>& value_of) {
  Parser parser(expression, value_of);
  const std::optional<Fraction> value = parser.whole();
  if (!value || value->below != 1) return {};
  return static_cast<int64_t>(value->above);
}

}  // namespace tarn::symbolic
