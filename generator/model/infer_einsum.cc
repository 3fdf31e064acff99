// Einsum: the equation comes from the file, and the library reads beyond shapes when it is malformed.
#include <algorithm>
#include <array>
#include <cctype>

#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

// "ab...c": labels, and where among them the dimensions that have no label stand (-1: nowhere).
struct Term {
  std::string labels;
  int ellipsis = -1;
};

std::optional<Term> parse_term(std::string_view text) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "..." && term.ellipsis < 0) {
      term.ellipsis = static_cast<int>(term.labels.size());
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(text[i]))) {
      term.labels += text[i];
    } else {
      return {};
    }
  }
  return term;
}

struct Equation {
  std::vector<Term> inputs;
  std::optional<Term> output;  // empty: implied
};

std::optional<Equation> parse_equation(std::string text) {
  std::erase(text, ' ');
  Equation equation;
  const size_t arrow = text.find("->");
  for (const std::string& part : split(text.substr(0, arrow), ',')) {
    const auto term = parse_term(part);
    if (!term) return {};
    equation.inputs.push_back(*term);
  }
  if (arrow != std::string::npos) {
    equation.output = parse_term(text.substr(arrow + 2));
    if (!equation.output) return {};
  }
  return equation;
}

// Two dimensions that must agree; 1 gives way. Empty when they contradict each other.
std::optional<Dim> unify(const Dim& a, const Dim& b) {
  if (a.value == 1 || (!a.value && b.value)) return b;
  if (b.value && b.value != 1 && b.value != a.value) return {};
  return a;
}

class Einsum {
 public:
  explicit Einsum(const NodeFacts& facts) : facts_(facts) {}

  // False: the shapes contradict the equation.
  bool add(const Term& term, int input) {
    const std::vector<Dim>& dims = *facts_.type(input).dims;
    const size_t labels = term.labels.size();
    if (term.ellipsis < 0 ? labels != dims.size() : labels > dims.size()) return false;
    const size_t free = dims.size() - labels;
    for (size_t i = 0; i < labels; ++i) {
      const bool behind = term.ellipsis >= 0 && i >= static_cast<size_t>(term.ellipsis);
      if (!merge(&of(term.labels[i]), dims[behind ? i + free : i])) return false;
    }
    // Unlabelled dimensions are aligned at their end.
    if (free > free_.size()) free_.insert(free_.begin(), free - free_.size(), Dim{1, ""});
    for (size_t i = 0; i < free; ++i) {
      const auto unified = unify(free_[free_.size() - free + i], dims[static_cast<size_t>(term.ellipsis) + i]);
      if (!unified) return false;
      free_[free_.size() - free + i] = *unified;
    }
    has_ellipsis_ |= term.ellipsis >= 0;
    for (const char label : term.labels) ++uses_[index(label)];
    return true;
  }

  // Without an output term: the free dimensions, then every label that is used once, in the order of the alphabet.
  Term implied() const {
    Term out;
    out.ellipsis = has_ellipsis_ ? 0 : -1;
    for (int c = 'A'; c <= 'z'; ++c) {
      if (std::isalpha(c) && uses_[index(static_cast<char>(c))] == 1) out.labels += static_cast<char>(c);
    }
    return out;
  }

  std::optional<std::vector<Dim>> result(const Term& term) {
    std::vector<Dim> out;
    for (size_t i = 0; i <= term.labels.size(); ++i) {
      if (term.ellipsis == static_cast<int>(i)) out.insert(out.end(), free_.begin(), free_.end());
      if (i == term.labels.size()) break;
      const char label = term.labels[i];
      if (uses_[index(label)] == 0 || std::count(term.labels.begin(), term.labels.end(), label) > 1) return {};
      out.push_back(of(label));
    }
    return out;
  }

 private:
  static size_t index(char label) { return static_cast<size_t>(static_cast<unsigned char>(label) & 0x7F); }
  Dim& of(char label) { return labels_[index(label)]; }
  bool merge(Dim* into, const Dim& dim) {
    const auto unified = unify(*into, dim);
    if (unified) *into = *unified;
    return unified.has_value();
  }

  const NodeFacts& facts_;
  std::array<Dim, 128> labels_ = [] {
    std::array<Dim, 128> all;
    all.fill({1, ""});
    return all;
  }();
  std::array<int, 128> uses_ = {};
  std::vector<Dim> free_;
  bool has_ellipsis_ = false;
};

}  // namespace

Result<std::vector<Type>> infer_einsum(const NodeFacts& facts) {
  const std::string text = facts.attribute("equation", "");
  const auto equation = parse_equation(text);
  if (!equation || equation->inputs.size() != static_cast<size_t>(facts.inputs())) {
    return facts.fault("E205", cat("the equation '", text, "' is malformed, or not for ", facts.inputs(), " inputs"));
  }
  std::vector<Type> out(static_cast<size_t>(facts.outputs()));
  out[0] = tensor_type(facts.dtype(0), std::nullopt);
  Einsum einsum(facts);
  for (int i = 0; i < facts.inputs(); ++i) {
    if (facts.rank(i) < 0) return out;
    if (!einsum.add(equation->inputs[static_cast<size_t>(i)], i)) {
      return facts.fault("E205",
                         cat("input ", i, ", ", to_string(facts.type(i)), ", does not fit the equation '", text, "'"));
    }
  }
  out[0].dims = einsum.result(equation->output.value_or(einsum.implied()));
  if (!out[0].dims)
    return facts.fault("E205", cat("the output of the equation '", text, "' names what no input has, or twice"));
  return out;
}

}  // namespace tarn::model
