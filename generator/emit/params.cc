#include "emit/params.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "support/check.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::string without_comments(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) != "/*") {
      out += text[i++];
      continue;
    }
    const size_t end = text.find("*/", i + 2);
    i = end == std::string_view::npos ? text.size() : end + 2;
    out += ' ';
  }
  return out;
}

bool in_name(char ch) { return std::isalnum(static_cast<unsigned char>(ch)) || ch == '_'; }

// The declared name of "*x", " w[4]" or "int32_t n": the last one before an array's bounds.
std::string declared(std::string_view declarator) {
  size_t end = std::min(declarator.find('['), declarator.size());
  while (end > 0 && !in_name(declarator[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && in_name(declarator[begin - 1])) --begin;
  return std::string(declarator.substr(begin, end - begin));
}

class Checker {
 public:
  explicit Checker(const std::map<std::string, std::string>& texts) {
    for (const auto& [name, text] : texts) {
      if (name.ends_with(".h")) headers_.push_back(without_comments(text));
    }
  }

  void check(const program::Params& params) {
    if (params.type.empty()) return;
    std::vector<std::string> fields;
    for (const program::Field& field : params.fields) {
      fields.push_back(field.name);
      if (const auto* inner = std::get_if<program::Params>(&field.value)) check(*inner);
    }
    if (!seen_.insert(params.type + " " + join(fields)).second) return;
    for (const std::string& header : headers_) {
      const auto members = struct_members(header, params.type);
      if (!members) continue;
      if (*members != fields)
        TARN_FAIL(cat(params.type, " has the members ", join(*members), "; a call gives ", join(fields)));
    }
  }

 private:
  std::vector<std::string> headers_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<std::vector<std::string>> struct_members(std::string_view header, const std::string& name) {
  const std::string text = without_comments(header), tail = "} " + name + ";";
  const size_t end = text.find(tail);
  if (end == std::string::npos) return {};
  const size_t begin = text.rfind('{', end);
  TARN_CHECK(begin != std::string::npos);
  std::vector<std::string> members;
  for (const std::string& declaration : split(text.substr(begin + 1, end - begin - 1), ';')) {
    for (const std::string& declarator : split(declaration, ',')) {
      if (std::string member = declared(declarator); !member.empty()) members.push_back(std::move(member));
    }
  }
  return members;
}

void check_params(const program::Program& program, const std::map<std::string, std::string>& texts) {
  Checker checker(texts);
  for (const program::Operation& operation : program.operations) {
    checker.check(operation.params);
    if (operation.line_form) checker.check(operation.line_form->params);
  }
}

}  // namespace tarn::emit
