#include "report/json_writer.h"

#include <charconv>
#include <cmath>

#include "support/text.h"

namespace tarn::report {

void JsonWriter::item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.flat ? ", " : ",";
  if (!level.flat) text_ += "\n" + std::string(2 * levels_.size(), ' ');
  level.empty = false;
}

void JsonWriter::open(char open, char close, bool flat) {
  item();
  text_ += open;
  // Inside something flat everything is flat.
  levels_.push_back({close, flat || (!levels_.empty() && levels_.back().flat)});
}

void JsonWriter::close() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.flat && !level.empty) text_ += "\n" + std::string(2 * levels_.size(), ' ');
  text_ += level.close;
}

JsonWriter& JsonWriter::begin_object(bool flat) {
  open('{', '}', flat);
  return *this;
}
void JsonWriter::end_object() { close(); }
JsonWriter& JsonWriter::begin_array(bool flat) {
  open('[', ']', flat);
  return *this;
}
void JsonWriter::end_array() { close(); }

JsonWriter& JsonWriter::key(std::string_view name) {
  item();
  text_ += json_string(name) + ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::value(std::string_view text) {
  item();
  text_ += json_string(text);
}

void JsonWriter::value(int64_t number) {
  item();
  text_ += std::to_string(number);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  item();
  // The shortest text that reads as the same number.
  char buffer[32];
  const std::to_chars_result done = std::to_chars(buffer, buffer + sizeof buffer, number);
  text_.append(buffer, done.ptr);
}

void JsonWriter::value(bool truth) {
  item();
  text_ += truth ? "true" : "false";
}

void JsonWriter::null() {
  item();
  text_ += "null";
}

}  // namespace tarn::report
