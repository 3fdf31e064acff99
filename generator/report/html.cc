// The report as one HTML page that needs no network: templates/report/page.html with its style and scripts, the text
// and the JSON put in.
#include "report/html_text.h"
#include "report/report.h"
#include "support/sha256.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::report {

std::string html_escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

namespace {

// Inside a script element nothing may look like markup: a name can hold "</script>".
std::string for_script(const std::string& json) {
  std::string result;
  for (char c : json) {
    if (c == '<') result += "\\u003c";
    else result += c;
  }
  return result;
}

std::string base64_of_hex(const std::string& digits) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (size_t i = 0; i < digits.size(); i += 6) {  // three bytes, four letters
    const std::string piece = digits.substr(i, 6);
    const unsigned long value = std::stoul(piece + std::string(6 - piece.size(), '0'), nullptr, 16);
    for (size_t k = 0; k < 4; ++k) result += k <= piece.size() / 2 ? kLetters[value >> (18 - 6 * k) & 63] : '=';
  }
  return result;
}

// What a Content-Security-Policy names each script of the page by: 'sha256-...' (CSP Level 3, section 8.4). Nothing
// else runs there, whatever the names of a model hold.
std::string hashes_of_scripts(const std::string& page) {
  const std::string begin = "<script>", end = "</script>";
  std::string result;
  for (size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    const std::string script = page.substr(at, page.find(end, at) - at);
    const auto* bytes = reinterpret_cast<const uint8_t*>(script.data());
    result += cat(result.empty() ? "" : " ", "'sha256-", base64_of_hex(sha256_hex({bytes, script.size()})), "'");
  }
  return result;
}

bool over(const std::optional<Budget>& budget) { return budget && !budget->fits; }

}  // namespace

std::string to_html(const Report& r) {
  const std::string title =
      (over(r.ram_budget) || over(r.flash_budget) || r.over_time() ? "DOES NOT FIT: " : "") + r.file;
  // In the order in which they need each other.
  std::string script;
  for (const char* part : {"model", "plans", "figures", "map", "pointing", "start"})
    script += embedded_text(cat("templates/report/", part, ".js"));
  const auto page = [&](const std::string& hashes) {
    return fill_template("templates/report/page.html",
                         {{"TARN_TITLE", html_escaped(title)},
                          {"TARN_SCRIPTS", hashes},
                          {"TARN_STYLE", std::string(embedded_text("templates/report/style.css"))},
                          {"TARN_SCRIPT", script},
                          {"TARN_TEXT", html_escaped(to_text(r))},
                          {"TARN_JSON", for_script(to_json(r))}});
  };
  return page(hashes_of_scripts(page("")));
}

std::optional<std::string> render(const Report& report, const std::string& extension) {
  if (extension == ".txt") return to_text(report);
  if (extension == ".json") return to_json(report);
  if (extension == ".csv") return to_csv(report);
  if (extension == ".md") return to_markdown(report);
  if (extension == ".html") return to_html(report);
  return {};
}

}  // namespace tarn::report
