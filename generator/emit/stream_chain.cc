// A line-buffer operator: its layers in turn, some columns at a time (see the notes [chunks] and [recompute] in
// stream/network/chains.h).
// Pointers to lines of which only some columns are there stand where column 0 would be.
#include <algorithm>

#include "emit/call.h"
#include "emit/line_work.h"
#include "emit/stream_call.h"
#include "program/line_scratch.h"
#include "stream/network/chains.h"
#include "stream/network/grid.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

using program::Argument;
using program::LineArgument;
using program::LineMap;
using program::Operation;
using program::TensorId;
using How = LineArgument::How;

class ChainWriter {
 public:
  ChainWriter(LineText& text, size_t number)
      : text_(text),
        program_(text.c.analysis.program),
        number_(number),
        actor_(text.plan.actors[number]),
        form_(*actor_.line_buffer) {
    const Operation& mid = operation(form_.mid);
    window_ = mid.line_form->calls[0].rows();
    TARN_CHECK(window_ && !window_->map.table && !window_->map.exact && window_->map.divide == 1);
    middle_ = mid.arguments[window_->argument].tensor;
  }

  std::string write() {
    const LineMap& map = window_->map;
    const int64_t lines = program_[middle_].geometry.lines, pixels = program_[result(form_.mid)].geometry.pixels;
    const int64_t chunks = (pixels + form_.chunk - 1) / form_.chunk, reach = map.first + (map.count - 1) * map.step + 1;
    const std::string p = text_.c.names.prefix;
    text_.chains = true;
    const std::vector<int64_t> read = columns();
    for (size_t c = 1; 2 * c < read.size(); ++c) gaps_ = gaps_ || read[2 * c] > read[2 * c - 1];
    std::string body =
        cat("        for (chunk = 0; chunk < ", chunks, "; ++chunk) {\n            const int32_t p0 = chunk * ",
            form_.chunk, ";\n", "            const int32_t p1 = p0 + ", form_.chunk, " < ", pixels, " ? p0 + ",
            form_.chunk, " : ", pixels, ";\n");
    if (form_.mid > 0) body += make_window();
    for (size_t i = form_.mid; i < actor_.operations.size(); ++i)
      body += call(i, "r", "p0", "p1", destination(i), "            ");
    if (form_.mid > 0) body += keep();
    body += "        }\n";
    const std::string before = form_.mid > 0 ? direct() : "";
    std::string out = declared_;
    if (form_.mid == 0) return out + "        int32_t chunk;\n" + body;
    out +=
        cat("        /* By chunk: the first column that it or a later one reads, and the end. */\n        static const "
            "uint16_t columns[] = {",
            join(read), "};\n");
    if (!form_.recompute)
      out += cat("        const int32_t from = r == 0 ? 0 : ", p, "_clip(", map.scale, " * (r - 1) + ", reach, ", ",
                 lines, ");\n");
    out += cat("        const int32_t end = ", p, "_clip(", map.scale, " * r + ", reach, ", ", lines, ");\n");
    if (form_.recompute)
      out += cat("        const int32_t first = ", p, "_clip(", map.scale, " * r + (", map.first, "), ", lines, ");\n");
    else
      out += cat("        const int32_t first = end - ", form_.window_lines, " > from ? end - ", form_.window_lines,
                 " : from;\n");
    if (form_.history_lines > 0)
      out += cat("        const int32_t kept = ", p, "_clip(", map.scale, " * (r + 1) + (", map.first, "), ", lines,
                 ");\n");
    out +=
        "        int32_t origin = columns[0];\n        int32_t done = origin;\n        int32_t chunk;\n        int32_t "
        "line;\n";
    return out + before + body;
  }

 private:
  const Operation& operation(size_t position) const { return program_[actor_.operations[position]]; }
  TensorId result(size_t position) const { return stream::only_result(operation(position)); }
  int64_t pixel_bytes(TensorId id) const { return program_[id].geometry.channels * program_[id].element_bytes(); }
  std::string type_of(TensorId id) const { return c_type(program_[id].type.dtype); }
  int64_t window() const { return text_.plan.memories[static_cast<size_t>(form_.memory)].address(0); }
  int64_t scratch() const { return text_.plan.memories[static_cast<size_t>(actor_.scratch)].address(0); }
  std::string at(const std::string& offset) const { return "((uint8_t *)arena + (" + offset + "))"; }
  std::string cast(TensorId id, const std::string& bytes, bool constant) const {
    return cat(constant ? "(const " : "(", type_of(id), constant ? " *)(const void *)" : " *)(void *)", bytes);
  }

