// Files that belong together know each other: a header defines an id, and what was written for it compares. Whoever
// mixes files of two generations, or of two versions of tarn, gets an error from the compiler.
#pragma once
#include <string>
#include <string_view>

namespace tarn::emit {

// 16 hexadecimal digits that stand for a text.
std::string id_of(std::string_view text);

// "#define MACRO 0x...u"
std::string id_definition(const std::string& macro, const std::string& id);
// The lines that refuse any other id, with what to say of the file it is defined in.
std::string id_check(const std::string& macro, const std::string& id, const std::string& file);

// What NAME.h, NAME_arena.h and NAME_weights.h of one plan define.
struct PlanIds {
  std::string header, arena, weights;
};
PlanIds plan_ids(const std::string& capitals);

}  // namespace tarn::emit
