#include "emit/kernels.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "emit/ids.h"
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
      {"f32", "f64", "f16", "bf16", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "bool", "mve_f32"},
      {"b4", "b1", "b2", "b8"},
      {"s8", "s16"},
      {"w8", "w4", "w2", "w16", "w8h", "w4h", "w2h", "w8s", "w4s", "w2s"},
      {"v8", "v4", "v16"},
      {"dsp", "dsp_halves", "dsp4", "dsp2", "few"},
      {"mve", "mve4", "mve2"},
      {"f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz"},
  };
  return families;
}

// Layers that go over their lines as another does, so that their text is the other's with words replaced: pairs of its
// word and theirs, of which the first stands in the names of the files.
using Words = std::vector<std::pair<const char*, const char*>>;
const std::vector<Words>& like_layers() {
  static const std::vector<Words> layers = {
      {{"conv2d", "depthwise2d"}, {"conv_line", "depthwise_line"}},
      {{"conv_ring", "depthwise_ring"}, {"conv_line", "depthwise_line"}},
      {{"maxpool", "lppool"}},
  };
  return layers;
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

// The text of a runtime file that is there, by its own name or that of a layer like it.
std::optional<std::string> written_text(const std::string& file) {
  const std::string path = "runtime/" + file;
  if (has_embedded(path)) return std::string(embedded_text(path));
  for (const Words& words : like_layers()) {
    const auto [written, own] = words.front();
    const std::string like = "runtime/" + replace_suffix(file, own, written);
    if (like == path || !has_embedded(like)) continue;
    std::string text(embedded_text(like));
    for (const auto& [from, to] : words) text = replace_suffix(text, from, to);
    return text;
  }
  return {};
}

// The text of a runtime file, as it is or derived.
std::optional<std::string> file_text(const std::string& file) {
  if (auto text = written_text(file)) return text;
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
      if (const auto text = written_text(master)) return replace_suffix(*text, family[0], family[i]);
    }
  }
  return {};
}

// The name of the tarn header that a line includes; "": none.
std::string included_by(std::string_view line) {
  if (!line.starts_with("#include \"tarn")) return "";
  return std::string(line.substr(10, std::min(line.size(), line.find('"', 10)) - 10));
}

std::string stem_of(const std::string& file) { return file.substr(0, file.rfind('.')); }

std::string id_macro(const std::string& header) { return upper(stem_of(header)) + "_ID"; }

// Ids of headers, each found once.
class Ids {
 public:
  explicit Ids(const std::map<std::string, std::string>& texts) : texts_(texts) {}

  const std::string& of(const std::string& header) {
    const auto found = ids_.find(header);
    if (found != ids_.end()) return found->second;
    const std::string& text = texts_.at(header);
    std::string all = text;
    for (const std::string& next : kernel_headers_in(text)) all += of(next);
    const auto source = texts_.find(stem_of(header) + ".c");
    if (source != texts_.end()) all += source->second;
    return ids_[header] = id_of(all);
  }

  std::string check(const std::string& header) { return id_check(id_macro(header), of(header), header); }

  // The text of a file with its own id and the checks of others.
  std::string marked(const std::string& file) {
    const std::string guard = "#define " + upper(stem_of(file)) + "_H";
    // Each file says its licence by itself: projects copy single ones.
    const bool said = texts_.at(file).starts_with("/* SPDX-License-Identifier: ");
    std::string out = said ? "" : "/* SPDX-License-Identifier: MIT-0 */\n";
    size_t defined = 0;
    const std::vector<std::string> lines = split(texts_.at(file), '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
      out += i + 1 < lines.size() ? lines[i] + "\n" : lines[i];
      if (const std::string header = included_by(lines[i]); !header.empty()) out += check(header);
      if (lines[i] != guard) continue;
      out += id_definition(id_macro(file), of(file));
      ++defined;
    }
    TARN_CHECK(defined == (file.ends_with(".h") ? 1u : 0u));
    return out;
  }

 private:
  const std::map<std::string, std::string>& texts_;
  std::map<std::string, std::string> ids_;
};

}  // namespace

std::vector<std::string> kernel_headers_in(std::string_view text) {
  std::vector<std::string> headers;
  for (const std::string& line : split(text, '\n')) {
    if (std::string header = included_by(line); !header.empty()) headers.push_back(std::move(header));
  }
  return headers;
}

bool has_kernel_ids(std::string_view text) {
  for (const std::string& line : split(text, '\n')) {
    if ((line.starts_with("#define TARN_") && line.find("_ID 0x") != std::string::npos) ||
        (line.starts_with("#if TARN_") && line.find("_ID != 0x") != std::string::npos))
      return true;
  }
  return false;
}

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
    for (const std::string& next : kernel_headers_in(*text)) wanted.push_back(next);
    files[header] = std::move(*text);
    const std::string source = header.substr(0, header.size() - 2) + ".c";
    if (auto code = file_text(source)) {
      for (const std::string& next : kernel_headers_in(*code)) wanted.push_back(next);
      files[source] = std::move(*code);
    }
  }
  return {};
}

}  // namespace

std::map<std::string, std::string> kernel_texts(const std::set<std::string>& kernels) {
  std::map<std::string, std::string> files;
  for (const std::string& kernel : kernels) {
    if (const auto missing = add_files(kernel, files)) TARN_FAIL("no runtime file " + *missing);
  }
  return files;
}

std::map<std::string, std::string> kernel_files(const std::set<std::string>& kernels) {
  const std::map<std::string, std::string> texts = kernel_texts(kernels);
  Ids ids(texts);
  std::map<std::string, std::string> files;
  for (const auto& [name, text] : texts) files[name] = ids.marked(name);
  return files;
}

std::string kernel_includes(const std::vector<std::string>& headers) {
  std::set<std::string> kernels;
  for (const std::string& header : headers) kernels.insert(stem_of(header));
  const std::map<std::string, std::string> texts = kernel_texts(kernels);
  Ids ids(texts);
  std::string includes, checks;
  for (const std::string& header : headers) {
    includes += "#include \"" + header + "\"\n";
    checks += ids.check(header);
  }
  return includes + checks;
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
