#include "emit/compare_images.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "emit/image.h"
#include "support/crc32.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

std::vector<uint8_t> read_image_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct ReadImage {
  ImageHeader header;
  std::vector<uint8_t> bytes;
};

Result<ReadImage> read_image(const std::string& path) {
  ReadImage image;
  image.bytes = read_image_bytes(path);
  Where where;
  where.file = path;
  const std::optional<ImageHeader> header = ImageHeader::decode(image.bytes);
  if (!header) return Diagnostic{"E307", where, "is no image of weights of a format that this tarn knows", ""};
  image.header = *header;
  if (static_cast<int64_t>(image.bytes.size()) < header->bytes)
    return Diagnostic{"E307", where, cat("is cut: ", image.bytes.size(), " of ", header->bytes, " bytes"), ""};
  image.bytes.resize(static_cast<size_t>(header->bytes));
  Crc32 crc;
  crc.add(std::span(image.bytes).first(ImageHeader::kCrcAt));
  crc.add(std::span(image.bytes).subspan(ImageHeader::kCrcAt + 4));
  if (crc.value() != header->crc) return Diagnostic{"E307", where, "is damaged: its CRC-32 is another", ""};
  return image;
}

}  // namespace

bool is_image(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string magic(8, '\0');
  in.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  return path.ends_with(".img") || magic == "TARNWGTS";
}

Result<std::string> compare_images(const std::string& old_path, const std::string& new_path) {
  const Result<ReadImage> before = read_image(old_path), after = read_image(new_path);
  Diagnostics faults;
  for (const Result<ReadImage>* image : {&before, &after}) {
    if (!*image) faults.insert(faults.end(), image->faults().begin(), image->faults().end());
  }
  if (!faults.empty()) return faults;
  const ImageHeader &a = before->header, &b = after->header;
  const bool same_plan = a.plan == b.plan && a.bytes == b.bytes, same_model = a.sha256 == b.sha256;
  std::string text = cat("plan   ", a.plan,
                         same_plan ? ": the same plan, one can stand for the other\n"
                                   : cat(", then ", b.plan, ": another plan, its code refuses the first\n"));
  text += cat("model  ", a.sha256.substr(0, 16),
              same_model ? ": the same model\n" : cat(", then ", b.sha256.substr(0, 16), "\n"));
  text += cat("bytes  ", a.bytes, a.bytes == b.bytes ? "" : cat(", then ", b.bytes), "\n");
  if (!same_plan) return text;
  int64_t differ = 0;
  for (size_t i = static_cast<size_t>(ImageHeader::kBytes); i < before->bytes.size(); ++i)
    differ += before->bytes[i] != after->bytes[i] ? 1 : 0;
  return text + cat("differ ", differ, " of ", a.bytes - ImageHeader::kBytes, " bytes of weights\n");
}

}  // namespace tarn::emit
