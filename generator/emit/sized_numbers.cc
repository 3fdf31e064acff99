#include "emit/sized_numbers.h"

#include <algorithm>
#include <limits>

#include "emit/literals.h"
#include "support/text.h"
#include "symbolic/fit.h"
#include "symbolic/grid.h"

namespace tarn::emit {

namespace {

// The position among the sizes that the table is of.
std::string position(const Analysis& analysis, const std::string& size) {
  const std::vector<std::string> sizes = size_texts(analysis, size);
  const SizeBox& box = analysis.options.run_time;
  std::string text;
  for (size_t axis = 0; axis < box.size(); ++axis) {
    if (box.size() > 1 && box[axis].count() == 1) continue;
    if (!text.empty())
      text = cat(text.find(' ') == std::string::npos ? text : cat("(", text, ")"), " * ", box[axis].count());
    const std::string own = box[axis].low == 0 ? sizes[axis] : cat(sizes[axis], " - ", box[axis].low);
    text += (text.empty() ? "" : " + ") + own;
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::vector<std::string> size_texts(const Analysis& analysis, const std::string& size) {
  const SizeBox& every = analysis.every_size;
  if (every.size() < 2) return {size};
  std::vector<std::string> texts;
  int64_t behind = 1;
  for (size_t axis = every.size(); axis-- > 0;) {
    const std::string from = every[axis].low == 0 ? "" : cat(every[axis].low, " + "),
                      over = behind == 1 ? size : cat(size, " / ", behind),
                      within = axis == 0 ? over : cat(over, " % ", every[axis].count());
    texts.insert(texts.begin(), from.empty() && within == size ? within : cat("(", from, within, ")"));
    behind *= every[axis].count();
  }
  return texts;
}

SizedNumber in_table(const Analysis& analysis, const std::string& table, const char* type,
                     const std::vector<std::string>& values, const std::string& size) {
  std::string rows;
  for (size_t i = 0; i < values.size(); i += 8) {
    const std::vector<std::string> row(values.begin() + static_cast<std::ptrdiff_t>(i),
                                       values.begin() + static_cast<std::ptrdiff_t>(std::min(i + 8, values.size())));
    rows += cat(rows.empty() ? "" : ",\n", "    ", join(row));
  }
  return {cat(table, "[", position(analysis, size), "]"),
          cat("static const ", type, " ", table, "[", values.size(), "] = {\n", rows, "\n};\n"), false};
}

SizedNumber of_numbers(const Analysis& analysis, const std::string& table, const std::vector<int64_t>& values,
                       const std::string& size) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values.front(); }))
    return {cat(values.front()), {}, false};
  const SizeBox& box = analysis.options.run_time;
  const std::vector<std::string> sizes = size_texts(analysis, size);
  std::optional<std::string> formula;
  if (box.size() == 1) {
    formula = symbolic::to_c(size, box[0].low, values);
  } else {
    std::vector<symbolic::CVariable> variables;
    for (size_t axis = 0; axis < box.size(); ++axis)
      variables.push_back({sizes[axis], box[axis].low, box[axis].count()});
    formula = symbolic::to_c(variables, values);
  }
  if (formula) return {*formula, {}, true};
  std::vector<std::string> texts;
  bool wide = false;
  for (const int64_t v : values) {
    texts.push_back(int_literal(v, true));
    wide = wide || v > std::numeric_limits<int32_t>::max() || v < std::numeric_limits<int32_t>::min();
  }
  return in_table(analysis, table, wide ? "int64_t" : "int32_t", texts, size);
}

int64_t address_of(const Analysis& size, program::TensorId id) {
  const lifetimes::Place& place = size.storage[id];
  const int item = size.planning.item_of[place.buffer.pos()];
  return (item < 0 ? 0 : size.plan.offsets[static_cast<size_t>(item)]) + place.offset;
}

}  // namespace tarn::emit
