// What earlier runs found out: objects of kernels, which have the same text in every network and are compiled once per
// set of flags, and answers of compilers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/toolchain.h"

namespace tarn::verify {

// Where objects are kept: "code" below $TARN_CACHE_DIR, $XDG_CACHE_HOME/tarn or ~/.cache/tarn; "" when there is no such
// place.
std::string object_cache_folder();

// Where the object of `source` belongs, without extension: named by the digest of all that it depends on, which is the
// compiler as a file, its arguments, and the source with all that it includes from `folders`, which are tried in their
// order. "" where there is no `cache`, the folder that objects are kept in.
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
