// A regular file mapped read-only into memory: weights are used from there and never copied.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tarn::model {

class MappedFile {
 public:
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  friend struct OpenFile;
  MappedFile() = default;
  std::span<const uint8_t> bytes_;
};

// How opening went: a file, or why there is none.
struct OpenFile {
  enum class Outcome { ok, missing, outside, not_regular, unreadable };
  Outcome outcome = Outcome::unreadable;
  std::shared_ptr<const MappedFile> file;
  std::string why;  // "it is a folder"; empty when ok

  // Any path that the user gave. `missing` when there is no such file.
  static OpenFile at(const std::string& path);
  // A location written in a model: below `folder` without `..`, absolute parts or symbolic links (`outside` else).
  static OpenFile beneath(const std::string& folder, const std::string& location);

 private:
  static OpenFile map(int descriptor);
};

}  // namespace tarn::model
