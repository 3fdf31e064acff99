// Weights: C arrays, or one binary file that an assembler file includes.
#include "emit/ids.h"
#include "emit/kernels.h"
#include "emit/literals.h"
#include "emit/parts.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

constexpr int64_t kAutoLimit = int64_t{4} << 20;  // bytes of weights up to which `auto` writes C arrays
constexpr int64_t kAlign = 16;

std::string literal_type(DType dtype) { return c_type(dtype); }

// Where each weight begins in the binary file.
std::vector<int64_t> binary_offsets(const program::Program& program, int64_t& total) {
  std::vector<int64_t> offsets;
  total = 0;
  for (const program::Weight& weight : program.weights) {
    offsets.push_back(total);
    total = round_up(total + weight.bytes(), kAlign);
  }
  return offsets;
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
  if (binary) {
    int64_t total = 0;
    const std::vector<int64_t> offsets = binary_offsets(program, total);
    declarations +=
        cat("extern const uint8_t ", c.names.prefix, "_weights_bin[", std::max<int64_t>(total, 1), "];\n\n");
    for (size_t i = 0; i < program.weights.size(); ++i) {
      declarations += cat("#define ", c.names.weights[i], " ((const ", literal_type(program.weights[i].dtype),
                          " *)(const void *)(", c.names.prefix, "_weights_bin + ", offsets[i], "u))\n");
    }
  } else {
    for (size_t i = 0; i < program.weights.size(); ++i) declarations += declaration(c, i);
  }
  std::map<std::string, std::string> holes = holes_for(c, "_weights.h");
  holes["DECLARATIONS"] = declarations;
  return fill_template("templates/weights.h", holes);
}

void write_binary(const Context& c, const TextSink& sink) {
  int64_t done = 0;
  for (const program::Weight& weight : c.analysis.program.weights) {
    const int64_t padding = round_up(done, kAlign) - done;
    if (padding > 0) sink(std::string(static_cast<size_t>(padding), '\0'));
    done += padding;
    weight.write([&](std::span<const uint8_t> bytes) {
      sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      done += static_cast<int64_t>(bytes.size());
    });
  }
  const int64_t padding = round_up(done, kAlign) - done;
  if (padding > 0) sink(std::string(static_cast<size_t>(padding), '\0'));
}

}  // namespace

std::string weights_include(const Context& c) {
  return cat("#include \"", c.names.prefix, "_weights.h\"\n",
             own_id_check(c, plan_ids(c.names.capitals).weights, "_weights.h"));
}

bool weights_as_binary(const Context& c) {
  if (c.analysis.program.weights.empty()) return false;
  if (c.options.weights != WeightForm::automatic) return c.options.weights == WeightForm::incbin;
  return c.report.weights > kAutoLimit;
}

void write_weight_arrays(const Context& c, bool own_linkage, const TextSink& sink) {
  if (weights_as_binary(c)) return;
  const program::Program& program = c.analysis.program;
  for (size_t i = 0; i < program.weights.size(); ++i) {
    if (c.options.weights_apart) {
      sink(declaration(c, i));
      continue;
    }
    const program::Weight& weight = program.weights[i];
    sink(cat(own_linkage ? "static " : "", "const ", literal_type(weight.dtype), " ", c.names.weights[i], "[",
             std::max<int64_t>(1, stored_elements(weight)), "] = {\n"));
    std::string text;
    int column = 0;
    if (weight.count == 0) text = "0";
    const size_t element = static_cast<size_t>(std::max<int64_t>(1, bytes_for(weight.dtype, 1)));
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
  const bool binary = weights_as_binary(c);
  const std::string& p = c.names.prefix;
  if (!c.options.single_file || binary) files.push_back(text_file(p + "_weights.h", weights_header(c, binary)));
  if (binary) {
    int64_t total = 0;
    binary_offsets(c.analysis.program, total);
    std::map<std::string, std::string> holes = holes_for(c, "_weights.S");
    holes["BYTES"] = std::to_string(total);
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
