#include "cli/grid.h"

#include <algorithm>

#include "cli/points.h"
#include "support/progress.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

constexpr int64_t kLargestStart = 4096;  // where a size of all open dimensions is looked for

// Sizes of each of so many dimensions: a formula has to explain more than what it is made from.
std::optional<int64_t> sizes_of_each(size_t dimensions) {
  if (dimensions == 0 || dimensions > 4) return {};
  return dimensions == 1 ? 8 : dimensions == 2 ? 6 : 4;
}

using Tied = std::vector<std::vector<std::string>>;

// Those that the axis stands for: its own dimension, and those tied to it.
std::vector<std::string> names_of(const Tied& tied, const std::string& axis) {
  for (const std::vector<std::string>& group : tied) {
    if (group.front() == axis) return group;
  }
  return {axis};
}

template <class Figure>
std::vector<int64_t> values_of(const std::vector<Point>& points, const Figure& figure) {
  std::vector<int64_t> values;
  std::transform(points.begin(), points.end(), std::back_inserter(values), figure);
  return values;
}

void add_tensors(const std::vector<symbolic::Axis>& axes, const std::vector<Point>& points, report::Grid& grid) {
  for (const Point::Tensor& tensor : points.front().tensors) {
    const std::vector<const Point::Tensor*> at = everywhere(tensor, points);
    if (at.empty()) continue;
    const auto text = [&](const auto& figure) {
      std::vector<int64_t> values;
      std::transform(at.begin(), at.end(), std::back_inserter(values), figure);
      return symbolic::to_text(axes, symbolic::fit(axes, values));
    };
    report::SizedTensor row{tensor.name, {}, text([](const Point::Tensor* t) { return t->bytes; })};
    for (size_t axis = 0; axis < tensor.dims.size(); ++axis)
      row.shape.push_back(text([axis](const Point::Tensor* t) { return t->dims[axis]; }));
    grid.tensors.push_back(std::move(row));
  }
}

// Sizes of tensors rounded up to the alignment, of which an arena is made: each once, and only where that changes it.
std::vector<symbolic::Term> rounded_sizes(const std::vector<symbolic::Axis>& axes, const std::vector<Point>& points,
                                          int64_t alignment) {
  constexpr size_t kMostTerms = 16;
  std::vector<symbolic::Term> terms;
  for (const Point::Tensor& tensor : points.front().tensors) {
    const std::vector<const Point::Tensor*> at = everywhere(tensor, points);
    if (at.empty() || terms.size() == kMostTerms) continue;
    std::vector<int64_t> sizes, rounded;
    for (const Point::Tensor* t : at) {
      sizes.push_back(t->bytes);
      rounded.push_back((t->bytes + alignment - 1) / alignment * alignment);
    }
    const auto known = [&](const symbolic::Term& term) { return term.values == rounded; };
    if (sizes == rounded || std::any_of(terms.begin(), terms.end(), known)) continue;
    const std::vector<symbolic::Box> boxes = symbolic::fit(axes, sizes);
    if (boxes.size() > 1) continue;
    const std::string& size = boxes[0].expression;
    const bool sum = size.find(' ') != std::string::npos;
    terms.push_back({rounded, cat(alignment, "*ceil(", sum ? "(" + size + ")" : size, "/", alignment, ")")});
  }
  return terms;
}

// Which dimensions only change together, by trying: each alone, then in pairs those that do not, then the rest at once.
struct Freedom {
  std::vector<std::string> axes;  // a dimension that changes alone, or the first of those tied
  Tied tied;
};

Freedom freedom_of(const CompileOptions& at, const std::vector<std::string>& names) {
  const auto takes = [&](const std::vector<std::string>& grown) {
    CompileOptions next = at;
    for (const std::string& name : grown) ++next.dims[name];
    return bool(analyze(next));
  };
  Freedom freedom;
  std::vector<std::string> left;
  for (const std::string& name : names) {
    if (takes({name})) freedom.axes.push_back(name);
    else left.push_back(name);
  }
  const auto tie = [&](std::vector<std::string> group) {
    freedom.axes.push_back(group.front());
    for (const std::string& name : group) std::erase(left, name);
    freedom.tied.push_back(std::move(group));
  };
  for (size_t i = 0; i < left.size();) {
    const auto with =
        std::find_if(left.begin() + static_cast<std::ptrdiff_t>(i) + 1, left.end(), [&](const std::string& name) {
          return takes({left[i], name});
        });
    if (with == left.end()) ++i;
    else tie({left[i], *with});
  }
  if (left.size() > 2 && takes(left)) tie(left);
  return freedom;
}

}  // namespace

