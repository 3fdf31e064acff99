#include "emit/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "emit/places.h"
#include "support/durable.h"
#include "support/early_end.h"
#include "support/temporary_folder.h"
#include "support/text.h"

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
void reserve([[maybe_unused]] int file, [[maybe_unused]] int64_t bytes) {
#ifdef __linux__
  if (bytes > 0) (void)::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, bytes);
#endif
}

// All of a file; errno says why not. Takes the descriptor.
bool write_all(int descriptor, const OutputFile& file, std::vector<char>& buffer) {
  if (descriptor < 0) return false;
  File out(::fdopen(descriptor, "wb"));
  if (!out) {
    const int why = errno;
    ::close(descriptor);
    errno = why;
    return false;
  }
  std::setvbuf(out.get(), buffer.data(), _IOFBF, buffer.size());
  int why = 0;
  file.write([&](std::string_view piece) {
    if (why == 0 && std::fwrite(piece.data(), 1, piece.size(), out.get()) != piece.size()) why = errno;
  });
  if (why == 0 && std::fflush(out.get()) != 0) why = errno;
  if (std::fclose(out.release()) != 0 && why == 0) why = errno;
  errno = why;
  return why == 0;
}

bool same_content(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::file_size(a, error) != fs::file_size(b, error) || error) return false;
  const File fa(std::fopen(a.c_str(), "rb")), fb(std::fopen(b.c_str(), "rb"));
  if (!fa || !fb) return false;
  std::vector<char> ba(1 << 16), bb(1 << 16);
  for (;;) {
    const size_t na = std::fread(ba.data(), 1, ba.size(), fa.get()), nb = std::fread(bb.data(), 1, bb.size(), fb.get());
    if (na != nb || std::memcmp(ba.data(), bb.data(), na) != 0) return false;
    if (na == 0) return std::ferror(fa.get()) == 0 && std::ferror(fb.get()) == 0;
  }
}

// Folders that were made for the files; those that stay empty are removed.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    for (size_t i = made_.size(); i-- > 0;) {
      ::rmdir(made_[i].c_str());
      keep_at_early_end(made_[i]);
    }
  }
  // False: errno says why.
  bool make(const fs::path& folder) {
    struct stat info = {};
    if (::stat(folder.c_str(), &info) == 0) {
      errno = ENOTDIR;
      return S_ISDIR(info.st_mode);
    }
    if (folder.has_relative_path() && folder.has_parent_path() && !make(folder.parent_path())) return false;
    const Uninterrupted now;
    made_.push_back(folder.string());
    remove_at_early_end(made_.back(), false);
    // Somebody else may have made it just now.
    if (::mkdir(folder.c_str(), 0777) == 0) return true;
    const int why = errno;
    keep_at_early_end(made_.back());
    made_.pop_back();
    errno = why;
    return why == EEXIST && ::stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  }
  std::vector<std::string> parents() const {
    std::vector<std::string> found;
    for (const std::string& folder : made_) found.push_back(fs::path(folder).parent_path().string());
    return found;
  }

 private:
  std::vector<std::string> made_;
};

// Temporary folders, each beside the files that are renamed out of it.
class Staging {
 public:
  // The one within `folder`; none: errno says why.
  const TemporaryFolder* in(const std::string& folder) {
    const auto found = folders_.find(folder);
    if (found != folders_.end()) return &found->second;
    std::optional<TemporaryFolder> made = TemporaryFolder::make(folder, ".tarn-");
    return made ? &folders_.emplace(folder, std::move(*made)).first->second : nullptr;
  }

 private:
  std::map<std::string, TemporaryFolder> folders_;
};

// One step of putting files in place: `fresh` comes to `place`, or what is there goes.
struct Change {
  std::string place, fresh, old;  // `old`: a name for what was there before; empty: never brought back
  bool exists = false;
  bool meanwhile = false;
  bool later = false;               // once the changes before it are on the disk
  bool kept = false, done = false;  // how far it came
};

