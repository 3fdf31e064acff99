#include "emit/names.h"

#include <algorithm>
#include <cctype>

#include "support/text.h"

namespace tarn::emit {

namespace {

// Of C99, C++17, and what <stdint.h> and the emitted code itself define.
const std::set<std::string>& reserved() {
  static const std::set<std::string> words = {
      "alignas",     "alignof",  "and",      "and_eq",    "asm",        "auto",         "bitand",
      "bitor",       "bool",     "break",    "case",      "catch",      "char",         "char16_t",
      "char32_t",    "class",    "compl",    "const",     "const_cast", "constexpr",    "continue",
      "decltype",    "default",  "delete",   "do",        "double",     "dynamic_cast", "else",
      "enum",        "explicit", "export",   "extern",    "false",      "float",        "for",
      "friend",      "goto",     "if",       "inline",    "int",        "long",         "mutable",
      "namespace",   "new",      "noexcept", "not",       "not_eq",     "nullptr",      "operator",
      "or",          "or_eq",    "private",  "protected", "public",     "register",     "reinterpret_cast",
      "restrict",    "return",   "short",    "signed",    "sizeof",     "static",       "static_assert",
      "static_cast", "struct",   "switch",   "template",  "this",       "thread_local", "throw",
      "true",        "try",      "typedef",  "typeid",    "typename",   "union",        "unsigned",
      "using",       "virtual",  "void",     "volatile",  "wchar_t",    "while",        "xor",
      "xor_eq",      "arena",    "step",     "status",    "a",          "lines",        "p",
      "size_of_run"};
  return words;
}

}  // namespace

std::string prefix_identifier(const std::string& name) {
  std::string out;
  for (char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128 ? c : '_';
  if (out.empty() || out.find_first_not_of('_') == std::string::npos) out = "t" + out;
  if (std::isdigit(static_cast<unsigned char>(out[0]))) out = "t" + out;
  // A leading underscore may belong to the implementation.
  if (out[0] == '_') out = "t" + out;
  return out;
}

std::string identifier(const std::string& name) {
  std::string out = prefix_identifier(name);
  if (reserved().contains(out)) out += "_";
  return out;
}

std::string Names::unique(const std::string& name) {
  const std::string base = identifier(name);
  std::string candidate = base;
  // Macros are spelled in capitals, so names that differ in case only would meet there.
  for (int n = 2; !taken_.insert(upper(candidate)).second; ++n) candidate = cat(base, "_", n);
  return candidate;
}

std::string CNames::output_parameter(size_t i) const {
  const bool clashes = std::find(inputs.begin(), inputs.end(), outputs[i]) != inputs.end();
  return clashes ? outputs[i] + "_out" : outputs[i];
}

CNames make_names(const std::string& prefix, const program::Program& program) {
  CNames names;
  names.prefix = prefix_identifier(prefix);
  names.capitals = upper(names.prefix);
  // Inputs and outputs take their names first: users type them.
  Names tensors, inputs, outputs, weights;
  names.tensors.resize(program.tensors.size());
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const std::string& name = i < program.input_names.size() ? program.input_names[i] : program[program.inputs[i]].name;
    names.inputs.push_back(inputs.unique(name));
    names.tensors[program.inputs[i].pos()] = tensors.unique(name);
  }
  // A state is called as its input, also where an output is updated in its place.
  for (size_t i = 0; i < program.states.size(); ++i)
    names.tensors[program.states[i].pos()] = tensors.unique(program.kept[i].in);
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const std::string& name =
        i < program.output_names.size() ? program.output_names[i] : program[program.outputs[i]].name;
    names.outputs.push_back(outputs.unique(name));
    std::string& tensor = names.tensors[program.outputs[i].pos()];
    if (tensor.empty()) tensor = tensors.unique(name);
  }
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    if (names.tensors[i].empty()) names.tensors[i] = tensors.unique(program.tensors[i].name);
  }
  for (const program::Weight& weight : program.weights)
    names.weights.push_back(names.prefix + "_w_" + weights.unique(weight.name));
  return names;
}

}  // namespace tarn::emit
