#include "time/reason.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tarn::timing {

namespace {

// Words of terms' names (terms.h), and what they stand for.
struct Cause {
  std::string_view text;
  std::initializer_list<std::string_view> words;
};
constexpr double kWorthTelling = 0.1;
constexpr std::string_view kProducts = "products";

const Cause* cause_of(std::string_view term) {
  static const Cause causes[] = {
      {"constants that are spread out first", {"spread"}},
      {"the borders of the image", {"clipped", "gap", "missing", "filled", "tap_runs"}},
      {"what is not done several at a time",
       {"odd", "single", "bytes", "by_bytes", "lane", "rest", "ones", "outputs1", "outputs2", "outputs3"}},
      {"elements whose rounding looks for ties", {"zoned"}},
      {"bounds of the output", {"clamped", "bounded"}},
      {kProducts, {"dense_words", "summed_words"}},
      {"patches of the input", {"patch", "runs", "words", "copied"}},
      {"work for each line and pixel", {"lines", "pixels", "rows", "fours", "blocks", "call"}},
  };
  for (const Cause& cause : causes) {
    for (const std::string_view word : cause.words) {
      if (term.find(word) != std::string_view::npos) return &cause;
    }
  }
  return nullptr;
}

}  // namespace

std::string reason_of(const std::string& target, const std::string& kernel, const Prediction& prediction) {
  if (software_floats(target, kernel)) return "floats in software";
  if (!prediction.cost || prediction.cost->instructions <= 0) return "";
  std::map<const Cause*, double> shares;
  for (const auto& [term, instructions] : prediction.parts) {
    if (const Cause* cause = cause_of(term)) shares[cause] += instructions / prediction.cost->instructions;
  }
  std::vector<std::pair<double, const Cause*>> sorted;
  for (const auto& [cause, share] : shares) {
    // Products are what a layer is for: told where nothing else is.
    if (share >= kWorthTelling && cause->text != kProducts) sorted.emplace_back(share, cause);
  }
  std::sort(sorted.rbegin(), sorted.rend());
  std::string text;
  for (const auto& [share, cause] : sorted) {
    text += std::string(text.empty() ? "" : ", ") + std::string(cause->text) + " " +
            std::to_string(std::lround(100 * share)) + " %";
  }
  if (!text.empty()) return text;
  double products = 0;
  for (const auto& [term, instructions] : prediction.parts) {
    const auto has = [&, name = std::string_view(term)](std::string_view word) {
      return name.find(word) != std::string_view::npos;
    };
    if (has("steps") || has("pairs") || has("products") || has("taps") || has("columns") || has("_words"))
      products += instructions / prediction.cost->instructions;
  }
  if (products < kWorthTelling) return "its elements";
  return std::string(kProducts) + " " + std::to_string(std::lround(100 * products)) + " %";
}

}  // namespace tarn::timing