// Allocates nothing: neither exhausted memory nor a signal can come in between. The first fault is told by the number
// of the change, with errno; what was changed before is changed back.
class Commit {
 public:
  Commit(std::vector<Change>& changes, const OpenFolders& folders) : changes_(changes), folders_(folders) {}

  // changes.size() when all went through.
  size_t run() {
    size_t at = 0;
    while (at < changes_.size() && (!changes_[at].later || folders_.sync()) && apply(changes_[at])) ++at;
    if (at == changes_.size() && folders_.sync()) return at;
    const int why = errno;
    at = std::min(at, changes_.size() - 1);
    // Where something else cannot be brought back, what stands meanwhile stays.
    bool good = true;
    for (size_t i = at + 1; i-- > 0;) {
      if (good || !changes_[i].meanwhile) good = undo(changes_[i]) && good;
    }
    (void)folders_.sync();
    errno = why;
    return at;
  }

 private:
  static bool apply(Change& c) {
    if (c.exists && !c.old.empty()) {
      // The place is never empty, except where a file cannot have two names.
      if (::link(c.place.c_str(), c.old.c_str()) != 0 && ::rename(c.place.c_str(), c.old.c_str()) != 0) return false;
      c.kept = true;
    }
    const int result = c.fresh.empty() ? ::unlink(c.place.c_str()) : ::rename(c.fresh.c_str(), c.place.c_str());
    c.done = result == 0 || (c.fresh.empty() && errno == ENOENT);
    return c.done;
  }
  static bool undo(const Change& c) {
    if (c.kept) return ::rename(c.old.c_str(), c.place.c_str()) == 0;
    return !c.done || ::unlink(c.place.c_str()) == 0;
  }

  std::vector<Change>& changes_;
  const OpenFolders& folders_;
};

// A file that is complete, and where it goes.
struct Ready {
  const OutputFile* file;
  Place place;
  std::string temporary;  // empty: written in place
  std::string number;     // its name in the temporary folder
};

class Writer {
 public:
  Writer(const std::string& folder, const Around& around) : folder_(folder), around_(around), buffer_(kBufferBytes) {}

  Diagnostics write(const std::vector<OutputFile>& files) {
    find_places(files);
    for (Ready& ready : ready_) {
      if (faults_.empty() && !ready.place.in_place) stage(ready);
    }
    if (faults_.empty()) drop_repeated();
    for (const Ready& ready : ready_) {
      if (!faults_.empty() || !ready.place.in_place) continue;
      // What was printed comes first, where it is the same stream.
      std::cout.flush();
      if (!write_all(open_in_place(ready.place), *ready.file, buffer_)) fault(ready.place.path);
    }
    if (faults_.empty()) put_in_place();
    return std::move(faults_);
  }

 private:
  void fault(const std::string& path) { faults_.push_back(cannot_write(path, std::strerror(errno))); }

  // Each fault of the places is told, before anything is made.
  void find_places(const std::vector<OutputFile>& files) {
    for (const OutputFile& file : files) {
      Result<Place> place = find_place((fs::path(folder_) / file.name).string(), around_.inputs);
      if (!place) faults_.insert(faults_.end(), place.faults().begin(), place.faults().end());
      else ready_.push_back({&file, std::move(*place), {}, cat(ready_.size())});
    }
  }

