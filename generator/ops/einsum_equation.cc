// Reads equations of Einsum.
#include <algorithm>
#include <cctype>
#include <map>

#include "ops/einsum.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// "ab...c" as names; `axes` behind the ellipsis. Empty: malformed.
std::optional<Names> read_term(const std::string& text, int axes) {
  Names names;
  bool seen = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "...") == 0 && !seen) {
      for (int k = axes; k-- > 0;) names.push_back(kEllipsis + k);
      seen = true;
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(text[i]))) {
      names.push_back(static_cast<unsigned char>(text[i]));
    } else {
      return {};
    }
  }
  return names;
}

// How many axes stand behind the ellipsis of a term for a tensor of `rank`; negative: too many letters.
int axes_behind(const std::string& term, int rank) {
  const bool ellipsis = term.find("...") != std::string::npos;
  const int rest = rank - (static_cast<int>(term.size()) - (ellipsis ? 3 : 0));
  return ellipsis || rest == 0 ? rest : -1;
}

// Without "->": what stands behind ellipses, then the letters that occur once, in their order.
Names implied_output(const std::vector<Names>& inputs, int most_axes) {
  std::map<int, int> times;
  for (const Names& names : inputs) {
    for (int name : names) times[name]++;
  }
  Names output;
  for (int k = most_axes; k-- > 0;) output.push_back(kEllipsis + k);
  for (const auto& [name, count] : times) {
    if (name < kEllipsis && count == 1) output.push_back(name);
  }
  return output;
}

}  // namespace

std::optional<Equation> read_equation(std::string text, const std::vector<Shape>& shapes) {
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  const std::vector<std::string> terms = split(text.substr(0, arrow), ',');
  if (terms.size() != shapes.size()) return {};
  Equation equation;
  int most_axes = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const int axes = axes_behind(terms[i], shapes[i].rank());
    const auto names = axes >= 0 ? read_term(terms[i], axes) : std::nullopt;
    if (!names || static_cast<int>(names->size()) != shapes[i].rank()) return {};
    most_axes = std::max(most_axes, axes);
    equation.inputs.push_back(*names);
  }
  if (arrow == std::string::npos) {
    equation.output = implied_output(equation.inputs, most_axes);
    return equation;
  }
  const auto output = read_term(text.substr(arrow + 2), most_axes);
  if (!output) return {};
  equation.output = *output;
  // Every name of the output is known, and stands there once.
  for (size_t i = 0; i < output->size(); ++i) {
    const int name = (*output)[i];
    const bool known = std::any_of(equation.inputs.begin(), equation.inputs.end(), [&](const Names& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    if (!known || std::count(output->begin(), output->end(), name) != 1) return {};
  }
  return equation;
}

}  // namespace tarn::ops
