#include "report/sparsity.h"

#include <array>
#include <set>

namespace tarn::report {

namespace {

// Up to four rows of the matrix, one after the other.
class Window {
 public:
  explicit Window(int64_t columns) : columns_(static_cast<size_t>(columns)), values_(4 * columns_) {}

  void read(const Constant& constant, int64_t row, size_t count) {
    for (size_t r = 0; r < count; ++r)
      constant.read((row + static_cast<int64_t>(r)) * static_cast<int64_t>(columns_),
                    std::span(values_).subspan(r * columns_, columns_));
  }
  bool zero(size_t row, size_t column) const { return values_[row * columns_ + column] == 0; }

 private:
  size_t columns_;
  std::vector<float> values_;
};

void add_block(SparsityRow::Blocks& blocks, bool zero) {
  ++blocks.all;
  blocks.zero += zero;
}

// Blocks that do not fit at the end of a row, or below the last four rows, are none.
SparsityRow row_of(const std::string& name, const Constant& constant) {
  SparsityRow row{name, to_string(constant.type()), {}, {}, {}, {}, {}};
  const int64_t rows = constant.shape()[0], columns = constant.count() / rows;
  Window window(columns);
  for (int64_t first = 0; first < rows; first += 4) {
    const auto count = static_cast<size_t>(std::min<int64_t>(4, rows - first));
    window.read(constant, first, count);
    for (size_t r = 0; r < count; ++r) {
      for (size_t c = 0; c < static_cast<size_t>(columns); ++c) add_block(row.elements, window.zero(r, c));
      for (size_t c = 0; c + 4 <= static_cast<size_t>(columns); c += 4) {
        int zeros = 0;
        for (size_t i = 0; i < 4; ++i) zeros += window.zero(r, c + i);
        add_block(row.along, zeros == 4);
        add_block(row.two_of_four, zeros >= 2);
      }
    }
    if (count < 4) break;
    for (size_t c = 0; c < static_cast<size_t>(columns); ++c) {
      const bool zero = window.zero(0, c) && window.zero(1, c) && window.zero(2, c) && window.zero(3, c);
      add_block(row.across, zero);
    }
    for (size_t c = 0; c + 4 <= static_cast<size_t>(columns); c += 4) {
      bool zero = true;
      for (size_t i = 0; i < 16 && zero; ++i) zero = window.zero(i / 4, c + i % 4);
      add_block(row.squares, zero);
    }
  }
  return row;
}

void add(SparsityRow::Blocks& sum, const SparsityRow::Blocks& more) {
  sum.zero += more.zero;
  sum.all += more.all;
}

class Profile {
 public:
  explicit Profile(Report& report) : report_(report) {}

  void run(const graph::Graph& graph) {
    for (const graph::Node& node : graph.nodes) {
      for (const graph::Graph& body : node.bodies) run(body);
      for (graph::ValueId id : node.inputs) {
        if (!id.valid()) continue;
        const Constant* constant = graph.constant(id);
        if (!constant || constant->is_absent() || constant->is_strings() || constant->shape().rank() < 2) continue;
        if (constant->count() == 0 || !seen_.insert({&graph, id}).second) continue;
        report_.sparsity.push_back(row_of(graph[id].name, *constant));
      }
    }
  }

 private:
  Report& report_;
  std::set<std::pair<const graph::Graph*, graph::ValueId>> seen_;
};

}  // namespace

void profile_sparsity(const Analysis& analysis, Report& report) {
  Profile(report).run(analysis.graph);
  SparsityRow sum{"in all", "", {}, {}, {}, {}, {}};
  for (const SparsityRow& row : report.sparsity) {
    add(sum.elements, row.elements);
    add(sum.along, row.along);
    add(sum.across, row.across);
    add(sum.squares, row.squares);
    add(sum.two_of_four, row.two_of_four);
  }
  report.sparsity.push_back(std::move(sum));
}

}  // namespace tarn::report
