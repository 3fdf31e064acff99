#include "emit/ids.h"

#include <cstdint>

#include "support/sha256.h"
#include "support/text.h"

namespace tarn::emit {

std::string id_of(std::string_view text) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()}).substr(0, 16);
}

std::string id_definition(const std::string& macro, const std::string& id) {
  return cat("#define ", macro, " 0x", id, "u\n");
}

std::string id_check(const std::string& macro, const std::string& id, const std::string& file) {
  return cat("#if ", macro, " != 0x", id, "u\n#error \"", file,
             " does not belong to this file: run tarn generate again\"\n#endif\n");
}

PlanIds plan_ids(const std::string& capitals) {
  return {capitals + "_PLAN_ID", capitals + "_ARENA_PLAN_ID", capitals + "_WEIGHTS_PLAN_ID"};
}

}  // namespace tarn::emit