Result<report::Grid> grid_formulas(const Options& options) {
  const std::vector<symbolic::Axis>& axes = options.grid;
  CompileOptions compile = options.compile;
  compile.stream.mode = stream::Mode::off;
  compile.sizes_only = true;
  load_once(compile);
  std::vector<int64_t> at;
  size_t count = 1;
  for (const symbolic::Axis& axis : axes) {
    at.push_back(axis.low);
    count *= static_cast<size_t>(axis.count());
  }
  std::vector<Point> points;
  while (points.size() < count) {
    note_progress("planning the points of the grid", points.size());
    std::vector<std::string> said;
    for (size_t i = 0; i < axes.size(); ++i) {
      for (const std::string& name : names_of(options.tied, axes[i].name)) compile.dims[name] = at[i];
      said.push_back(cat(axes[i].name, "=", at[i]));
    }
    const Result<Analysis> analysis = analyze(compile);
    if (!analysis) {
      Diagnostics faults = analysis.faults();
      for (Diagnostic& fault : faults) fault.message = cat("at ", join(said), ": ", fault.message);
      return faults;
    }
    points.push_back(point_of(*analysis));
    for (size_t i = axes.size(); i-- > 0;) {
      if (++at[i] <= axes[i].high) break;
      at[i] = axes[i].low;
    }
  }
  const auto fit = [&](int64_t Point::*figure, const std::vector<symbolic::Term>& terms = {}) {
    return symbolic::fit(axes, values_of(points, [&](const Point& point) { return point.*figure; }), terms);
  };
  const std::vector<symbolic::Term> rounded = rounded_sizes(axes, points, compile.alignment);
  report::Grid grid;
  grid.axes = axes;
  grid.tied = options.tied;
  grid.open = options.open_grid;
  grid.points = std::ssize(points);
  grid.proved = std::count_if(points.begin(), points.end(), [](const Point& point) { return point.proved; });
  grid.arena = fit(&Point::arena, rounded);
  grid.lower_bound = fit(&Point::lower_bound, rounded);
  grid.macs = fit(&Point::macs);
  grid.weights = fit(&Point::weights);
  add_tensors(axes, points, grid);
  return grid;
}

std::optional<Options> over_open_dimensions(const Options& options) {
  CompileOptions quick = options.compile;
  load_once(quick);
  const Result<std::vector<std::string>> names = open_dimensions(quick);
  if (!names || names->size() < 2) return {};
  quick.stream.mode = stream::Mode::off;
  quick.effort = 0;
  quick.sizes_only = true;
  // At a size of 1 operands are repeated that have to be equal at others, so what is found has to hold at another
  // point.
  const auto holds = [&](const Freedom& freedom) {
    CompileOptions other = quick;
    for (size_t i = 0; i < freedom.axes.size(); ++i) {
      for (const std::string& name : names_of(freedom.tied, freedom.axes[i]))
        other.dims[name] += static_cast<int64_t>(i) + 1;
    }
    return bool(analyze(other));
  };
  Freedom freedom;
  int64_t start = 1;
  for (;; start *= 2) {
    if (start > kLargestStart) return {};
    for (const std::string& name : *names) quick.dims[name] = start;
    if (!analyze(quick)) continue;
    freedom = freedom_of(quick, *names);
    if (holds(freedom)) break;
  }
  const std::optional<int64_t> sizes = sizes_of_each(freedom.axes.size());
  if (!sizes) return {};
  Options over = options;
  over.open_grid = true;
  over.tied = freedom.tied;
  for (const std::string& name : freedom.axes) over.grid.push_back({name, start, start + *sizes - 1});
  over.compile.dims = quick.dims;
  over.compile.loaded = quick.loaded;
  return over;
}

}  // namespace tarn::cli
