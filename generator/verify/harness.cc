#include "verify/harness.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include "support/check.h"
#include "support/embedded.h"
#include "support/text.h"

namespace tarn::verify {
namespace {

// What a caller may rely on for a buffer of its own: the alignment of its elements.
int64_t element_align(const Port& port) { return std::max(1, bits_of(port.type.dtype) / 8); }

std::vector<const Port*> ports_of(const Firmware& firmware) {
  std::vector<const Port*> ports;
  for (const Port& port : firmware.inputs) ports.push_back(&port);
  for (const Port& port : firmware.outputs) ports.push_back(&port);
  return ports;
}

// What emitted functions take for their memory.
std::string arena_argument(const Firmware& firmware) { return firmware.banks.empty() ? "it->bank[0]" : "&it->arenas"; }

// Each dimension's size of the position `n` in the list of all sizes, those of the last dimension side by side.
std::string size_statements(const Firmware& firmware) {
  std::string lines;
  int64_t behind = 1;
  for (auto setter = firmware.set_sizes.rbegin(); setter != firmware.set_sizes.rend(); ++setter) {
    lines += cat("  if (status == 0) status = (int)", setter->function, "(", arena_argument(firmware), ", ",
                 setter->low, " + n / ", behind, " % ", setter->count, ");\n");
    behind *= setter->count;
  }
  return lines;
}

// The arena, and for buffers of the caller's ", it->at[0], it->at[1]".
std::string run_arguments(const Firmware& firmware, const std::string& after_arena) {
  std::string arguments = arena_argument(firmware) + after_arena;
  for (size_t i = 0; firmware.caller_io && i < ports_of(firmware).size(); ++i) arguments += cat(", it->at[", i, "]");
  return arguments;
}

// In memory that the harness owns.
bool is_outside(const Firmware& firmware, const Port& port) { return firmware.caller_io || port.lines > 0; }

// One round of pushes and pulls: see tarn_move.
std::string move_lines(const Firmware& firmware) {
  std::string text;
  const std::vector<const Port*> ports = ports_of(firmware);
  for (size_t i = 0; i < ports.size(); ++i) {
    const Port& port = *ports[i];
    if (port.lines == 0) continue;
    const bool input = i < firmware.inputs.size();
    const std::string c_name = port.c_name;
    text += cat("  n = tarn_lines_left(it, ", i, ");\n  if (n > 0) {\n");
    if (input) text += cat("    const int32_t wanted = ", firmware.name, "_lines_wanted_", c_name, "(it->bank[0]);\n");
    text += cat("    void *const line = tarn_next_line(it, ", i,
                ");\n    int32_t got;\n    tarn_count_from();\n    got = ", firmware.name, input ? "_push_" : "_pull_",
                c_name, "(it->bank[0], line, n);\n    tarn_counted(got);\n    if (got < 0) return got;\n");
    // What is promised is taken, and no more.
    if (input) text += "    if (got != (n < wanted ? n : wanted)) return -1000;\n";
    text += cat("    it->moved[", i, "] += got;\n    total += got;\n  }\n");
  }
  return text;
}

std::string bind_lines(const Firmware& firmware) {
  std::string lines;
  for (size_t i = 0; i < firmware.banks.size(); ++i)
    lines += cat("  it->arenas.", firmware.banks[i].name, " = it->bank[", i, "];\n");
  if (firmware.image)
    lines += cat("  (void)", firmware.name, "_weights_set(", arena_argument(firmware), ", tarn_image);\n");
  const std::vector<const Port*> ports = ports_of(firmware);
  for (size_t i = 0; i < ports.size(); ++i) {
    if (is_outside(firmware, *ports[i])) continue;
    lines += cat("  it->at[", i, "] = (void *)(uintptr_t)", ports[i]->accessor, "(", arena_argument(firmware), ");\n");
  }
  return lines;
}

std::string dim_cases(const Firmware& firmware) {
  std::string lines;
  size_t index = 0;
  for (const Port& port : firmware.outputs) {
    for (int axis : port.runtime_axes) {
      lines += cat("    case ", index++, ": return (uint32_t)", firmware.name, "_dim_", port.c_name, "_", axis, "(",
                   arena_argument(firmware), ");\n");
    }
  }
  return lines;
}

// How many lines a port has, where that is open.
std::string line_cases(const Firmware& firmware) {
  std::string lines;
  const std::vector<const Port*> ports = ports_of(firmware);
  for (size_t i = 0; i < ports.size(); ++i) {
    if (!ports[i]->lines_function.empty())
      lines += cat("    case ", i, ": return ", ports[i]->lines_function, "(", arena_argument(firmware), ");\n");
  }
  return lines;
}

// Size and fixed buffer of each arena.
std::string bank_rows(const Firmware& firmware) {
  if (firmware.banks.empty())
    return cat("    {(size_t)(", upper(firmware.name), "_ARENA_BYTES), ", firmware.name, "_arena},\n");
  std::string rows;
  for (const BankMemory& bank : firmware.banks) {
    rows += cat("    {(size_t)(", upper(firmware.name), "_ARENA_", upper(bank.name), "_BYTES), ",
                bank.symbol.empty() ? "0" : bank.symbol, "},\n");
  }
  return rows;
}

// The image, and what reads weights from it: nothing comes before the wait, so that who looks earlier finds garbage.
std::string image_text(const Firmware& firmware) {
  std::string text = firmware.image || firmware.weights_read ? "extern const unsigned char tarn_image[];\n" : "";
  if (firmware.weights_read)
    text += fill(harness_template("reader.h"), {{"name", firmware.name}, {"NAME", upper(firmware.name)}});
  return text;
}

size_t dim_count(const Firmware& firmware) {
  size_t count = 0;
  for (const Port& port : firmware.outputs) count += port.runtime_axes.size();
  return count;
}

uint32_t read_word(const std::string& content, size_t at) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(content[at + i]);
  return value;
}

void append_word(std::string& content, uint32_t value) {
  for (int i = 0; i < 4; ++i) content += static_cast<char>(value >> (8 * i) & 255);
}

// One run's outputs, from `at` on, which moves behind them.
std::optional<std::vector<Output>> parse_run(const std::string& content, const Firmware& firmware, size_t& at) {
  std::vector<Output> outputs;
  for (const Port& port : firmware.outputs) {
    const auto bytes = static_cast<size_t>(port.type.bytes());
    if (content.size() - at < bytes) return {};
    const auto* begin = reinterpret_cast<const uint8_t*>(content.data()) + at;
    outputs.push_back({std::vector<uint8_t>(begin, begin + bytes), port.type.shape});
    at += bytes;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Port& port = firmware.outputs[i];
    for (int axis : port.runtime_axes) {
      if (content.size() - at < 4) return {};
      const int64_t length = read_word(content, at);
      at += 4;
      if (length > port.type.shape[axis]) return {};
      outputs[i].shape[axis] = length;
    }
    outputs[i].bytes.resize(static_cast<size_t>(bytes_for(port.type.dtype, outputs[i].shape.count())));
  }
  return outputs;
}

}  // namespace

