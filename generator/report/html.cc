// The report as one HTML page that needs no network: templates/report/page.html with its style and scripts, the text
// and the JSON put in.
#include "report/report.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::report {

namespace {

std::string escaped(const std::string& text) {
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

// Inside a script element nothing may look like markup: a name can hold "</script>".
std::string for_script(const std::string& json) {
  std::string result;
  for (char c : json) {
    if (c == '<') result += "\\u003c";
    else result += c;
  }
  return result;
}

bool over(const std::optional<Budget>& budget) { return budget && !budget->fits; }

}  // namespace

std::string to_html(const Report& r) {
  const std::string title = (over(r.ram_budget) || over(r.flash_budget) ? "DOES NOT FIT: " : "") + r.file;
  // In the order in which they need each other.
  std::string script;
  for (const char* part : {"model", "figures", "map", "pointing", "start"})
    script += embedded_text(cat("templates/report/", part, ".js"));
  return fill_template("templates/report/page.html",
                       {{"TARN_TITLE", escaped(title)},
                        {"TARN_STYLE", std::string(embedded_text("templates/report/style.css"))},
                        {"TARN_SCRIPT", script},
                        {"TARN_TEXT", escaped(to_text(r))},
                        {"TARN_JSON", for_script(to_json(r))}});
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
