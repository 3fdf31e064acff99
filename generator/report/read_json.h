// A JSON report read back, by paths such as "ram.arena".
#pragma once
#include <google/protobuf/struct.pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace tarn::report {

using Object = google::protobuf::Struct;
using google::protobuf::Value;

// E307 for a file that is no report.
Result<Object> read_report(const std::string& path);

// What is not there, or of another kind: null, nothing, 0, "", no rows.
const Value* find(const Object& object, const std::string& path);
std::optional<double> number(const Object& object, const std::string& path);
int64_t whole(const Object& object, const std::string& path);
std::string text_at(const Object& object, const std::string& path);
std::vector<const Object*> rows_at(const Object& object, const std::string& path);
std::vector<std::string> texts_at(const Object& object, const std::string& path);

}  // namespace tarn::report
