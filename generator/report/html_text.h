// Text within HTML.
#pragma once
#include <string>

namespace tarn::report {

std::string html_escaped(const std::string& text);

}  // namespace tarn::report
