#include "emit/image.h"

#include <algorithm>

#include "emit/ids.h"
#include "emit/transfers.h"
#include "support/crc32.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::emit {

namespace {

constexpr std::string_view kImageMagic = "TARNWGTS";
constexpr uint32_t kImageFormat = 1;
constexpr size_t kImageModelAt = 32;
constexpr int64_t kImageAlign = 16;  // of each weight within the image

void put_image_word(std::span<uint8_t> to, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint32_t image_word(std::span<const uint8_t> from, size_t at) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | from[at + i];
  return value;
}

uint32_t plan_half(const std::string& plan, size_t half) {
  return static_cast<uint32_t>(std::stoul(plan.substr(8 * half, 8), nullptr, 16));
}

// Where each weight begins, and the end.
std::vector<int64_t> image_places(const program::Program& program) {
  std::vector<int64_t> places;
  int64_t bytes = ImageHeader::kBytes;
  for (const program::Weight& weight : program.weights) {
    places.push_back(bytes);
    bytes = round_up(bytes + weight.bytes(), kImageAlign);
  }
  places.push_back(bytes);
  return places;
}

// All behind the header, in order.
void write_image_weights(const Context& c, const std::function<void(std::span<const uint8_t>)>& sink) {
  constexpr std::array<uint8_t, kImageAlign> zeros{};
  for (const program::Weight& weight : c.analysis.program.weights) {
    int64_t done = 0;
    weight.write([&](std::span<const uint8_t> bytes) {
      sink(bytes);
      done += static_cast<int64_t>(bytes.size());
    });
    sink(std::span(zeros).first(static_cast<size_t>(round_up(done, kImageAlign) - done)));
  }
}

ImageHeader image_header(const Context& c) {
  ImageHeader header{image_plan(c), image_bytes(c), 0, c.report.sha256};
  const auto bytes = header.encode();
  Crc32 crc;
  crc.add(std::span(bytes).first(ImageHeader::kCrcAt));
  crc.add(std::span(bytes).subspan(kImageModelAt));
  write_image_weights(c, [&](std::span<const uint8_t> piece) { crc.add(piece); });
  header.crc = crc.value();
  return header;
}

// What elements of weights want, at least that of a word of the header.
int64_t image_alignment(const program::Program& program) {
  int64_t align = 4;
  for (const program::Weight& weight : program.weights) align = std::max<int64_t>(align, bits_of(weight.dtype) / 8);
  return align;
}

std::map<std::string, std::string> image_holes(const Context& c) {
  const std::string plan = image_plan(c);
  std::string missing = "arena == NULL";
  for (const report::BankRow& bank : c.report.banks) {
    if (c.analysis.several_arenas() && bank.arena > 0) missing += " || arena->" + bank.name + " == NULL";
  }
  return {{"MISSING", missing},
          {"CAPS", c.names.capitals},
          {"PREFIX", c.names.prefix},
          {"ARENA", arena_parameter(c)},
          {"BYTES", std::to_string(image_bytes(c))},
          {"ALIGN", std::to_string(image_alignment(c.analysis.program))},
          {"HIGH", cat("0x", plan.substr(0, 8), "u")},
          {"LOW", cat("0x", plan.substr(8), "u")},
          {"HELD", c.names.macro("PTR_") + upper(c.names.tensors[c.analysis.program.image.pos()]) + "(arena)"}};
}

}  // namespace

std::array<uint8_t, ImageHeader::kBytes> ImageHeader::encode() const {
  std::array<uint8_t, kBytes> out{};
  const std::span<uint8_t> all(out);
  std::copy(kImageMagic.begin(), kImageMagic.end(), out.begin());
  put_image_word(all.subspan(8), kImageFormat);
  put_image_word(all.subspan(16), plan_half(plan, 1));
  put_image_word(all.subspan(20), plan_half(plan, 0));
  put_image_word(all.subspan(24), static_cast<uint32_t>(bytes));
  put_image_word(all.subspan(ImageHeader::kCrcAt), crc);
  for (size_t i = 0; i < 32; ++i)
    out[kImageModelAt + i] = static_cast<uint8_t>(std::stoul(sha256.substr(2 * i, 2), nullptr, 16));
  return out;
}

