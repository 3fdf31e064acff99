#include "emit/params.h"

#include <gtest/gtest.h>

#include "support/check.h"

namespace tarn::emit {
namespace {

constexpr const char* kHeader = R"(
typedef struct {
    int32_t shift; /* of the product; 31 at most */
} tarn_inner_params;
typedef struct {
    tarn_inner_params requant;
    int32_t rows, columns[4];  /* elements; (a, b) */
    const int32_t *table;
} tarn_outer_params;
)";

TEST(Params, MembersOfAStructInTheirOrder) {
  EXPECT_EQ(struct_members(kHeader, "tarn_outer_params"),
            (std::vector<std::string>{"requant", "rows", "columns", "table"}));
  EXPECT_EQ(struct_members(kHeader, "tarn_inner_params"), std::vector<std::string>{"shift"});
  EXPECT_EQ(struct_members(kHeader, "tarn_other_params"), std::nullopt);
}

program::Program program_with(std::vector<program::Field> fields, std::string inner = "shift") {
  program::Operation operation;
  fields.insert(fields.begin(), {"requant", program::Params{"tarn_inner_params", {{std::move(inner), int64_t{1}}}}});
  operation.params = {"tarn_outer_params", std::move(fields)};
  program::Program program;
  program.operations.push_back(std::move(operation));
  return program;
}

TEST(Params, FieldsAreTheMembersOfTheHeaders) {
  const std::map<std::string, std::string> texts{{"tarn_outer.h", kHeader}};
  const program::FieldValue one = int64_t{1};
  EXPECT_NO_THROW(check_params(program_with({{"rows", one}, {"columns", one}, {"table", one}}), texts));
  EXPECT_THROW(check_params(program_with({{"columns", one}, {"rows", one}, {"table", one}}), texts), InternalError);
  EXPECT_THROW(check_params(program_with({{"rows", one}, {"columns", one}}), texts), InternalError);
  EXPECT_THROW(check_params(program_with({{"rows", one}, {"columns", one}, {"table", one}}, "bits"), texts),
               InternalError);
}

TEST(Params, OfALineFormTheFieldsAreCheckedToo) {
  program::Program program = program_with({});
  std::swap(program.operations[0].params, program.operations[0].line_form.emplace().params);
  EXPECT_THROW(check_params(program, {{"tarn_outer.h", kHeader}}), InternalError);
  EXPECT_NO_THROW(check_params(program, {}));
}

}  // namespace
}  // namespace tarn::emit
