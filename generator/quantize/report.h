// What quantisation cost, for people and for programs.
#pragma once
#include <string>

#include "quantize/quantize.h"

namespace tarn::quantize {

std::string to_text(const Quantised& result);
std::string to_json(const Quantised& result);  // {"quantize": {"outputs": [...], "layers": [...], ...}}

}  // namespace tarn::quantize