std::optional<ImageHeader> ImageHeader::decode(std::span<const uint8_t> from) {
  if (from.size() < kBytes || !std::equal(kImageMagic.begin(), kImageMagic.end(), from.begin()) ||
      image_word(from, 8) != kImageFormat)
    return {};
  constexpr const char* digits = "0123456789abcdef";
  const auto append = [&](std::string& to, uint8_t byte) {
    to += digits[byte >> 4];
    to += digits[byte & 15];
  };
  ImageHeader header;
  for (size_t i = 8; i-- > 0;) append(header.plan, from[16 + i]);
  header.bytes = image_word(from, 24);
  header.crc = image_word(from, ImageHeader::kCrcAt);
  for (size_t i = 0; i < 32; ++i) append(header.sha256, from[kImageModelAt + i]);
  return header;
}

std::vector<int64_t> image_offsets(const program::Program& program) {
  std::vector<int64_t> places = image_places(program);
  places.pop_back();
  return places;
}

int64_t image_bytes(const Context& c) { return image_places(c.analysis.program).back(); }

bool has_image(const Analysis& analysis) { return analysis.program.image.valid(); }

std::string image_plan(const Context& c) {
  const program::Program& program = c.analysis.program;
  // By number: what the model calls its tensors does not matter.
  CNames names = c.names;
  names.prefix = "n";
  names.capitals = "N";
  for (size_t i = 0; i < names.tensors.size(); ++i) names.tensors[i] = cat("t", i);
  for (size_t i = 0; i < names.inputs.size(); ++i) names.inputs[i] = cat("i", i);
  for (size_t i = 0; i < names.outputs.size(); ++i) names.outputs[i] = cat("o", i);
  for (size_t i = 0; i < names.weights.size(); ++i) names.weights[i] = cat("w", i);
  std::string all = cat("tarn image ", c.report.version, "\n", c.report.arena, "\n");
  for (const program::Weight& weight : program.weights) all += cat(to_string(weight.dtype), " ", weight.count, "\n");
  for (size_t i = 0; i < c.analysis.planning.items.size(); ++i) {
    const program::TensorId id = c.analysis.storage[c.analysis.planning.items[i]].tensors[0];
    all += cat(id.pos(), " ", c.analysis.plan.offsets[i], "\n");
  }
  for (size_t s = 0; s < c.analysis.schedule.steps.size(); ++s) {
    const program::Operation& operation = program[c.analysis.schedule.steps[s].operation];
    if (operation.kernel.empty()) {
      all += cat("control ", static_cast<int>(operation.control), "\n");
      continue;
    }
    all +=
        cat(call_text(c.analysis, names, s, 0), "\n", params_initialiser(c.analysis, operation, operation.params, {}),
            "\n", join(runtime_settings(c.analysis, names, s, "p")), "\n");
  }
  for (const program::KeptState& kept : program.kept) {
    if (kept.first.valid()) all += cat("first ", kept.first.pos(), "\n");
  }
  return id_of(all);
}

OutputFile image_file(const Context& c) {
  return {c.names.prefix + "_weights.img",
          [c](const TextSink& sink) {
            const auto put = [&](std::span<const uint8_t> bytes) {
              sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            };
            put(image_header(c).encode());
            write_image_weights(c, put);
          },
          image_bytes(c)};
}

std::string image_weights(const Context& c) {
  const program::Program& program = c.analysis.program;
  const std::vector<int64_t> offsets = image_offsets(program);
  std::string macros;
  for (size_t i = 0; i < program.weights.size(); ++i) {
    macros += cat("#define ", c.names.weights[i], " ((const ", c_type(program.weights[i].dtype),
                  " *)(const void *)(weights_image + ", offsets[i], "u))\n");
  }
  return macros;
}

std::string image_statuses(const Context& c) {
  if (!has_image(c.analysis) && !reads_weights(c.analysis)) return "";
  return cat("\n    ", c.names.capitals, "_ERROR_WEIGHTS = -5, /* no weights of this plan, or none were set */\n    ",
             c.names.capitals, "_ERROR_DAMAGED = -6  /* the weights are cut or damaged */");
}

std::string image_api(const Context& c) {
  return has_image(c.analysis) ? fill_template("templates/image.h", image_holes(c)) : "";
}

std::string image_source(const Context& c) {
  return has_image(c.analysis) ? fill_template("templates/image.c", image_holes(c)) : "";
}

std::string image_pointer(const Context& c, int indent, const std::string& otherwise) {
  if (!has_image(c.analysis)) return "";
  const std::string pad(static_cast<size_t>(indent), ' ');
  return cat(pad, "weights_image = ", c.names.prefix, "_image(arena);\n", pad, "if (weights_image == NULL) {\n", pad,
             "    ", otherwise, "\n", pad, "}\n");
}

}  // namespace tarn::emit