std::string_view harness_template(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with("templates/verify/") && file.path.substr(17) == name) return file.text;
  }
  TARN_FAIL("no template " + std::string(name));
}

std::string fill(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values) {
  std::string result;
  while (!text.empty()) {
    const size_t at = text.find('@');
    result += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    const auto value = std::find_if(values.begin(), values.end(), [&](const auto& v) {
      return text.substr(1).starts_with(v.first) && text.substr(1 + v.first.size()).starts_with('@');
    });
    if (value == values.end()) {
      result += '@';
      text.remove_prefix(1);
    } else {
      result += value->second;
      text.remove_prefix(value->first.size() + 2);
    }
  }
  return result;
}

std::string firmware_header(const Firmware& firmware) {
  const std::vector<const Port*> ports = ports_of(firmware);
  std::string rows;
  int64_t buffer_bytes = 0;
  for (const Port* port : ports) {
    const bool outside = is_outside(firmware, *port);
    rows += cat("    {", port->type.bytes(), "u, ", element_align(*port), "u, ", outside ? 1 : 0, ", ", port->lines,
                ", ", port->passes, "},\n");
    if (outside) buffer_bytes += port->type.bytes() + 16;  // with the gap that tarn_buffer leaves before each
  }
  if (ports.empty()) rows = "    {0u, 1u, 0, 0, 1},\n";
  buffer_bytes = std::max<int64_t>(8, buffer_bytes);
  const std::string& name = firmware.name;
  return fill(harness_template("tarn_firmware.h"),
              {{"inputs", cat(firmware.inputs.size())},
               {"outputs", cat(firmware.outputs.size())},
               {"ports", cat(std::max<size_t>(1, ports.size()))},
               {"dims", cat(dim_count(firmware))},
               {"caller_io", firmware.caller_io ? "1" : "0"},
               {"header", name + ".h"},
               {"image", image_text(firmware)},
               {"NAME", upper(name)},
               {"port_rows", rows},
               {"buffer_bytes", cat(buffer_bytes)},
               {"banks", cat(std::max<size_t>(1, firmware.banks.size()))},
               {"bank_rows", bank_rows(firmware)},
               {"arenas", firmware.banks.empty() ? "" : "  " + name + "_arenas arenas;\n"},
               {"bind", bind_lines(firmware)},
               {"by_lines", firmware.by_lines ? "1" : "0"},
               {"moves", move_lines(firmware)},
               {"dim_cases", dim_cases(firmware)},
               {"line_cases", line_cases(firmware)},
               {"sized", firmware.set_sizes.empty() ? "0" : "1"},
               {"set_size", size_statements(firmware)},
               {"run_step", firmware.by_lines ? "step" : name + "_run_step(" + run_arguments(firmware, ", step") + ")"},
               {"start", firmware.by_lines ? name + "_reset(it->bank[0])" : "(void)it"},
               {"run", firmware.by_lines ? "tarn_move_all(it)" : name + "_run(" + run_arguments(firmware, "") + ")"}});
}

