#include "time/lines.h"

#include <algorithm>
#include <cmath>

#include "time/by_value.h"
#include "time/quotients.h"

namespace tarn::timing {

namespace {

bool is_sum(const std::string& function) {
  return function.ends_with("_begin") || function.ends_with("_add") || function.ends_with("_finish");
}

// Functions that whole layers have no use for.
bool is_by_lines_alone(const std::string& function) { return is_sum(function) || function == "tarn_rows"; }

// tarn_rows.c: cycles of rows, followed a piece of the rows at a time from the least position, for which every row
// looks.
Terms rows_terms(const Parameters& p, const Core& core) {
  constexpr int64_t kPiece = 32;  // TARN_ROWS_PIECE
  const int64_t planes = p.at("planes"), count = planes * p.at("lines"), row = p.at("row");
  const int64_t pieces = (row + kPiece - 1) / kPiece;
  int64_t looks = 0, cycles = 0, moves = 0;
  Quotients looked, followed;
  const auto from = [&](int64_t at, Quotients& quotients) {
    quotients.add(static_cast<uint64_t>(at / planes));
    return at % planes * p.at("lines") + at / planes;
  };
  for (int64_t start = 1; start < count - 1; ++start) {
    int64_t at = start;
    do {
      at = from(at, looked);
      ++looks;
    } while (at > start);
    if (at < start) continue;
    ++cycles;
    ++moves;
    for (int64_t next = from(at, followed); next != start; next = from(next, followed)) ++moves;
  }
  const auto number = [](int64_t n) { return static_cast<double>(n); };
  Terms terms{{"call", 1},
              {"starts", number(std::max<int64_t>(0, count - 2))},
              {"looks", number(looks)},
              {"pieces", number(cycles * pieces)},
              {"moves", number(moves * pieces)},
              {"bytes", number((moves + cycles) * row)}};
  if (!core.divides) {
    terms.push_back({"quotient_steps", number(looked.steps + pieces * followed.steps)});
    terms.push_back({"quotient_ones", number(looked.ones + pieces * followed.ones)});
  }
  return terms;
}

// tarn_int_add_line_s8.h: eight channels at a time and up to four where there are vectors, else four and one. Pairs of
// 16 bits hold lines of up to 255 pixels.
void add_line_terms(const std::string& function, const Core& core, double channels, double pixels, Terms& terms) {
  const bool bytes = function.ends_with("_s8_add"), vectors = core.vectors && bytes;
  const double group = vectors ? 8 : 4, groups = std::floor(channels / group), left = channels - groups * group;
  const double rests = vectors ? std::ceil(left / 4) : left;
  terms.push_back({"groups", groups});
  terms.push_back({core.dsp && bytes && pixels > 255 ? "wide_pixels" : "group_pixels", groups * pixels});
  terms.push_back({"rests", rests});
  terms.push_back({"rest_pixels", rests * pixels});
}

// Several lines of a convolution at once. tarn_int_conv2d_mve_lines_s8.c: lines of one pixel whose rows are all inside
// the image are taken as they lie, and blocks of theirs stand anywhere.
void together_terms(const std::string& function, const Parameters& p, Terms& terms) {
  constexpr int64_t kShortPatch = 16;  // TARN_INT_MVE_SHORT
  const int64_t lines = p.at("out_lines"), rows = p.at("rows");
  if (function.starts_with("tarn_int_conv2d_dsp")) {
    terms.push_back({"lines", static_cast<double>(lines)});
    return;
  }
  const auto zeros = p.find("null.3");
  const bool single = p.at("out_pixels") == 1 && p.at("pad.1") == 0 && p.at("groups") == 1 && p.at("block") == 3 &&
                      (zeros == p.end() || zeros->second == 1) &&
                      (p.at("outputs") % 4 == 0 || rows * p.at("taps") * p.at("inputs") <= kShortPatch) &&
                      (p.at("taps") == 1 || p.at("dilation.1") * p.at("x_pitch") == p.at("inputs"));
  int64_t inside = 0;
  for (int64_t line = 0; single && line < lines; ++line) {
    const int64_t first = line * p.at("stride.0") - p.at("pad.0");
    inside += first >= 0 && first + (rows - 1) * p.at("dilation.0") < p.at("in_lines");
  }
  const auto number = [](int64_t n) { return static_cast<double>(n); };
  terms.push_back({"lines", number(single ? 0 : lines)});
  terms.push_back({"edge_lines", number(single ? lines - inside : 0)});
  terms.push_back({"single_lines", number(inside)});
  terms.push_back({"single_rows", number(inside * rows)});
  // One or two that no three takes.
  terms.push_back({"left", number(single && lines % 3 != 0)});
}

// tarn_int_conv1x1_mve_line_s8.c and tarn_int_conv1x1_mve_lines_s8.c, around what three pixels or those that are left
// take.
bool is_in_place(const std::string& function) { return function.starts_with("tarn_int_conv1x1_mve_"); }

void in_place_terms(const std::string& function, const Parameters& p, Terms& terms) {
  constexpr int64_t kShortPatch = 16;  // TARN_INT_MVE_SHORT
  const int64_t inputs = p.at("inputs"), pixels = p.at("out_lines") * p.at("out_pixels"), blocks = (pixels + 2) / 3;
  const bool together = function.ends_with("_lines_s8"), runs = inputs <= kShortPatch && !together;
  const int64_t single = runs ? (pixels % 3 != 0) : blocks;
  const auto number = [](int64_t n) { return static_cast<double>(n); };
  terms.push_back({"runs", number(runs && pixels >= 3)});
  terms.push_back({"blocks", number(single)});
  if (together) {
    terms.push_back({"lines", number(p.at("out_lines"))});
    terms.push_back({"pixels", number(pixels)});
    return;
  }
  const auto apart = p.find("apart");
  const int64_t copied = apart != p.end() && apart->second == 0 ? (runs ? pixels % 3 : pixels) : 0;
  terms.push_back({"copied", number(copied)});
  terms.push_back({"copied_vectors", number(copied * ((inputs + 15) / 16))});
}

bool is_transposed(const std::string& name) { return name.find("_convtranspose_") != std::string::npos; }

// The driver of a whole layer goes from line to line, and finds the rows of each; by lines the network does.
bool is_drivers(const std::string& kernel, const std::string& term) {
  if (term == "call" || term == "lines" || term == "line_rows") return true;
  if (is_transposed(kernel)) return term.starts_with("rows") || term == "sources";
  return term == "rows" && (kernel == "tarn_conv2d_f32" || kernel == "tarn_depthwise2d_f32" ||
                            kernel == "tarn_int_conv2d_dsp_s8" || kernel == "tarn_int_conv2d_dsp_halves_s8");
}

}  // namespace

std::string file_of(const std::string& function) {
  if (function.ends_with(kByValue)) return function.substr(0, function.rfind(kByValue));
  if (is_sum(function)) return function.substr(0, function.rfind('_'));
  return function.ends_with("_f32_line") ? function.substr(0, function.size() - 5) : function;
}

Prediction predict_loops(const std::string& target, const LineCallOf& call) {
  if (is_by_lines_alone(call.function)) return {Cost{}, 0, 0, "", {}};
  if (call.function == call.kernel) return predict(target, call.kernel, call.parameters);
  if (is_in_place(call.function)) {
    Parameters parameters = call.parameters;
    parameters["in_place"] = call.function.ends_with("_lines_s8") ? kLinesInPlace : kLineInPlace;
    return predict(target, call.kernel, parameters);
  }
  return predict(target, call.kernel, call.parameters,
                 [&](const std::string& term) { return !is_drivers(call.kernel, term); });
}

Terms own_terms(const std::string& target, const LineCallOf& call) {
  if (call.function == "tarn_rows") return rows_terms(call.parameters, core_of(target));
  if (call.function == call.kernel && !is_sum(call.function)) return {};
  Terms terms{{"call", 1}};
  if (is_in_place(call.function)) in_place_terms(call.function, call.parameters, terms);
  else if (call.function.ends_with("_lines_s8")) together_terms(call.function, call.parameters, terms);
  // tarn_int_phase_lines(): lines that reach this one are looked for in all rows.
  if (is_transposed(call.function) && call.parameters.contains("rows"))
    terms.push_back({"rows", static_cast<double>(call.parameters.at("rows"))});
  if (!is_sum(call.function)) return terms;
  const auto of = [&](const char* name) {
    const auto found = call.parameters.find(name);
    return found == call.parameters.end() ? 1.0 : static_cast<double>(found->second);
  };
  const double channels = of("channels"), pixels = of("line_pixels");
  if (!call.function.ends_with("_add")) {
    terms.push_back({"channels", channels});
    // tarn_int_dsp_sums.h: bounds other than those of a code are looked up for each sum.
    if (call.function == "tarn_int_global_sums_s8_finish" && core_of(target).dsp)
      terms.push_back({"clamped", of("requant.lo") > -128 || of("requant.hi") < 127 ? channels : 0});
    return terms;
  }
  if (call.function.starts_with("tarn_int_")) {
    add_line_terms(call.function, core_of(target), channels, pixels, terms);
    return terms;
  }
  terms.push_back({"pixels", pixels});
  terms.push_back({"values", pixels * channels});
  return terms;
}

Prediction predict_line(const std::string& target, const LineCallOf& call) {
  Prediction found = predict_loops(target, call);
  if (!found.cost) return found;
  const Terms own = own_terms(target, call);
  if (!own.empty()) found.add(predict_terms(target, call.function, own));
  return found;
}

Prediction predict_terms(const std::string& target, const std::string& model, const Terms& terms) {
  const Model* of = find_model(target, model);
  return of ? predict(*of, terms) : Prediction{{}, 0, 0, "kernel", {}};
}

}  // namespace tarn::timing
