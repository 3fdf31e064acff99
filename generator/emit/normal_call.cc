#include "emit/normal_call.h"

#include <optional>

#include "program/operands.h"

namespace tarn::emit {

using program::LineArgument;
using program::LineMap;
using program::Operation;

namespace {

// The first position whose window begins inside.
int64_t first_inside(const LineMap& map) { return map.first < 0 ? (-map.first + map.scale - 1) / map.scale : 0; }

// Windows at other positions are moved alike.
bool is_regular(const LineMap& map) { return !map.table && !map.exact && map.scale >= 1; }

}  // namespace

int64_t row_of(const LineMap& map, int64_t line, int64_t j) {
  const int64_t at = map.scale * line + map.first + j * map.step;
  return !map.exact ? at : at % map.divide == 0 ? at / map.divide : -1;
}

LineKernelCall normal_lines(const program::Program& program, const Operation& operation, const program::LineCall& call,
                            LineKernelCall made) {
  const LineArgument* rows = call.rows();
  if (!rows) {
    made.line = 0;
    return made;
  }
  const LineMap& map = rows->map;
  if (!is_regular(map)) return made;
  const int64_t lines = program[operation.arguments[rows->argument].tensor].geometry.lines;
  const int64_t first = row_of(map, made.line, 0), last = row_of(map, made.line + made.lines - 1, map.count - 1);
  if (first >= 0 && last < lines) made.line = first_inside(map);
  return made;
}

LineKernelCall normal_columns(const program::Program& program, const Operation& operation, LineKernelCall made) {
  const std::optional<LineMap>& map = operation.line_form->columns;
  if (!map || !is_regular(*map)) return made;
  const int64_t pixels = program[program::source_operand(operation).tensor].geometry.pixels;
  const int64_t first = row_of(*map, made.first, 0), last = row_of(*map, made.end - 1, map->count - 1);
  if (first < 0 || last >= pixels) return made;
  made.end -= made.first - first_inside(*map);
  made.first = first_inside(*map);
  return made;
}

}  // namespace tarn::emit
