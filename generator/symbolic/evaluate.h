// Names of dimensions that are expressions of others, as exporters write them: "floor((N - 1)/2) + 1".
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tarn::symbolic {

// The names in an expression of at least one operator or function: sums, differences, products, quotients, floor, ceil,
// ceiling, min and max. Nothing for what is none, such as "batch" and "x:0".
std::optional<std::vector<std::string>> names_in(const std::string& expression);

// Its value, where each name has one and it is a whole number; quotients are exact, "//" rounds down.
std::optional<int64_t> evaluate(const std::string& expression,
                                const std::function<std::optional<int64_t>(const std::string&)>& value_of);

}  // namespace tarn::symbolic
