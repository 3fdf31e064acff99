#include "emit/kernels.h"

#include <array>
#include <optional>
#include <vector>

#include "ops/kernel_text.h"
#include "support/check.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

// A kernel that is the same for several element types is written for the first of them; the others are its text with
// the suffix replaced.
const std::vector<std::vector<std::string>>& suffix_families() {
  static const std::vector<std::vector<std::string>> families = {
      {"s32", "s64", "s16", "s8", "u8", "u16", "u32", "u64", "bool"},
      {"f32", "f64", "f16", "bf16", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "bool"},
      {"b4", "b1", "b2", "b8"},
      {"s8", "s16"},
      {"f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz"},
  };
  return families;
}

std::string replace_suffix(std::string_view text, const std::string& from, const std::string& to) {
  std::string out;
  const std::string lower = "_" + from, capitals = "_" + upper(from);
  for (size_t i = 0; i < text.size();) {
    bool replaced = false;
    for (const std::string& old : {lower, capitals}) {
      const size_t end = i + old.size();
      // Whole suffixes only: not "_f32x".
      const bool ends = end >= text.size() || !(std::isalnum(static_cast<unsigned char>(text[end])));
      if (text.substr(i, old.size()) == old && ends) {
        out += "_" + (old == lower ? to : upper(to));
        i = end;
        replaced = true;
        break;
      }
    }
    if (!replaced) out += text[i++];
  }
  return out;
}

// tarn_fn_exp_f32.h: the function exp of one real type, for kernels written for all of them. Its name is not the
// kernel's tarn_exp_f32, which may stand in the same file.
std::optional<std::string> function_header(const std::string& file) {
  if (!file.starts_with("tarn_fn_") || !file.ends_with(".h")) return {};
  const std::string stem = file.substr(8, file.size() - 10);
  const size_t at = stem.rfind('_');
  if (at == std::string::npos) return {};
  const std::string name = stem.substr(0, at), suffix = stem.substr(at + 1);
  if (suffix != "f32" && suffix != "f64" && suffix != "f16" && suffix != "bf16") return {};
  const std::string function = name + (suffix == "f64" ? "" : "f");
  return fill_template("templates/kernels/function.h", {{"GUARD", upper("tarn_fn_" + stem) + "_H"},
                                                        {"FUNCTION", function},
                                                        {"ALIAS", "tarn_fn_" + name + "_" + suffix}});
}

// The text of a runtime file, as it is or derived.
std::optional<std::string> file_text(const std::string& file) {
  const std::string path = "runtime/" + file;
  if (has_embedded(path)) return std::string(embedded_text(path));
  if (auto header = function_header(file)) return header;
  const size_t dot = file.rfind('.');
  const std::string stem = file.substr(0, dot), extension = file.substr(dot);
  if (auto kernel = ops::written_kernel(stem)) return extension == ".h" ? kernel->header : kernel->source;
  for (const std::vector<std::string>& family : suffix_families()) {
    for (size_t i = 1; i < family.size(); ++i) {
      const std::string suffix = "_" + family[i];
      // The suffix may stand before a further part: tarn_add_f16_nd.
      const size_t at = stem.rfind(suffix);
      if (at == std::string::npos) continue;
      const size_t end = at + suffix.size();
      if (end < stem.size() && stem[end] != '_') continue;
      const std::string master = stem.substr(0, at) + "_" + family[0] + stem.substr(end) + extension;
      if (has_embedded("runtime/" + master)) {
        return replace_suffix(embedded_text("runtime/" + master), family[0], family[i]);
      }
    }
  }
  return {};
}

// The tarn headers that a text includes.
std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> headers;
  for (const std::string& line : split(text, '\n')) {
    if (!line.starts_with("#include \"tarn")) continue;
    const size_t end = line.find('"', 10);
    headers.push_back(line.substr(10, end - 10));
  }
  return headers;
}

}  // namespace

bool has_kernel(const std::string& name) { return file_text(name + ".c").has_value(); }

namespace {

// The files of a kernel, added to those that are there; the first that cannot be had.
std::optional<std::string> add_files(const std::string& kernel, std::map<std::string, std::string>& files) {
  std::vector<std::string> wanted{kernel + ".h"};
  while (!wanted.empty()) {
    const std::string header = wanted.back();
    wanted.pop_back();
    if (files.contains(header)) continue;
    auto text = file_text(header);
    if (!text) return header;
    for (const std::string& next : includes_of(*text)) wanted.push_back(next);
    files[header] = std::move(*text);
    const std::string source = header.substr(0, header.size() - 2) + ".c";
    if (auto code = file_text(source)) {
      for (const std::string& next : includes_of(*code)) wanted.push_back(next);
      files[source] = std::move(*code);
    }
  }
  return {};
}

}  // namespace

std::map<std::string, std::string> kernel_files(const std::set<std::string>& kernels) {
  std::map<std::string, std::string> files;
  for (const std::string& kernel : kernels) {
    if (const auto missing = add_files(kernel, files)) TARN_FAIL("no runtime file " + *missing);
  }
  return files;
}

Diagnostics check_kernels(const program::Program& program, const std::string& model_path) {
  Diagnostics faults;
  std::map<std::string, std::string> files;
  for (const program::Operation& operation : program.operations) {
    if (operation.kernel.empty()) continue;
    const auto missing = add_files(operation.kernel, files);
    if (!missing) continue;
    Where where{.file = model_path, .node = {}, .node_name = {}, .op = operation.op, .tensor = {}};
    if (!operation.nodes.empty()) where.node_name = operation.nodes[0];
    faults.push_back({"E204", where, "no kernel for its element type: there is no " + *missing,
                      "see `tarn ops` for the types that are supported"});
  }
  return faults;
}

}  // namespace tarn::emit
