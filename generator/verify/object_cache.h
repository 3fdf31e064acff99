// What earlier runs found out: objects of kernels, which have the same text in every network and are compiled once per
// set of flags, and answers of compilers.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verify/toolchain.h"

namespace tarn::verify {

// Where objects are kept: "code" below $TARN_CACHE_DIR, $XDG_CACHE_HOME/tarn or ~/.cache/tarn; "" when there is no such
// place.
std::string object_cache_folder();

// Sources and what they include. Each file is read, and looked through for what it includes, once.
class SourceFiles {
 public:
  explicit SourceFiles(std::vector<std::string> folders) : folders_(std::move(folders)) {}  // tried in their order
  void add(const std::string& name, const std::string& text);  // comes before those of the folders
  // Of a file with all that it includes, directly or through others. A name that is in none of the folders (the
  // compiler's own headers are those) stands without a text.
  std::string digest(const std::string& name);

 private:
  struct File {
    std::string digest;
    std::vector<std::string> included;
  };
  const File& file(const std::string& name);

  std::vector<std::string> folders_;
  std::map<std::string, File> files_;
};

// Where the object of `source` belongs, without extension: named by the digest of all that it depends on, which is the
// compiler as a file, its arguments, and the source with all that it includes. "" where there is no `cache`, the folder
// that objects are kept in.
std::string cached_stem(const std::string& cache, const Toolchain& tools, const std::vector<std::string>& flags,
                        const std::string& source, SourceFiles& files);
std::string cached_stem(const std::string& cache, const Toolchain& tools, const std::vector<std::string>& flags,
                        const std::string& source, const std::vector<std::string>& folders);

// Is the object there, with its call graph where the compiler writes one?
bool is_cached(const Toolchain& tools, const std::string& stem);

// Puts what was compiled to `from` in the cache; another process never sees a part of it.
void keep_cached(const Toolchain& tools, const std::string& from, const std::string& stem);

// Texts that are kept the same way: what a compiler answers to a question, and what was measured of a network's code.
// The key is all that the text depends on.
std::optional<std::string> kept_text(const std::string& key);
void keep_text(const std::string& key, const std::string& text);

// A program on PATH as a part of keys: its file, as size and time tell one from another. "" when there is none.
std::string identity(const std::string& program);

}  // namespace tarn::verify
