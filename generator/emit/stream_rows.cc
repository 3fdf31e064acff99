#include "emit/stream_rows.h"

#include <algorithm>

#include "emit/call.h"
#include "emit/sized_numbers.h"
#include "support/check.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

// Numbers in lines of at most 118 characters.
std::string number_lines(const std::vector<std::string>& numbers) {
  std::string out, line = "   ";
  for (const std::string& number : numbers) {
    if (line.size() + number.size() + 2 > 118) {
      out += line + "\n";
      line = "   ";
    }
    line += " " + number + ",";
  }
  return out + line + "\n";
}

}  // namespace

std::string fitting(int64_t most) { return most < 256 ? "uint8_t" : most < 65536 ? "uint16_t" : "uint32_t"; }

std::string array(const std::string& type, const std::string& name, const std::vector<std::string>& numbers) {
  return cat("static const ", type, " ", name, "[] = {\n", number_lines(numbers), "};\n");
}

namespace {

struct Row {
  int64_t base = 0, pitch = 0, slots = 0, lines = 0, first = 0;
  int64_t table = 0;  // not 0: slots lie where a table of addresses says; one more than where it begins
};

bool is_made(const LineText& text, program::TensorId id) {
  const std::vector<bool> running = stream::running_actors(text.plan);
  for (size_t i = 0; i < running.size(); ++i) {
    for (const program::OperationId operation : text.plan.actors[i].operations) {
      const std::vector<program::Argument>& all = text.c.analysis.program[operation].arguments;
      if (running[i] && std::any_of(all.begin(), all.end(), [&](const program::Argument& a) {
            return a.tensor == id && a.role != program::Argument::Role::read;
          }))
        return true;
    }
  }
  return false;
}

// Where the lines of a tensor lie.
Row row_of(LineText& text, const LineText::Lines& wanted) {
  const stream::LineView& view = text.plan.views[wanted.tensor.pos()];
  const program::Tensor& t = text.c.analysis.program[wanted.tensor];
  // Never made, so it has no place, and each line that is asked for is outside it: what counts is how many there are.
  if (view.memory < 0 && !is_outside(text.c.analysis, wanted.tensor) && !is_made(text, wanted.tensor))
    return {0, 0, t.geometry.lines, t.geometry.lines, 0};
  const stream::Memory& memory = memory_of(text.plan, wanted.tensor);
  const int64_t lines = wanted.of_memory ? memory.lines : t.geometry.lines;
  if (is_outside(text.c.analysis, wanted.tensor)) {
    const lifetimes::Place& place = text.plan.storage[wanted.tensor];
    if (wanted.of_memory) return {0, memory.line_bytes, lines, lines, 0};
    return {place.offset, place.line_pitch * t.element_bytes(), lines, lines, 0};
  }
  TARN_CHECK(view.memory >= 0);
  if (!wanted.of_memory && !view.by_lines) {
    const std::optional<int64_t> at = resident_address(text.plan, wanted.tensor);
    TARN_CHECK(at);
    return {*at, t.geometry.pixels * view.pixel_pitch * t.element_bytes(), lines, lines, 0};
  }
  if (memory.addressing != stream::Addressing::table) {
    if (wanted.of_memory) return {memory.base, memory.line_bytes, memory.slots, lines, 0};
    return {memory.base + view.offset, memory.line_bytes, memory.slots, lines, view.first_line};
  }
  const auto [at, added] = text.tables.try_emplace(view.memory, text.addresses.size());
  if (added) {
    for (int64_t address : memory.table) text.addresses.push_back(cat(std::max<int64_t>(0, address)));
  }
  return {.base = wanted.of_memory ? 0 : view.offset,
          .slots = memory.slots,
          .lines = lines,
          .first = wanted.of_memory ? 0 : view.first_line,
          .table = static_cast<int64_t>(at->second) + 1};
}

struct LineTable {
  std::string rows, word, place, address, more_fields;
  std::string counts;  // the function that tells how many lines there are, where the height is open
};

// A number of rows that follows the height: one case for each formula, 0 where it does not.
class RowCases {
 public:
  RowCases(LineText& text, SizedStream& sizes, std::string field, int64_t Row::*number)
      : text_(text), sizes_(sizes), field_(std::move(field)), number_(number) {}

  int64_t case_of(size_t row) {
    std::vector<int64_t> numbers;
    for (const std::unique_ptr<LineText>& at : sizes_.texts()) {
      if (at->lines != text_.lines) {
        sizes_.note("lines are found in another order");
        return 0;
      }
      numbers.push_back(row_of(*at, at->lines[row]).*number_);
    }
    const SizedNumber number =
        of_numbers(text_.c.analysis, cat(text_.c.names.prefix, "_", field_, "_", cases_.size()), numbers);
    if (!number.varies()) return 0;
    const auto [found, added] = cases_.try_emplace(number.text, std::ssize(cases_) + 1);
    if (added) {
      sizes_.tables += number.table;
      statements_ += cat("    case ", found->second, "u: return ", number.text, ";\n");
    }
    return found->second;
  }

  bool any() const { return !cases_.empty(); }

  // The number at the height of the run.
  std::string call() const { return cat(text_.c.names.prefix, "_", field_, "_at(arena, t)"); }

  std::string function() const {
    const std::string& p = text_.c.names.prefix;
    return cat("/* At the height of the run. */\nstatic TARN_UNUSED int32_t ", p, "_", field_,
               "_at(void *arena, const ", p, "_lines *t)\n{\n",
               any() ? cat("    const int32_t ", kSize, " = ", p, "_driver_in(arena)->place.size;\n    switch (t->at_",
                           field_, ") {\n", statements_, "    default: return (int32_t)t->", field_, ";\n    }\n")
                     : cat("    (void)arena;\n    return (int32_t)t->", field_, ";\n"),
               "}\n\n");
  }