std::string linked_image(const std::string& file) {
  return cat(
      "    .section .rodata.tarn_image, \"a\"\n    .balign 16\n    .global tarn_image\ntarn_image:\n    .incbin \"",
      file, "\"\n#if defined(__linux__)\n    .section .note.GNU-stack, \"\", %progbits\n#endif\n");
}

std::string bank_section(const BankMemory& bank) { return ".bss.tarn_arena_" + bank.name; }

std::string arena_section(const std::string& name, const std::string& input, size_t index, const std::string& region) {
  return cat("  .", name, " (NOLOAD) : ALIGN(64) {\n    tarn_guard_low_", index, " = .; . += 64; ", input,
             " . = ALIGN(4); . += 64; tarn_guard_end_", index, " = .;\n  } > ", region, "\n");
}

// "LONG(base) LONG(attributes)" for the three regions of memory: normal memory, accessible by all, code read-only. RASR
// of the Armv7-M MPU; a region of 0 is off.
std::string region_words(const Board& board) {
  std::string words;
  const Region none, large = board.large == board.ram ? none : board.large;
  for (const Region& region : {board.code, board.ram, large}) {
    uint32_t attributes = 0;
    if (region.bytes > 0) {
      const uint32_t access = region == board.code ? 6u << 24 : 3u << 24;
      attributes = access | 1u << 17 |
                   static_cast<uint32_t>(std::bit_width(static_cast<uint64_t>(region.bytes) - 1) - 1) << 1 | 1u;
    }
    words += cat("LONG(", region.address, ") LONG(", attributes, ") ");
  }
  return words;
}

// The arenas with guard bytes around each, and where those are. The first of several banks stands for the fast memory.
std::string arena_sections(const Board& board, const std::vector<BankMemory>& banks) {
  if (banks.empty()) return arena_section("arena", "*(.bss.tarn_arena)", 0, "large");
  std::string text;
  for (size_t i = 0; i < banks.size(); ++i) {
    const std::string own = banks[i].section.empty() ? bank_section(banks[i]) : banks[i].section;
    const bool fast = i == 0 && banks[i].bytes <= board.ram.bytes / 2;
    text += arena_section("bank_" + banks[i].name, "*(" + own + ")", i, fast ? "ram" : "large");
  }
  return text;
}

