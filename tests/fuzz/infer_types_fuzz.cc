// libFuzzer target: infer_types and function_body must survive any question. See CMakeLists.txt here.
#include "fuzz/random_query.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tarn::fuzz::Decisions decide({data, size});
  const auto question = tarn::fuzz::random_query(decide);
  (void)tarn::model::infer_types(question->query);
  std::map<std::string, int> opsets;
  (void)tarn::model::function_body(question->query, &opsets);
  return 0;
}
