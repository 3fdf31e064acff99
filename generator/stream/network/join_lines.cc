#include "stream/network/join_lines.h"

#include <algorithm>
#include <map>

#include "stream/network/grid.h"

namespace tarn::stream {

using program::Argument;
using program::Operation;

bool reads_windows(const Operation& operation) {
  return std::any_of(operation.arguments.begin(), operation.arguments.end(), [](const Argument& a) {
    return a.role == Argument::Role::read && walks_lines(a) && !a.walk->identity;
  });
}

bool lines_join(const Program& program, const lifetimes::Storage& storage, const Operation& operation) {
  if (!operation.line_form) return false;
  if (is_flat(program, storage, operation)) return operation.line_form->scratch_pixel_bytes == 0;
  return operation.line_form->joins &&
         std::all_of(operation.arguments.begin(), operation.arguments.end(),
                     [&](const Argument& a) { return !goes_by_lines(a) || is_dense(program, storage, a.tensor); });
}

bool join_lines(const Program& program, const lifetimes::Storage& storage, const Operation& operation, int64_t most,
                Net& net, NetNode& node) {
  int64_t unit = most;
  while (node.lines % unit != 0) --unit;
  if (2 * unit < most || unit < 2 || !lines_join(program, storage, operation)) return false;
  const bool signal = program[only_result(operation)].geometry.pixels == 1;
  if (!signal && (reads_windows(operation) || !operation.line_form->joins)) return false;
  std::map<size_t, int64_t> units;  // by memory
  for (const Argument& a : operation.arguments) {
    if (!goes_by_lines(a)) continue;
    const LineView& lies = net.views[a.tensor.pos()];
    const int64_t first = node.actor.flat ? 0 : lies.first_line, own = a.walk && !a.walk->identity ? 1 : unit;
    if (!(node.actor.flat || lies.by_lines) || lies.offset != 0 || first % own != 0) return false;
    const size_t m = storage[a.tensor].buffer.pos();
    units[m] = std::max({units[m], net.memories[m].unit, own});
  }
  // Windows alone ask for a ring, whatever its length; one that other steps join lines of stays a multiple of theirs.
  const auto fits = [&](const auto& of) {
    return of.second == 1 ||
           (of.second % unit == 0 && of.second % std::max<int64_t>(1, net.memories[of.first].unit) == 0);
  };
  if (!std::all_of(units.begin(), units.end(), fits)) return false;
  for (const auto& [m, together] : units) net.memories[m].unit = together;
  node.actor.joined = true;
  node.actor.at_once = unit;
  return true;
}

}  // namespace tarn::stream
