// Weights: C arrays, or one binary file that an assembler file includes, or an image.
#include <algorithm>

#include "emit/ids.h"
#include "emit/image.h"
#include "emit/kernels.h"
#include "emit/literals.h"
#include "emit/parts.h"
#include "emit/transfers.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

constexpr int64_t kAutoLimit = int64_t{4} << 20;  // bytes of weights up to which `auto` writes C arrays
constexpr int64_t kAlign = 16;

std::string literal_type(DType dtype) { return c_type(dtype); }

// The part of the binary file that goes to one section of the linker, and its weights in order.
struct Part {
  std::string section, symbol;
  std::vector<size_t> weights;
  std::vector<int64_t> offsets;  // of each, from the part's beginning
  int64_t bytes = 0;
};

std::vector<Part> binary_parts(const Context& c) {
  std::vector<Part> parts;
  const std::vector<program::Weight>& weights = c.analysis.program.weights;
  for (size_t i = 0; i < weights.size(); ++i) {
    auto part =
        std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.section == weights[i].section; });
    if (part == parts.end()) {
      const std::string number = parts.empty() ? "" : cat("_", parts.size());
      part = parts.insert(part, {weights[i].section, c.names.prefix + "_weights_bin" + number, {}, {}, 0});
    }
    part->weights.push_back(i);
    part->offsets.push_back(part->bytes);
    part->bytes = round_up(part->bytes + weights[i].bytes(), kAlign);
  }
  return parts;
}

// Assembly: one symbol for each part, in its section.
std::string binary_sections(const Context& c) {
  std::string text;
  int64_t first = 0;
  for (const Part& part : binary_parts(c)) {
    const std::string bytes = std::to_string(part.bytes);
    text += fill_template("templates/weights_part.S",
                          {{"SECTION", part.section.empty() ? ".rodata." + c.names.prefix + "_weights" : part.section},
                           {"SYMBOL", part.symbol},
                           {"PREFIX", c.names.prefix},
                           {"FIRST", std::to_string(first)},
                           {"BYTES", bytes}});
    first += part.bytes;
  }
  return text;
}

std::map<std::string, std::string> holes_for(const Context& c, const std::string& suffix) {
  return {{"FILE", c.names.prefix + suffix},
          {"VERSION", c.report.version},
          {"MODEL", c.report.file},
          {"CAPS", c.names.capitals},
          {"PREFIX", c.names.prefix},
          {"ID", own_id(c, plan_ids(c.names.capitals).weights)},
          {"CHECK", own_id_check(c, plan_ids(c.names.capitals).weights, "_weights.h")}};
}

// Packed types are written as the bytes they are.
int64_t stored_elements(const program::Weight& weight) {
  return bits_of(weight.dtype) < 8 ? weight.bytes() : weight.count;
}

std::string declaration(const Context& c, size_t weight) {
  const program::Weight& w = c.analysis.program.weights[weight];
  return cat("extern const ", literal_type(w.dtype), " ", c.names.weights[weight], "[",
             std::max<int64_t>(1, stored_elements(w)), "];\n");
}

std::string weights_header(const Context& c, bool binary) {
  std::string declarations;
  const program::Program& program = c.analysis.program;
  if (has_image(c.analysis)) {
    declarations = image_weights(c);
  } else if (binary) {
    for (const Part& part : binary_parts(c)) {
      declarations += cat("extern const uint8_t ", part.symbol, "[", std::max<int64_t>(part.bytes, 1), "];\n\n");
      for (size_t k = 0; k < part.weights.size(); ++k) {
        const size_t i = part.weights[k];
        declarations += cat("#define ", c.names.weights[i], " ((const ", literal_type(program.weights[i].dtype),
                            " *)(const void *)(", part.symbol, " + ", part.offsets[k], "u))\n");
      }
    }
  } else {
    for (size_t i = 0; i < program.weights.size(); ++i) declarations += declaration(c, i);
  }
  std::map<std::string, std::string> holes = holes_for(c, "_weights.h");
  holes["DECLARATIONS"] = declarations;
  return fill_template("templates/weights.h", holes);
}

void write_binary(const Context& c, const TextSink& sink) {
  for (const Part& part : binary_parts(c)) {
    for (const size_t i : part.weights) {
      int64_t done = 0;
      c.analysis.program.weights[i].write([&](std::span<const uint8_t> bytes) {
        sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        done += static_cast<int64_t>(bytes.size());
      });
      sink(std::string(static_cast<size_t>(round_up(done, kAlign) - done), '\0'));
    }
  }
}

}  // namespace