  // By chunk: the first column of the middle tensor that it or a later one reads; the end of what has been read with
  // it.
  std::vector<int64_t> columns() const {
    const std::vector<program::Span> reads = stream::columns_read(program_, operation(form_.mid), window_->argument);
    std::vector<int64_t> list;
    for (const program::Span& chunk :
         stream::columns_of_chunks(reads, form_.chunk, program_[middle_].geometry.pixels)) {
      list.push_back(chunk.first);
      list.push_back(std::max(chunk.end, chunk.first));
    }
    return list;
  }

  std::string window_line(const std::string& line) const {
    const int64_t pixel = pixel_bytes(middle_);
    return at(
        cat(window() + form_.window, " + ((", line, " - first) * ", form_.window_columns, " - origin) * ", pixel));
  }
  std::string history_line(const std::string& line) const {
    const stream::Memory& memory = text_.plan.memories[static_cast<size_t>(form_.history)];
    const int64_t bytes = pixel_bytes(middle_) * program_[middle_].geometry.pixels;
    return at(cat(memory.address(0), " + ", line, " % ", form_.history_lines, " * ", bytes));
  }

  // What lies at made[position], seen from column 0.
  std::string chunk_of(size_t position) const {
    return at(cat(window() + form_.made[position], " - p0 * ", pixel_bytes(result(position))));
  }

  // Where an operation of a chunk puts its pixels.
  std::string destination(size_t position) {
    const TensorId id = result(position);
    if (position + 1 == actor_.operations.size()) return line_pointer(text_, id, "r");
    return cast(id, chunk_of(position), false);
  }

  // The first step makes more lines than the window holds. Compilers would warn of a loop that never runs.
  bool has_direct() const {
    const int64_t end = window_->map.first + (window_->map.count - 1) * window_->map.step + 1;
    // At the heights of a range the loop runs or does not.
    const int64_t lines = text_.c.analysis.every_size.empty() ? program_[middle_].geometry.lines : end;
    return form_.history_lines > 0 && std::min(lines, end) > form_.window_lines;
  }

  // The lines that are new but find no place in the window go straight into the history: the first step's.
  std::string direct() {
    if (!has_direct()) return "";
    std::string out = "        for (line = from; line < first; ++line) {\n";
    for (size_t i = 0; i < form_.mid; ++i) {
      out += call(i, "line", "0", cat(program_[middle_].geometry.pixels), cast(middle_, history_line("line"), false),
                  "            ");
    }
    return out + "        }\n";
  }

  std::string make_window() {
    std::string out = "            const int32_t until = columns[2 * chunk + 1];\n";
    std::string rows = cat("            for (line = first; line < end && done < until; ++line) {\n");
    for (size_t i = 0; i < form_.mid; ++i) {
      rows += call(i, "line", "done", "until", cast(middle_, window_line("line"), false), "                ");
    }
    return out + rows + "            }\n            done = until;\n";
  }

  std::string keep() const {
    const std::string p = text_.c.names.prefix;
    const int64_t pixel = pixel_bytes(middle_), row = form_.window_columns * pixel, at_window = window() + form_.window;
    const int64_t chunks = (program_[result(form_.mid)].geometry.pixels + form_.chunk - 1) / form_.chunk;
    // Strides beyond the kernel leave columns between chunks that nobody reads, and nobody makes.
    const char* skipped = "                const int32_t end_of_read = next < done ? next : done;\n";
    const char* going_on = "                done = done < origin ? origin : done;\n";
    const std::string read_to = gaps_ ? "end_of_read" : "next";
    std::string out =
        cat("            {\n                const int32_t next = chunk < ", chunks - 1,
            " ? columns[2 * chunk + 2] : done;\n", gaps_ ? skipped : "",
            "                for (line = first; line < end; ++line) {\n                    uint8_t *const held = ",
            at(cat(at_window, " + (line - first) * ", row)), ";\n");
    if (form_.history_lines > 0) {
      out += cat("                    if (line >= kept) {\n                        ", p, "_move(", history_line("line"),
                 " + origin * ", pixel, ", held, (", read_to, " - origin) * ", pixel, ");\n                    }\n");
    }
    out += cat("                    ", p, "_move(held, held + (", read_to, " - origin) * ", pixel, ", (done - ",
               read_to, ") * ", pixel, ");\n                }\n", "                origin = next;\n",
               gaps_ ? going_on : "", "            }\n");
    return out;
  }

