// Names and counts from a model, a report or a problem, as text for people.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tarn {

// One line for a terminal: what would move its cursor, change its state or turn its writing around (control characters,
// those that set a direction, bytes that are no valid UTF-8) is spelled out: \n, \x1b, \u202e.
std::string printable(std::string_view text);

// "1 node", "2 nodes".
std::string counted(int64_t n, const std::string& thing);

}  // namespace tarn