namespace {

// In a file that is no part of the code.
bool is_apart(const Context& c) { return has_image(c.analysis) || reads_weights(c.analysis); }

}  // namespace

std::string weights_include(const Context& c) {
  return cat("#include \"", c.names.prefix, "_weights.h\"\n",
             own_id_check(c, plan_ids(c.names.capitals).weights, "_weights.h"));
}

bool weights_as_binary(const Context& c) {
  const WeightForm form = c.analysis.options.weights;
  if (c.analysis.program.weights.empty() || c.options.weights_apart || is_apart(c)) return false;
  if (form != WeightForm::automatic) return form == WeightForm::incbin;
  return c.report.weights > kAutoLimit;
}

void write_weight_arrays(const Context& c, bool own_linkage, const TextSink& sink) {
  if (weights_as_binary(c) || reads_weights(c.analysis)) return;
  if (has_image(c.analysis)) return sink(image_weights(c) + "\n");
  const program::Program& program = c.analysis.program;
  for (size_t i = 0; i < program.weights.size(); ++i) {
    if (c.options.weights_apart) {
      sink(declaration(c, i));
      continue;
    }
    const program::Weight& weight = program.weights[i];
    const std::string section = weight.section.empty() ? "" : cat("TARN_SECTION(\"", weight.section, "\") ");
    const size_t element = static_cast<size_t>(std::max<int64_t>(1, bytes_for(weight.dtype, 1)));
    // A kernel chooses by its params how wide an element it reads: gcc, which sees the array too, warns of the wider
    // ones.
    const int64_t least = own_linkage ? std::max<int64_t>(1, 4 / static_cast<int64_t>(element)) : 1;
    sink(cat(section, own_linkage ? "static " : "", "const ", literal_type(weight.dtype), " ", c.names.weights[i], "[",
             std::max<int64_t>(least, stored_elements(weight)), "] = {\n"));
    std::string text;
    int column = 0;
    if (weight.count == 0) text = "0";
    std::vector<uint8_t> rest;  // an element that two pieces share
    weight.write([&](std::span<const uint8_t> bytes) {
      if (!rest.empty() || bytes.size() % element != 0) {
        rest.insert(rest.end(), bytes.begin(), bytes.end());
        const size_t whole = rest.size() / element * element;
        append_elements(text, weight.dtype, {rest.data(), whole}, column);
        rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(whole));
      } else {
        append_elements(text, weight.dtype, bytes, column);
      }
      if (text.size() > (1 << 16)) {
        sink(text);
        text.clear();
      }
    });
    sink(text);
    sink("};\n\n");
  }
}

std::vector<OutputFile> weight_files(const Context& c) {
  std::vector<OutputFile> files;
  if (c.analysis.program.weights.empty()) return files;
  if (reads_weights(c.analysis)) return {image_file(c)};
  const bool binary = weights_as_binary(c);
  const std::string& p = c.names.prefix;
  if (!c.options.single_file || binary) files.push_back(text_file(p + "_weights.h", weights_header(c, binary)));
  if (has_image(c.analysis)) {
    files.push_back(image_file(c));
  } else if (binary) {
    int64_t total = 0;
    for (const Part& part : binary_parts(c)) total += part.bytes;
    std::map<std::string, std::string> holes = holes_for(c, "_weights.S");
    holes["PARTS"] = binary_sections(c);
    files.push_back(text_file(p + "_weights.S", fill_template("templates/weights.S", holes)));
    files.push_back({p + "_weights.bin", [c](const TextSink& sink) { write_binary(c, sink); }, total});
  } else if (!c.options.single_file && !c.options.weights_apart) {
    const std::string head =
        cat("/* SPDX-License-Identifier: MIT-0\n * ", p, "_weights.c - generated by tarn ", c.report.version, " from ",
            c.report.file, "; do not edit. */\n", weights_include(c), kernel_includes({"tarn.h"}), "\n");
    files.push_back({p + "_weights.c", [c, head](const TextSink& sink) {
                       sink(head);
                       write_weight_arrays(c, false, sink);
                     }});
  }
  return files;
}

}  // namespace tarn::emit
