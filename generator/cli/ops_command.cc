// tarn ops: the support table, straight from the registry.
#include <cstdio>
#include <cstring>
#include <iostream>

#include "cli/commands.h"
#include "model/onnx_schema.h"
#include "ops/op.h"
#include "support/text.h"

namespace tarn::cli {

int run_ops(int argc, char** argv) {
  bool markdown = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--markdown") == 0) {
      markdown = true;
    } else {
      const bool asked = std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0;
      (asked ? std::cout : std::cerr) << "usage: tarn ops [--markdown]\n";
      return asked ? 0 : 2;
    }
  }
  if (markdown) std::cout << "| operator | definitions | element types | limits |\n|---|---|---|---|\n";
  size_t count = 0;
  for (const ops::OperatorEntry& entry : ops::all_entries()) {
    if (entry.domain == "tarn") continue;
    ++count;
    const std::string name = entry.domain.empty() ? entry.op : entry.domain + "." + entry.op;
    std::vector<std::string> opsets;
    for (int version : model::definitions_of(entry.domain, entry.op)) opsets.push_back(std::to_string(version));
    const std::string definitions = opsets.empty() ? "-" : join(opsets, " ");
    if (markdown) {
      std::cout << "| " << name << " | " << definitions << " | " << entry.types << " | " << entry.limits << " |\n";
    } else {
      char line[512];
      std::snprintf(line, sizeof line, "%-46s %-28s %-32s %s", name.c_str(), definitions.c_str(), entry.types.c_str(),
                    entry.limits.c_str());
      std::string text = line;
      text.erase(text.find_last_not_of(' ') + 1);
      std::cout << text << "\n";
    }
  }
  // Operators that the standard defines as functions need no entry: they are expanded.
  std::vector<std::string> expanded;
  for (const std::string& op : model::operators_of("")) {
    if (!ops::find_entry("", op) && model::has_function("", op)) expanded.push_back(op);
  }
  if (!markdown)
    std::cout << "\n"
              << count << " operators; by expansion of the standard's own definition: " << join(expanded) << "\n";
  else
    std::cout << "\n"
              << count << " operators. By expansion of the standard's own definition: " << join(expanded) << ".\n";
  return 0;
}

}  // namespace tarn::cli