  // The lines under the window: older ones from the history, new ones from the window.
  std::string window_rows(const std::string& pad) {
    const LineMap& map = window_->map;
    const std::string type = type_of(middle_), name = "rows_mid";
    declared_ += cat("        const ", type, " *", name, "[", map.count, "];\n");
    if (form_.mid == 0) {
      text_.row_types.insert(type);
      return cat(pad, text_.c.names.prefix, "_rows_", type, "(", base_of(text_, middle_), ", ",
                 lines_of(text_, middle_), ", ", map.scale, " * r + (", map.first, "), ", map.step, ", ", map.count,
                 ", ", name, ");\n");
    }
    std::string inner = "at >= first ? " + cast(middle_, window_line("at"), true);
    if (form_.history_lines > 0)
      inner += "\n" + pad + "                         : " + cast(middle_, history_line("at"), true);
    else inner += " : NULL";
    return cat(pad, "for (line = 0; line < ", map.count, "; ++line) {\n", pad, "    const int32_t at = ", map.scale,
               " * r + (", map.first, ") + line * ", map.step, ";\n", pad,
               "    if (at < 0 || at >= ", program_[middle_].geometry.lines, ") {\n", pad, "        ", name,
               "[line] = NULL;\n", pad, "    } else {\n", pad, "        ", name, "[line] = ", inner, ";\n", pad,
               "    }\n", pad, "}\n");
  }

