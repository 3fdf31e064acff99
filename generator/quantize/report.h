// What quantisation cost, for people and for programs.
#pragma once
#include <string>

#include "quantize/front.h"

namespace tarn::quantize {

// What is told beside the result: assignments that were tried, where any were.
struct Told {
  const Assigned* assigned = nullptr;
  Limits limits;
};

std::string to_text(const Quantised& result, const Told& told = {});
// {"quantize": {"outputs": [...], "layers": [...], ...}}
std::string to_json(const Quantised& result, const Told& told = {});
// A page that needs no network: the text, the assignments, and a plot for each layer.
std::string to_html(const Quantised& result, const std::string& title, const Told& told = {});

// "0.25 %", three digits
std::string percent(double share);

}  // namespace tarn::quantize
