// Writes JSON in order, with two spaces of indent; objects marked flat stand on one line.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::report {

class JsonWriter {
 public:
  JsonWriter& begin_object(bool flat = false);
  void end_object();
  JsonWriter& begin_array(bool flat = false);
  void end_array();
  JsonWriter& key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(int64_t number);
  void value(double number);  // every digit that it needs; null when it is no finite number
  void value(bool truth);
  void null();
  void value(const std::optional<int64_t>& number) { number ? value(*number) : null(); }

  template <class T>
  void list(const std::vector<T>& items) {
    begin_array(true);
    for (const T& item : items) value(item);
    end_array();
  }

  // An array under a key: an object for each item, its members written by `write(item)`.
  template <class T, class Write>
  void rows(std::string_view name, const std::vector<T>& items, Write write) {
    key(name).begin_array();
    for (const T& item : items) {
      begin_object(true);
      write(item);
      end_object();
    }
    end_array();
  }

  const std::string& text() const { return text_; }

 private:
  struct Level {
    char close;
    bool flat;
    bool empty = true;
  };
  void item();  // comma and line break before an item
  void open(char open, char close, bool flat);
  void close();

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace tarn::report