  // One call of an operation of the chain, for the columns [first, end) of a line.
  std::string call(size_t position, const std::string& line, const std::string& first, const std::string& end,
                   const std::string& to, const std::string& pad) {
    const Operation& op = operation(position);
    const program::LineCall& call = op.line_form->calls[0];
    const TensorId made = result(position), inner = position > 0 ? result(position - 1) : TensorId{};
    const std::string params = params_text(text_, cat(number_, "_", position));
    std::vector<std::string> arguments;
    std::string before;
    // The first and the end of the columns stand side by side.
    const size_t range = range_of(call, program_[made].geometry.pixels);
    const bool ranged = range < call.arguments.size();
    // Without one the pointers move on.
    const std::string moved = ranged ? "" : cat(" + (", first, ") * ");
    if (!op.line_form->params.type.empty()) {
      if (ranged) {
        arguments.push_back("&" + params);
      } else {
        declared_ += declared_params(position);
        const std::optional<CField> run = dense_run(text_.c.analysis, op);
        before += cat(
            pad, "run_", position, " = ", params, ";\n", pad, "run_", position, run ? run->path : ".outer", " = ",
            run ? cat("(", end, " - ", first, ") * ", std::get<int64_t>(run->number)) : cat(end, " - ", first), ";\n");
        arguments.push_back(cat("&run_", position));
      }
    }
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const LineArgument& a = call.arguments[i];
      const Argument& operand = op.arguments[a.argument];
      if (ranged && i == range) arguments.push_back(first);
      else if (ranged && i == range + 1) arguments.push_back(end);
      else if (a.how == How::number) arguments.push_back(cat(a.number));
      else if (a.how == How::apart) arguments.push_back(stream::writes_over_reads(actor_, position) ? "0" : "1");
      else if (a.how == How::line || a.how == How::rows) {
        const bool own =
            operand.role == Argument::Role::write ? position + 1 < actor_.operations.size() : operand.tensor == inner;
        const int64_t pitch =
            own ? program_[operand.tensor].geometry.channels : text_.plan.views[operand.tensor.pos()].pixel_pitch;
        const std::string shift = ranged ? "" : moved + cat(pitch);
        if (operand.role == Argument::Role::write) arguments.push_back(to + shift);
        else arguments.push_back(read(position, a, line, to, pad, before) + shift);
      } else {
        TARN_CHECK(a.how == How::same);
        arguments.push_back(same(position, a));
      }
    }
    return before + pad + call_text(call.kernel, arguments, static_cast<int>(pad.size())) + ";\n";
  }

  // An operand by lines: what the operation before has made, or a line from outside.
  std::string read(size_t position, const LineArgument& a, const std::string& line, const std::string& to,
                   const std::string& pad, std::string& before) {
    const Operation& op = operation(position);
    const TensorId id = op.arguments[a.argument].tensor;
    const bool inner = position > 0 && id == result(position - 1);
    if (position == form_.mid && &a == window_) {
      before += window_rows(pad);
      return "rows_mid";
    }
    const std::string type = type_of(id);
    if (!inner) {
      if (a.how == How::line) return "(const " + line_pointer(text_, id, line).substr(1);
      text_.row_types.insert(type);
      std::string name = pointers(cat("rows_", position), type, a.map.count);
      before +=
          cat(pad, text_.c.names.prefix, "_rows_", type, "(", base_of(text_, id), ", ", lines_of(text_, id), ", ",
              a.map.scale, " * ", line, " + (", a.map.first, "), ", a.map.step, ", ", a.map.count, ", ", name, ");\n");
      return name;
    }
    // Layers before the window work in place.
    std::string from = position < form_.mid ? "(const " + type + " *)" + to : cast(id, chunk_of(position - 1), true);
    if (a.how == How::line) return from;
    TARN_CHECK(a.map.count == 1);
    std::string name = pointers(cat("rows_", position), type, 1);
    before += cat(pad, name, "[0] = ", from, ";\n");
    return name;
  }

  // An array of pointers to lines, declared once. Returns its name.
  std::string pointers(std::string name, const std::string& type, int64_t count) {
    if (declared_.find(" *" + name + "[") == std::string::npos)
      declared_ += cat("        const ", type, " *", name, "[", count, "];\n");
    return name;
  }

  std::string same(size_t position, const LineArgument& a) {
    const Operation& op = operation(position);
    const Argument& operand = op.arguments[a.argument];
    if (operand.role == Argument::Role::scratch) {
      const std::vector<int64_t> offsets = program::line_scratch_offsets(program_, op);
      return cast(operand.tensor, at(cat(scratch(), " + ", offsets[a.argument])), false);
    }
    if (operand.role == Argument::Role::lines) return pointers(cat("lines_", position), operand.c_type, operand.count);
    return operand_text(text_, actor_.operations[position], a.argument);
  }

  std::string declared_params(size_t position) const {
    const std::string name = cat(" run_", position, ";");
    return declared_.find(name) == std::string::npos
               ? cat("        ", operation(position).line_form->params.type, name, "\n")
               : "";
  }

  LineText& text_;
  const program::Program& program_;
  size_t number_;
  const stream::Actor& actor_;
  const stream::LineBuffer& form_;
  const LineArgument* window_ = nullptr;
  TensorId middle_;
  bool gaps_ = false;  // between the columns of two chunks
  std::string declared_;
};

}  // namespace

std::string chain_statements(LineText& text, size_t number) { return ChainWriter(text, number).write(); }

// Elementwise kernels are told one pixel: how many there are, as runs or as one, follows at the call.
std::vector<ActorParams> chain_params(const Context& c, size_t number) {
  const stream::Actor& actor = c.analysis.stream->actors[number];
  std::vector<ActorParams> out;
  for (size_t i = 0; i < actor.operations.size(); ++i) {
    const Operation& operation = c.analysis.program[actor.operations[i]];
    const int64_t channels = c.analysis.program[stream::only_result(operation)].geometry.channels;
    out.push_back(
        {&operation, operation.line_form->params, {.one_line = true, .flat_elements = channels}, cat(number, "_", i)});
  }
  return out;
}

}  // namespace tarn::emit
