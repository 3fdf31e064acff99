// The report as one rectangular CSV: a row per step, then a row per tensor, then over ways of running a row for each,
// over a range of sizes a row per formula; the first column says which it is.
#include "report/report.h"
#include "support/text.h"

namespace tarn::report {

namespace {

// RFC 4180: quoted where a comma, a quote or a line break stands in it.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string cell(int64_t number) { return std::to_string(number); }

std::string shape_cell(const Shape& shape) {
  std::string text;
  for (int64_t d : shape.dims) text += (text.empty() ? "" : "x") + std::to_string(d);
  return text;
}

std::string row(const std::vector<std::string>& cells) { return join(cells, ",") + "\n"; }

enum Column {
  kShape = 7,
  kBytes = 8,
  kFirst = 10,
  kEnd = 11,
  kMacs = 12,
  kWeightBytes = 14,
  kInstructions = 21,
  kColumns = 23
};

// Formulas stand in the column of what they tell.
std::string formula_row(const std::string& name, const char* kind, const std::string& formula, Column column,
                        const std::string& shape, const std::string& first, const std::string& end) {
  std::vector<std::string> cells(kColumns);
  cells[0] = "formula";
  cells[1] = cell(name);
  cells[5] = kind;
  cells[kShape] = cell(shape);
  cells[column] = cell(formula);
  cells[kFirst] = cell(first);
  cells[kEnd] = cell(end);
  return row(cells);
}

// First and end are the sizes for which they hold.
std::string formula_rows(const Symbolic& s) {
  std::string text;
  const auto add_all = [&](const char* kind, const std::vector<symbolic::Piece>& pieces, Column column) {
    for (const symbolic::Piece& piece : pieces)
      text += formula_row(s.name, kind, piece.expression, column, "", cat(piece.from), cat(piece.to + 1));
  };
  add_all("arena", s.arena, kBytes);
  add_all("lower_bound", s.lower_bound, kBytes);
  add_all("macs", s.macs, kMacs);
  add_all("weights", s.weights, kWeightBytes);
  for (const SizedTensor& tensor : s.tensors)
    text +=
        formula_row(tensor.name, "tensor", tensor.bytes, kBytes, join(tensor.shape, "x"), cat(s.low), cat(s.high + 1));
  return text;
}

// Of several dimensions first and end are their sizes, axis by axis, as in "1x1" and "7x5".
std::string formula_rows(const Grid& grid) {
  std::vector<std::string> names;
  symbolic::Box whole;
  for (const symbolic::Axis& axis : grid.axes) {
    names.push_back(axis.name);
    whole.from.push_back(axis.low);
    whole.to.push_back(axis.high);
  }
  std::string text;
  const auto add = [&](const std::string& name, const char* kind, const symbolic::Box& box, Column column,
                       const std::string& shape) {
    std::vector<int64_t> end = box.to;
    for (int64_t& size : end) ++size;
    text += formula_row(name, kind, box.expression, column, shape, join(box.from, "x"), join(end, "x"));
  };
  const auto add_all = [&](const char* kind, const std::vector<symbolic::Box>& boxes, Column column) {
    for (const symbolic::Box& box : boxes) add(join(names, " "), kind, box, column, "");
  };
  add_all("arena", grid.arena, kBytes);
  add_all("lower_bound", grid.lower_bound, kBytes);
  add_all("macs", grid.macs, kMacs);
  add_all("weights", grid.weights, kWeightBytes);
  for (const SizedTensor& tensor : grid.tensors) {
    whole.expression = tensor.bytes;
    add(tensor.name, "tensor", whole, kBytes, join(tensor.shape, "x"));
  }
  return text;
}

// Ways of running: the arena as bytes, flash as bytes of weights.
std::string pareto_row(const ParetoRow& way) {
  std::vector<std::string> cells(kColumns);
  cells[0] = "pareto";
  cells[1] = cell(way.options);
  cells[5] = way.chosen ? "chosen" : way.dominated ? "dominated" : "front";
  cells[kBytes] = cell(way.arena);
  cells[kMacs] = cell(way.macs);
  cells[kWeightBytes] = cell(way.flash);
  if (way.instructions) cells[kInstructions] = cell(*way.instructions);
  return row(cells);
}

}  // namespace

std::string to_csv(const Report& r) {
  std::string text =
      row({"row",        "name",        "kernel",     "op",           "nodes", "kind",         "dtype",        "shape",
           "bytes",      "offset",      "first",      "end",          "macs",  "params",       "weight_bytes", "zeros",
           "live_bytes", "shares_with", "shares_how", "shares_bytes", "bank",  "instructions", "cycles"});
  for (const StepRow& s : r.steps) {
    text += row({"step",
                 cell(cat("step", s.step)),
                 cell(s.kernel),
                 cell(s.op),
                 cell(join(s.nodes, ";")),
                 "",
                 "",
                 shape_cell(s.shape),
                 "",
                 "",
                 cell(s.step),
                 cell(s.step + 1),
                 cell(s.macs),
                 cell(s.parameters),
                 cell(s.weight_bytes),
                 s.zeros ? cell(*s.zeros) : "",
                 cell(s.live_bytes),
                 "",
                 "",
                 "",
                 "",
                 s.instructions ? cell(*s.instructions) : "",
                 s.cycles ? cell(*s.cycles) : ""});
  }
  for (const TensorRow& t : r.tensors) {
    text += row({"tensor",
                 cell(t.name),
                 "",
                 "",
                 "",
                 t.kind,
                 to_string(t.type.dtype),
                 shape_cell(t.type.shape),
                 cell(t.bytes),
                 t.offset ? cell(*t.offset) : "",
                 cell(t.first),
                 cell(t.end),
                 "",
                 "",
                 "",
                 "",
                 "",
                 t.shares ? cell(t.shares->with) : "",
                 t.shares ? t.shares->how : "",
                 t.shares ? cell(t.shares->bytes) : "",
                 t.bank,
                 "",
                 ""});
  }
  for (const ParetoRow& way : r.pareto) text += pareto_row(way);
  if (r.symbolic) text += formula_rows(*r.symbolic);
  if (r.grid) text += formula_rows(*r.grid);
  return text;
}

}  // namespace tarn::report
