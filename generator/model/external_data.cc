#include "model/external_data.h"

#include <charconv>

#include "support/text.h"

namespace tarn::model {

namespace {

// The entries of external_data that matter. The others, a checksum among them, are not used.
struct Location {
  std::string path;
  std::optional<int64_t> offset, length;
};

// Unsigned decimal digits and nothing else.
bool parse_decimal(const std::string& text, std::optional<int64_t>* out) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0 || text.starts_with('-')) return false;
  *out = value;
  return true;
}

// What is wrong with the entries; empty when nothing is.
std::string parse_location(const onnx::TensorProto& tensor, Location* out) {
  bool has_path = false;
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") {
      if (has_path) return "it has two locations";
      has_path = true;
      out->path = entry.value();
    } else if (entry.key() == "offset" || entry.key() == "length") {
      std::optional<int64_t>& number = entry.key() == "offset" ? out->offset : out->length;
      if (number) return "it has two entries '" + entry.key() + "'";
      if (!parse_decimal(entry.value(), &number)) {
        return "its " + entry.key() + " '" + entry.value() + "' is no count of bytes";
      }
    }
  }
  return has_path ? "" : "it is stored externally but has no location";
}

Diagnostic fault(const char* code, const Where& where, std::string message, std::string hint) {
  return {code, where, std::move(message), std::move(hint)};
}

}  // namespace

std::optional<Constant> ExternalFiles::read(const onnx::TensorProto& tensor, const TensorType& type, const Where& where,
                                            Diagnostics* faults) {
  Location location;
  const std::string malformed = parse_location(tensor, &location);
  const char* save_again = "save the model's external data again";
  if (!malformed.empty()) {
    faults->push_back(fault("E106", where, "external data: " + malformed, save_again));
    return {};
  }
  const int64_t wanted = type.bytes();
  if (location.length && *location.length != wanted) {
    faults->push_back(fault("E106", where,
                            cat("external data has ", *location.length, " bytes, ", to_string(type), " needs ", wanted),
                            save_again));
    return {};
  }
  Entry& entry = files_[location.path];
  if (entry.users++ == 0) {
    entry.opened = OpenFile::beneath(folder_, location.path);
    entry.first_user = tensor.name();
  }
  using Outcome = OpenFile::Outcome;
  switch (entry.opened.outcome) {
    case Outcome::ok: break;
    case Outcome::missing: return Constant::absent(type, location.path);
    case Outcome::unreadable:
      faults->push_back(fault("E104", where,
                              "external data file '" + location.path + "' cannot be read: " + entry.opened.why,
                              "check its permissions"));
      return {};
    case Outcome::outside:
    case Outcome::not_regular:
      faults->push_back(fault("E105", where, "external data in '" + location.path + "': " + entry.opened.why,
                              "keep external data in the model's own folder, as a plain file"));
      return {};
  }
  const std::span<const uint8_t> bytes = entry.opened.file->bytes();
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t offset = location.offset.value_or(0);
  if (offset > size || wanted > size - offset) {
    faults->push_back(fault("E106", where,
                            cat("external data of ", wanted, " bytes at offset ", offset,
                                " reaches beyond the end of '", location.path, "' (", size, " bytes)"),
                            save_again));
    return {};
  }
  return Constant::mapped(type, bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(wanted)),
                          entry.opened.file);
}

Diagnostics ExternalFiles::missing_files(const std::string& model) const {
  Diagnostics out;
  for (const auto& [name, entry] : files_) {
    if (entry.opened.outcome != OpenFile::Outcome::missing) continue;
    std::string users = "tensor '" + entry.first_user + "'";
    if (entry.users > 1) users += cat(" and ", entry.users - 1, " more");
    Where where;
    where.file = model;
    out.push_back({"W101", where,
                   cat("external data file '", name, "' is missing (", users, "); shapes are known, values are not"),
                   cat("put '", name, "' beside the model")});
  }
  return out;
}

std::vector<std::string> ExternalFiles::names() const {
  std::vector<std::string> out;
  for (const auto& [name, entry] : files_) out.push_back(name);
  return out;
}

int64_t ExternalFiles::bytes() const {
  int64_t sum = 0;
  for (const auto& [name, entry] : files_) {
    if (entry.opened.file) sum += static_cast<int64_t>(entry.opened.file->bytes().size());
  }
  return sum;
}

}  // namespace tarn::model
