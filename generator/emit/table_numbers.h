// What constant tables of a call say of its work: the numbers that its parameter struct does not hold.
#pragma once
#include <map>
#include <string>

#include "compile.h"

namespace tarn::emit {

// Of an interpolation, along each axis (planes, lines, pixels): "inside.lines", positions of the output that take from
// somewhere, and "taken.lines", their weights that are not zero. Of attention beside a constant mask "open.N", the keys
// of row N of all scores up to the last one that the mask leaves open.
void add_table_numbers(const Analysis& analysis, const program::Operation& operation,
                       std::map<std::string, int64_t>& numbers);

}  // namespace tarn::emit