  static std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
  }

  void stage(Ready& ready) {
    const std::string folder = folder_of(ready.place.path);
    std::error_code error;
    const TemporaryFolder* temporary =
        new_folders_.make(fs::absolute(folder, error).lexically_normal()) ? staging_.in(folder) : nullptr;
    if (temporary == nullptr) return fault(ready.place.path);
    ready.temporary = temporary->path() + "/" + ready.number;
    if (!write_new(ready.temporary, *ready.file)) fault(ready.place.path);
  }

  bool write_new(const std::string& path, const OutputFile& file) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) reserve(descriptor, file.bytes);
    return write_all(descriptor, file, buffer_);
  }

  // Two names of one place are one file, or a fault.
  void drop_repeated() {
    std::map<std::string, const Ready*> seen;
    std::vector<Ready> once;
    for (Ready& ready : ready_) {
      std::error_code error;
      const fs::path path(ready.place.path);
      const std::string name = (fs::canonical(folder_of(path), error) / path.filename()).string();
      const auto [before, is_new] = seen.emplace(name, &ready);
      if (is_new || ready.place.in_place) {
        once.push_back(ready);
      } else if (!same_content(before->second->temporary, ready.temporary)) {
        faults_.push_back({"E411",
                           {.file = ready.place.path},
                           "is asked for twice, with different content",
                           "give each output a file of its own"});
      }
    }
    ready_ = std::move(once);
  }

  void put_in_place() {
    std::vector<Change> changes, last;
    for (const Ready& ready : ready_) {
      if (ready.place.in_place || (ready.place.exists && same_content(ready.temporary, ready.place.path))) continue;
      Change change{ready.place.path, ready.temporary, ready.temporary + "-old", ready.place.exists};
      if (ready.file->meanwhile.empty()) {
        changes.push_back(std::move(change));
      } else {
        last.push_back(std::move(change));
        meanwhile_.push_back(&ready);
      }
    }
    for (const std::string& name : around_.stale) {
      const std::string path = (fs::path(folder_) / name).string();
      const TemporaryFolder* temporary = staging_.in(folder_of(path));
      if (temporary == nullptr) return fault(path);
      changes.push_back({path, {}, cat(temporary->path(), "/stale", changes.size()), true});
    }
    // Alone, a file is replaced at once.
    if (!changes.empty() && !close_meanwhile(changes, last)) return;
    if (!last.empty()) last.front().later = true;
    for (Change& change : last) changes.push_back(std::move(change));
    if (changes.empty() || !make_durable(changes)) return;
    const Uninterrupted now;
    const size_t done = Commit(changes, folders_).run();
    if (done < changes.size()) return fault(changes[done].place);
    // What is left in the temporary folders goes without allocating: files in place are no failure any more.
    for (const Change& change : changes) {
      if (change.kept) ::unlink(change.old.c_str());
    }
    for (const Ready& ready : ready_) {
      if (!ready.temporary.empty()) ::unlink(ready.temporary.c_str());
    }
  }

  // The content of all new files, and the folders for when their names change.
  bool make_durable(const std::vector<Change>& changes) {
    if (around_.scratch) return true;
    for (const Change& change : changes) {
      if ((change.fresh.empty() || sync_content(change.fresh)) && folders_.add(folder_of(change.place))) continue;
      fault(change.place);
      return false;
    }
    for (const std::string& folder : new_folders_.parents()) {
      if (folders_.add(folder)) continue;
      fault(folder);
      return false;
    }
    return true;
  }

  // Puts what stands meanwhile before the changes, where there is something to be replaced.
  bool close_meanwhile(std::vector<Change>& changes, std::vector<Change>& last) {
    for (size_t i = 0; i < last.size(); ++i) {
      if (!last[i].exists) continue;
      const std::string text = last[i].fresh + "-meanwhile";
      if (!write_new(text, text_file("", meanwhile_[i]->file->meanwhile))) {
        fault(last[i].place);
        return false;
      }
      changes.front().later = true;
      changes.insert(changes.begin(), {last[i].place, text, last[i].old, true, true});
      last[i].old.clear();
    }
    return true;
  }

  const std::string& folder_;
  const Around& around_;
  std::vector<char> buffer_;
  NewFolders new_folders_;
  Staging staging_;  // goes before the folders that it made its own in
  OpenFolders folders_;
  std::vector<Ready> ready_;
  std::vector<const Ready*> meanwhile_;
  Diagnostics faults_;
};

}  // namespace

OutputFile text_file(const std::string& name, std::string text) {
  return {name, [text = std::move(text)](const TextSink& sink) { sink(text); }};
}

Result<Done> write_files(const std::string& folder, const std::vector<OutputFile>& files, const Around& around) {
  Diagnostics faults = Writer(folder, around).write(files);
  if (!faults.empty()) return faults;
  return Done{};
}

}  // namespace tarn::emit
