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
      std::cerr << "usage: tarn ops [--markdown]\n";
      return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
    }
  }
  const std::map<std::string, int> newest{{"", 27}, {"ai.onnx.ml", 5}};
  if (markdown) std::cout << "| operator | definition of opset | element types | limits |\n|---|---|---|---|\n";
  size_t count = 0;
  for (const ops::Room& room : ops::all_rooms()) {
    if (room.domain == "tarn") continue;
    ++count;
    const std::string name = room.domain.empty() ? room.op : room.domain + "." + room.op;
    const auto since = model::since_version(room.domain, room.op, newest);
    const std::string version = since ? std::to_string(*since) : "-";
    if (markdown) {
      std::cout << "| " << name << " | " << version << " | " << room.types << " | " << room.limits << " |\n";
    } else {
      char line[256];
      std::snprintf(line, sizeof line, "%-44s %4s  %-32s %s\n", name.c_str(), version.c_str(), room.types.c_str(), room.limits.c_str());
      std::cout << line;
    }
  }
  // Operators that the standard defines as functions need no room: they are expanded.
  std::vector<std::string> expanded;
  for (const std::string& op : model::operators_of("")) {
    if (!ops::find_room("", op) && model::has_function("", op)) expanded.push_back(op);
  }
  if (!markdown) std::cout << "\n" << count << " operators; by expansion of the standard's own definition: " << join(expanded) << "\n";
  else std::cout << "\n" << count << " operators. By expansion of the standard's own definition: " << join(expanded) << ".\n";
  return 0;
}

}  // namespace tarn::cli
