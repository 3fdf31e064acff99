#include "cli/quantised_cache.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "support/sha256.h"
#include "support/text.h"
#include "verify/files.h"
#include "verify/object_cache.h"
#include "verify/toolchain.h"

namespace tarn::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 64;
constexpr const char* kFormat = "tarn-quantised/1";

std::string digest(const std::string& text) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::string digest_of_file(const std::string& path) {
  const std::optional<std::string> content = verify::read_file(path);
  return content ? digest(*content) : "none";
}

// Each with its length, so that any bytes may stand in it.
void put_field(std::string& out, const std::string& text) { out += cat(text.size(), " ", text, "\n"); }

class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}
  bool good() const { return good_; }

  std::string next() {
    size_t length = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
    const auto digits = static_cast<size_t>(end - rest_.data());
    good_ = good_ && error == std::errc() && rest_.size() >= digits + 2 && length <= rest_.size() - digits - 2;
    if (!good_) return {};
    std::string field(rest_.substr(digits + 1, length));
    rest_.remove_prefix(digits + length + 2);
    return field;
  }
  size_t count() {
    const std::string text = next();
    size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return good_ ? value : 0;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::string content_of(const QuantisedFirst& made) {
  std::string out;
  put_field(out, kFormat);
  put_field(out, made.bytes);
  put_field(out, made.text);
  put_field(out, cat(made.recurrent.size()));
  for (const std::string& layer : made.recurrent) put_field(out, layer);
  put_field(out, cat(made.files.size()));
  for (const std::string& file : made.files) {
    put_field(out, file);
    put_field(out, digest_of_file(file));
  }
  put_field(out, cat(made.warnings.size()));
  for (const Diagnostic& d : made.warnings) {
    for (const std::string& part : {d.code, d.where.file, d.where.node ? cat(*d.where.node) : std::string(),
                                    d.where.node_name, d.where.op, d.where.tensor, d.message, d.hint})
      put_field(out, part);
  }
  return out;
}

void remove_oldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code error;
  for (const fs::directory_entry& entry : verify::list_folder(folder.string(), error))
    entries.emplace_back(entry.last_write_time(error), entry.path());
  if (entries.size() <= kMostEntries) return;
  std::sort(entries.begin(), entries.end());
  for (size_t i = 0; i + kMostEntries < entries.size(); ++i) fs::remove(entries[i].second, error);
}

}  // namespace

std::string quantised_entry(const Options& options) {
  const std::string objects = verify::object_cache_folder();
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (objects.empty() || error) return "";
  const fs::path folder = fs::path(objects).parent_path() / "quantised";
  fs::create_directories(folder, error);
  const auto changed = fs::last_write_time(self, error).time_since_epoch().count();
  std::string all = cat(kFormat, "\n", self.string(), " ", fs::file_size(self, error), " ", changed, "\n");
  if (error) return "";
  const Result<verify::Toolchain> tools = verify::find_toolchain(verify::Target::host);
  if (!tools) return "";
  all += join(tools->cc, " ") + "\n";
  const CompileOptions& compile = options.compile;
  const std::string model = compile.model_path;
  all += cat(fs::absolute(model).string(), " ", model, " ", digest_of_file(model), "\n");
  all += cat(fs::absolute(options.quantize).string(), " ", options.quantize, "\n");
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(options.quantize, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error)) files.push_back(it->path().string());
  }
  if (error) return "";
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) all += cat(file, " ", digest_of_file(file), "\n");
  for (const auto& [name, value] : compile.dims) all += cat("dim ", name, " ", value, "\n");
  for (const auto& [name, file] : compile.constants) all += cat("const ", name, " ", digest_of_file(file), "\n");
  all += compile.quantized_io ? "codes" : "floats";
  return (folder / digest(all)).string();
}

std::optional<QuantisedFirst> find_quantised(const std::string& entry) {
  if (entry.empty()) return {};
  const std::optional<std::string> file = verify::read_file(entry);
  constexpr size_t kDigest = 64;
  if (!file || file->size() < kDigest) return {};
  const std::string content = file->substr(kDigest);
  if (file->substr(0, kDigest) != digest(content)) return {};
  Fields fields(content);
  if (fields.next() != kFormat) return {};
  QuantisedFirst made;
  made.bytes = fields.next();
  made.text = fields.next();
  for (size_t n = fields.count(); n > 0 && fields.good(); --n) made.recurrent.push_back(fields.next());
  for (size_t n = fields.count(); n > 0 && fields.good(); --n) {
    made.files.push_back(fields.next());
    if (fields.next() != digest_of_file(made.files.back())) return {};
  }
  for (size_t n = fields.count(); n > 0 && fields.good(); --n) {
    Diagnostic& d = made.warnings.emplace_back();
    d.code = fields.next();
    d.where.file = fields.next();
    if (const std::string node = fields.next(); !node.empty()) d.where.node = std::stoi(node);
    for (std::string* part : {&d.where.node_name, &d.where.op, &d.where.tensor, &d.message, &d.hint})
      *part = fields.next();
  }
  if (!fields.good()) return {};
  std::error_code error;
  fs::last_write_time(entry, fs::file_time_type::clock::now(), error);  // it is among the newest again
  return made;
}

void keep_quantised(const QuantisedFirst& made, const std::string& entry) {
  if (entry.empty()) return;
  const std::string content = content_of(made), partial = cat(entry, ".", ::getpid());
  std::error_code error;
  if (verify::write_file(partial, digest(content) + content)) fs::rename(partial, entry, error);
  if (error) fs::remove(partial, error);
  remove_oldest(fs::path(entry).parent_path());
}

}  // namespace tarn::cli