 private:
  LineText& text_;
  SizedStream& sizes_;
  const std::string field_;
  int64_t Row::*number_;
  std::map<std::string, int64_t> cases_;
  std::string statements_;
};

// What of the rows of all lines follows the height.
struct SizedRows {
  std::vector<RowCases> fields;
  std::vector<std::string> columns;  // by row: further numbers of it
  std::string names;                 // of these
  bool first = false;                // `first` is among them
};

SizedRows sized_rows(LineText& text, SizedStream& sizes) {
  SizedRows rows;
  rows.columns.resize(text.lines.size());
  if (!sizes.sized()) return rows;
  const std::pair<const char*, int64_t Row::*> fields[] = {
      {"lines", &Row::lines}, {"pitch", &Row::pitch}, {"slots", &Row::slots}, {"first", &Row::first}};
  for (const auto& [field, number] : fields) {
    rows.fields.emplace_back(text, sizes, field, number);
    std::vector<int64_t> cases;
    for (size_t i = 0; i < text.lines.size(); ++i) cases.push_back(rows.fields.back().case_of(i));
    if (!rows.fields.back().any()) continue;
    rows.names += cat(", at_", field);
    rows.first = rows.first || number == &Row::first;
    for (size_t i = 0; i < cases.size(); ++i) rows.columns[i] += cat(", ", cases[i]);
  }
  for (size_t i = 0; i < text.lines.size() && sizes.fault.empty(); ++i) {
    const Row most = row_of(text, text.lines[i]);
    for (const std::unique_ptr<LineText>& at : sizes.texts()) {
      const Row own = row_of(*at, at->lines[i]);
      if (own.base != most.base || own.table != most.table)
        sizes.note(cat("the lines of '", text.c.analysis.program[text.lines[i].tensor].name, "' lie elsewhere"));
    }
  }
  return rows;
}

LineTable line_table(LineText& text, SizedStream& sizes) {
  std::vector<Row> rows;
  const SizedRows sized = sized_rows(text, sizes);
  int64_t most = 0, first = sized.first ? 1 : 0;  // at some height
  for (const LineText::Lines& wanted : text.lines) {
    const Row row = row_of(text, wanted);
    most = std::max({most, row.base, row.pitch, row.slots, row.lines, row.table});
    first = std::max(first, row.first);
    rows.push_back(row);
  }
  const std::string& p = text.c.names.prefix;
  const bool tables = !text.addresses.empty();
  LineTable table;
  table.word = most < 65536 ? "uint16_t" : "uint32_t";
  table.more_fields = cat(first > 0 ? ", first" : "", tables ? ", table" : "", sized.names);
  const std::string told = first > 0 ? "(first + l) % slots" : "l % slots";
  table.place = cat("base + ", told, " * pitch",
                    tables ? cat(";\n   with a table, at base + addresses[table - 1 + ", told, "]") : "");
  int64_t furthest = 0;
  for (const stream::Memory& memory : text.plan.memories) {
    for (int64_t address : memory.table) furthest = std::max(furthest, address);
  }
  if (tables) table.rows += array(furthest < 65536 ? "uint16_t" : "uint32_t", p + "_addresses", text.addresses);
  table.rows += cat("static const ", p, "_lines ", p, "_lines_of[] = {\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    table.rows += cat("    {", r.base, ", ", r.pitch, ", ", r.slots, ", ", r.lines, first > 0 ? cat(", ", r.first) : "",
                      tables ? cat(", ", r.table) : "", sized.columns[i], "},");
    table.rows += cat(" /* ", i, ": ", text.c.names.tensors[text.lines[i].tensor.pos()], " */\n");
  }
  table.rows += "};\n";
  for (const RowCases& field : sized.fields) {
    if (field.any() || &field == &sized.fields.front()) table.counts += field.function();
  }
  const auto number = [&](size_t field, const char* fixed) {
    return sizes.sized() && sized.fields[field].any() ? cat("(uint32_t)", sized.fields[field].call())
                                                      : std::string(fixed);
  };
  const std::string pitch = number(1, "t->pitch"), slots = number(2, "t->slots");
  const std::string line = first > 0 ? cat("((uint32_t)line + ", number(3, "t->first"), ")") : "(uint32_t)line";
  const std::string slot = line + " % " + slots;
  table.address = cat("    return (uint8_t *)arena + (t->base + ", slot, " * ", pitch, ");\n");
  if (tables) {
    table.address =
        cat("    const uint32_t slot = ", slot, ";\n    return (uint8_t *)arena + ((uint32_t)t->base +\n        (",
            "t->table != 0u ? ", p, "_addresses[t->table - 1u + slot] : slot * ", pitch, "));\n");
  }
  return table;
}

}  // namespace

std::string line_functions(LineText& text, SizedStream& sizes, std::map<std::string, std::string> holes) {
  if (text.lines.empty()) return "";
  const LineTable lines = line_table(text, sizes);
  holes["ROWS"] = lines.rows;
  holes["WORD"] = lines.word;
  holes["PLACE"] = lines.place;
  holes["MORE_FIELDS"] = lines.more_fields;
  holes["ADDRESS"] = lines.address;
  holes["COUNTS"] = lines.counts;
  return fill_template("templates/stream_lines.c", holes);
}

}  // namespace tarn::emit
