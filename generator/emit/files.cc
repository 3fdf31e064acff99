#include "emit/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace tarn::emit {

namespace {

namespace fs = std::filesystem;

// Systems take few large pieces in a third of the time of many small ones.
constexpr size_t kBufferBytes = size_t{1} << 18;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

Diagnostic cannot_write(const fs::path& path, const std::string& why) {
  return {"E401",
          {.file = path.string()},
          "cannot be written: " + why,
          "check the path, its permissions and the free space"};
}

// Into blocks that the file has already a large one is written in half the time. Where the system cannot give them
// beforehand, it is written as any other.
void reserve([[maybe_unused]] std::FILE* file, [[maybe_unused]] int64_t bytes) {
#ifdef __linux__
  if (bytes > 0) (void)::fallocate(::fileno(file), FALLOC_FL_KEEP_SIZE, 0, bytes);
#endif
}

bool same_content(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (!fs::exists(b, error) || fs::file_size(a, error) != fs::file_size(b, error) || error) return false;
  const File fa(std::fopen(a.c_str(), "rb")), fb(std::fopen(b.c_str(), "rb"));
  if (!fa || !fb) return false;
  std::vector<char> ba(1 << 16), bb(1 << 16);
  for (;;) {
    const size_t na = std::fread(ba.data(), 1, ba.size(), fa.get()), nb = std::fread(bb.data(), 1, bb.size(), fb.get());
    if (na != nb || std::memcmp(ba.data(), bb.data(), na) != 0) return false;
    if (na == 0) return true;
  }
}

// Temporary files; those still here at the end are removed.
class Pending {
 public:
  ~Pending() {
    std::error_code ignored;
    for (const auto& [temporary, place] : files_) fs::remove(temporary, ignored);
  }
  void add(fs::path temporary, fs::path place) { files_.emplace_back(std::move(temporary), std::move(place)); }
  std::vector<std::pair<fs::path, fs::path>>& files() { return files_; }

 private:
  std::vector<std::pair<fs::path, fs::path>> files_;
};

}  // namespace

OutputFile text_file(const std::string& name, std::string text) {
  return {name, [text = std::move(text)](const TextSink& sink) { sink(text); }};
}

Result<Done> write_files(const std::string& folder, const std::vector<OutputFile>& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) return cannot_write(folder, error ? error.message() : "it is no folder");
  Pending pending;
  std::vector<char> buffer(kBufferBytes);
  for (const OutputFile& file : files) {
    const fs::path place = fs::path(folder) / file.name;
    if (place.has_parent_path()) fs::create_directories(place.parent_path(), error);
    const fs::path temporary = place.string() + ".tarn" + std::to_string(::getpid());
    File out(std::fopen(temporary.c_str(), "wb"));
    if (!out) return cannot_write(place, std::strerror(errno));
    pending.add(temporary, place);
    std::setvbuf(out.get(), buffer.data(), _IOFBF, buffer.size());
    if (fs::is_directory(place, error)) return cannot_write(place, "it is a folder");
    reserve(out.get(), file.bytes);
    bool good = true;
    file.write([&](std::string_view piece) {
      good = good && std::fwrite(piece.data(), 1, piece.size(), out.get()) == piece.size();
    });
    good = good && std::fflush(out.get()) == 0;
    if (!good) return cannot_write(place, std::strerror(errno));
  }
  for (auto& [temporary, place] : pending.files()) {
    if (same_content(temporary, place)) {
      fs::remove(temporary, error);
    } else {
      fs::rename(temporary, place, error);
      if (error) return cannot_write(place, error.message());
    }
  }
  pending.files().clear();
  return Done{};
}

}  // namespace tarn::emit
