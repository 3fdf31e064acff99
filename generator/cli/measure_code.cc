#include "cli/measure_code.h"

#include <string_view>

#include "emit/emit.h"
#include "emit/files.h"
#include "stream/make_plan.h"
#include "verify/code_figures.h"

namespace tarn::cli {

namespace {

// A C compiler takes more than the time promised for a run function of more calls; it is measured only where --cc asks
// for it.
constexpr size_t kMostMeasuredSteps = 4'000;

}  // namespace

bool wants_code(const Options& options, const Analysis& analysis) {
  if (options.cc.empty() && analysis.program.operations.size() > kMostMeasuredSteps) return false;
  if (analysis.stream && !stream::not_emitted(analysis.program, *analysis.stream).empty()) return false;
  if (options.emit.arena_only || options.cc == "none") return false;
  for (const program::Weight& weight : analysis.program.weights) {
    if (!weight.missing.empty()) return false;
  }
  return true;
}

Result<Done> measure_code(const Options& options, const Analysis& analysis, report::Report& report) {
  emit::EmitOptions code = options.emit;
  code.weights_apart = true;
  Result<std::vector<emit::OutputFile>> files = emit::emit(analysis, report, code);
  if (!files) return files.faults();
  std::erase_if(*files, [](const emit::OutputFile& file) { return file.name.ends_with(".json"); });
  std::vector<verify::SourceText> texts;
  for (const emit::OutputFile& file : *files) {
    verify::SourceText& to = texts.emplace_back(verify::SourceText{file.name, {}});
    file.write([&](std::string_view piece) { to.text += piece; });
  }
  verify::CompileWith with;
  with.target = verify::parse_target(options.compile.target).value_or(verify::Target::host);
  with.cc = options.cc;
  with.flags = options.cflags;
  if (analysis.stream) {
    for (const stream::Actor& actor : analysis.stream->actors) {
      if (actor.pass > 0) continue;
      if (actor.what == stream::Actor::What::feed)
        with.entries.push_back(report.name + "_push_" + report.inputs[actor.port].c_name);
      if (actor.what == stream::Actor::What::drain)
        with.entries.push_back(report.name + "_pull_" + report.outputs[actor.port].c_name);
    }
  }
  const Result<std::optional<verify::CodeFigures>> figures = verify::code_figures(texts, report.name, with);
  // Where nobody asked for these figures there are none without room for the files, or with a compiler that lacks a C
  // library.
  const std::string fault = figures ? "" : figures.faults().front().code;
  if ((fault == "E401" || fault == "E403") && options.cc.empty()) return Done{};
  if (!figures) return figures.faults();
  if (!*figures) {
    if (options.cc.empty()) return Done{};
    return Diagnostic{"E402", {}, "the compiler '" + options.cc + "' does not work", "check --cc and --cflags"};
  }
  report.code = (*figures)->code;
  report.stack = (*figures)->stack;
  report.compiler = (*figures)->compiler;
  report.stack_path = (*figures)->path;
  return Done{};
}

}  // namespace tarn::cli
