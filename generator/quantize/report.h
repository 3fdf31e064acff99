// What quantisation cost, for people and for programs.
#pragma once
#include <string>

#include "quantize/quantize.h"

namespace tarn::quantize {

std::string to_text(const Quantised& result);
std::string to_json(const Quantised& result);
// A page that needs no network: the text, and a plot for each layer. `more`: put below the text.
std::string to_html(const Quantised& result, const std::string& title,
                    const std::string& more);  // {"quantize": {"outputs": [...], "layers": [...], ...}}

}  // namespace tarn::quantize
