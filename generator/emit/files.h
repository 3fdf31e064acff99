// Output files: made in memory or piece by piece, and put in place all at once or not at all.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace tarn::emit {

using TextSink = std::function<void(std::string_view)>;

struct OutputFile {
  std::string name;                                 // relative to the output folder, or an absolute path
  std::function<void(const TextSink& sink)> write;  // calls the sink with the content, in pieces
  int64_t bytes = 0;                                // of a large one, where they are known before
  // Of the file that the others cannot be used without: what stands in its place from the moment at which the first of
  // them is replaced until the last one is.
  std::string meanwhile = {};
};

OutputFile text_file(const std::string& name, std::string text);

// What else there is to know of the places that files are written to.
struct Around {
  std::vector<std::string> inputs = {};  // files that were read: never written to, under whatever name
  std::vector<std::string> stale = {};   // files of the folder that go when the new ones come
  bool scratch = false;                  // the folder goes soon: its files need not survive a power failure
};

// Writes all files into `folder` (made if missing). Each is written beside its place first; only when every one is
// complete are they renamed. A file whose content is already there is left untouched, so that nothing is rebuilt for
// it; one that is no regular file (a device, a pipe) is written in place. E401: nothing was changed. E411: one is an
// input, or two are the same and differ.
// A process that is killed leaves each file old or new, and once one is new, the file with `meanwhile` is that until
// all are. So does a power failure: contents are on the disk before files are renamed, and these steps one before the
// next.
Result<Done> write_files(const std::string& folder, const std::vector<OutputFile>& files, const Around& around = {});

}  // namespace tarn::emit
