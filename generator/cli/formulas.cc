#include "cli/formulas.h"

#include <algorithm>

#include "cli/points.h"
#include "cli/terminal.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

constexpr int64_t kOpenPoints = 8;                  // of an open dimension
constexpr int64_t kLargestFirst = 4096;             // where its first point is looked for
constexpr int64_t kLargestSize = int64_t{1} << 24;  // that is asked for whether it fits

using Axis = std::vector<int64_t>;  // a figure at each point

std::vector<symbolic::Piece> fit(const Options::Range& range, const std::vector<Point>& points,
                                 int64_t Point::*figure) {
  Axis values;
  for (const Point& point : points) values.push_back(point.*figure);
  return symbolic::fit(range.name, range.low, values);
}

void add_tensor(const Options::Range& range, const std::vector<const Point::Tensor*>& at, report::Symbolic& result) {
  report::SizedTensor tensor;
  tensor.name = at[0]->name;
  Axis values(at.size());
  const auto text = [&](const auto& figure) {
    std::transform(at.begin(), at.end(), values.begin(), figure);
    return symbolic::to_text(symbolic::fit(range.name, range.low, values));
  };
  for (size_t axis = 0; axis < at[0]->dims.size(); ++axis)
    tensor.shape.push_back(text([&](const Point::Tensor* t) { return t->dims[axis]; }));
  tensor.bytes = text([](const Point::Tensor* t) { return t->bytes; });
  result.tensors.push_back(std::move(tensor));
}

// The sizes twice, four and eight times the end of the range, where the model takes them.
std::vector<report::Symbolic::Beyond> beyond(CompileOptions compile, const Options::Range& range,
                                             const std::vector<Point>& points) {
  std::vector<int64_t> arenas;
  for (const Point& point : points) arenas.push_back(point.arena);
  std::vector<report::Symbolic::Beyond> result;
  for (const int64_t n : {2 * range.high, 4 * range.high, 8 * range.high}) {
    compile.dims[range.name] = n;
    const Result<Analysis> analysis = analyze(compile);
    if (!analysis) continue;
    const int64_t arena = analysis->plan.arena;
    result.push_back({n, arena, symbolic::continued(range.low, arenas, n) == arena});
  }
  return result;
}

}  // namespace

Result<report::Symbolic> formulas_over(const Options& options) {
  const Options::Range& range = *options.range;
  CompileOptions compile = options.compile;
  compile.stream.mode = stream::Mode::off;
  compile.sizes_only = true;
  load_once(compile);
  std::vector<Point> points;
  for (int64_t n = range.low; n <= range.high; ++n) {
    note_progress("planning the points of the range", static_cast<uint64_t>(n - range.low));
    compile.dims[range.name] = n;
    Result<Analysis> analysis = analyze(compile);
    if (!analysis) {
      Diagnostics faults = analysis.faults();
      for (Diagnostic& fault : faults) fault.message = cat("at ", range.name, "=", n, ": ", fault.message);
      return faults;
    }
    points.push_back(point_of(*analysis));
  }
  report::Symbolic result;
  result.open = range.open;
  result.name = range.name;
  result.low = range.low;
  result.high = range.high;
  result.arena = fit(range, points, &Point::arena);
  result.lower_bound = fit(range, points, &Point::lower_bound);
  result.macs = fit(range, points, &Point::macs);
  result.weights = fit(range, points, &Point::weights);
  result.proved = std::count_if(points.begin(), points.end(), [](const Point& point) { return point.proved; });
  for (const Point::Tensor& tensor : points.front().tensors) {
    const std::vector<const Point::Tensor*> at = everywhere(tensor, points);
    if (!at.empty()) add_tensor(range, at, result);
  }
  if (range.open) result.beyond = beyond(compile, range, points);
  return result;
}

std::optional<Options> over_open_dimension(const Options& options) {
  CompileOptions quick = options.compile;
  load_once(quick);
  const Result<std::vector<std::string>> names = open_dimensions(quick);
  if (!names || names->size() != 1) return {};
  Options over = options;
  over.compile.loaded = quick.loaded;
  quick.stream.mode = stream::Mode::off;
  quick.effort = 0;
  quick.sizes_only = true;
  for (int64_t low = 1; low <= kLargestFirst; low *= 2) {
    quick.dims[names->front()] = low;
    if (!analyze(quick)) continue;
    over.range = Options::Range{names->front(), low, low + kOpenPoints - 1, true};
    over.compile.dims[names->front()] = low;
    return over;
  }
  return {};
}

void bind_endless(Options& options) {
  if (options.compile.stream.mode != stream::Mode::time) return;
  const Result<std::vector<std::string>> names = open_dimensions(options.compile);
  if (!names || names->size() != 1) return;
  const std::string& name = names->front();
  CompileOptions quick = options.compile;
  quick.effort = 0;
  quick.sizes_only = true;
  const auto arena_at = [&](int64_t n) -> std::optional<int64_t> {
    quick.dims[name] = n;
    const Result<Analysis> analysis = analyze(quick);
    if (!analysis || !analysis->stream) return {};
    return analysis->stream->arena;
  };
  for (int64_t n = 1; n <= kLargestFirst; n *= 2) {
    const std::optional<int64_t> arena = arena_at(n);
    if (!arena) continue;
    // Where its lines grow with it, it has to have a size.
    const int64_t chosen = 4 * n;
    if (arena_at(2 * n) != arena_at(chosen)) return;
    options.compile.dims[name] = chosen;
    print({{"W206",
            {.file = options.compile.model_path},
            cat("dimension not bound: '", name, "', along which the network goes on without end; figures are of ", name,
                "=", chosen),
            {}}},
          options.json_diagnostics);
    return;
  }
}

Options::Range range_near_largest(const Options::Range& first, const std::function<bool(int64_t)>& fits) {
  Options::Range range = first;
  int64_t good = first.low, bad = 0;
  if (!fits(good)) return range;
  while (bad == 0 && good < kLargestSize) {
    const int64_t next = std::max(good * 2, good + 1);
    if (fits(next)) good = next;
    else bad = next;
  }
  while (bad - good > 1) {
    const int64_t middle = good + (bad - good) / 2;
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  range.low = std::max(first.low, good - kOpenPoints / 2 + 1);
  range.high = good + kOpenPoints / 2;
  return range;
}

}  // namespace tarn::cli