std::string guard_words(size_t banks) {
  std::string words;
  for (size_t i = 0; i < std::max<size_t>(1, banks); ++i)
    words += cat("LONG(tarn_guard_low_", i, ") LONG(tarn_guard_end_", i, ") ");
  return words;
}

std::string link_script(const Board& board, const std::vector<BankMemory>& banks) {
  std::string regions, aliases;
  const std::pair<const char*, Region> all[] = {
      {"code", board.code}, {"boot", board.boot}, {"ram", board.ram}, {"large", board.large}};
  for (size_t i = 0; i < std::size(all); ++i) {
    const auto same = std::find_if(all, all + i, [&](const auto& earlier) { return earlier.second == all[i].second; });
    if (same == all + i) {
      regions += cat("  ", all[i].first, " (rwx) : ORIGIN = ", all[i].second.address,
                     ", LENGTH = ", all[i].second.bytes, "\n");
    } else {
      aliases += cat("REGION_ALIAS(\"", all[i].first, "\", ", same->first, ");\n");
    }
  }
  return fill(harness_template("board.ld"), {{"regions", regions},
                                             {"aliases", aliases},
                                             {"region_words", region_words(board)},
                                             {"guard_words", guard_words(banks.size())},
                                             {"arenas", arena_sections(board, banks)},
                                             {"stack_bytes", cat(board.stack_bytes)}});
}

Result<Done> write_harness(const Firmware& firmware, const std::string& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder + "/include", fault);
  bool good = !fault && write_file(folder + "/tarn_firmware.h", firmware_header(firmware));
  for (const EmbeddedFile& file : embedded_files()) {
    constexpr std::string_view kPrefix = "templates/verify/";
    if (!file.path.starts_with(kPrefix) || file.path.ends_with("/tarn_firmware.h")) continue;
    good = good && write_file(folder + "/" + std::string(file.path.substr(kPrefix.size())), file.text);
  }
  if (!good) return Diagnostic{"E401", {}, "the scratch folder cannot be written", "Check the free space of TMPDIR."};
  return Done{};
}

RunPlan plan_runs(size_t samples, bool repeat, bool interleave, bool by_lines) {
  RunPlan plan;
  if (samples == 0) return plan;
  if (repeat) plan.single.assign(by_lines ? 2 : 1, 0);
  for (size_t i = 0; i < samples; ++i) plan.single.push_back(i);
  if (interleave) plan.interleaved.push_back({0, samples - 1});
  return plan;
}

std::string input_file(const RunPlan& plan, const std::vector<Sample>& samples) {
  std::string content;
  const auto append = [&](size_t sample) {
    if (samples[sample].size) append_word(content, static_cast<uint32_t>(*samples[sample].size));
    for (const std::vector<uint8_t>& input : samples[sample].inputs) {
      if (samples[sample].size) append_word(content, static_cast<uint32_t>(input.size()));
      content.append(input.begin(), input.end());
    }
  };
  append_word(content, static_cast<uint32_t>(plan.single.size()));
  append_word(content, static_cast<uint32_t>(plan.interleaved.size()));
  for (size_t sample : plan.single) append(sample);
  for (const auto& [first, second] : plan.interleaved) {
    append(first);
    append(second);
  }
  return content;
}

std::optional<std::vector<std::vector<Output>>> parse_output_file(const std::string& content, const Firmware& firmware,
                                                                  const RunPlan& plan) {
  std::vector<std::vector<Output>> runs;
  size_t at = 0;
  for (size_t i = 0; i < plan.single.size() + 2 * plan.interleaved.size(); ++i) {
    std::optional<std::vector<Output>> outputs = parse_run(content, firmware, at);
    if (!outputs) return {};
    runs.push_back(std::move(*outputs));
  }
  if (at != content.size()) return {};
  return runs;
}

}  // namespace tarn::verify
