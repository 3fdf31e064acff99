#include "cli/write_firmware.h"

#include "emit/emit.h"
#include "emit/sizes.h"
#include "emit/stream_sizes.h"
#include "emit/transfers.h"
#include "stream/make_plan.h"
#include "verify/files.h"
#include "verify/harness.h"

namespace tarn::cli {

namespace {

// The emitted files, written to `folder`, as verification wants them told.
verify::Firmware describe(const Analysis& analysis, const report::Report& report,
                          const std::vector<emit::OutputFile>& files, const std::string& folder) {
  verify::Firmware firmware;
  firmware.name = report.name;
  firmware.folder = folder;
  for (const emit::OutputFile& file : files) {
    if (file.name.ends_with(".c") || file.name.ends_with(".S")) firmware.sources.push_back(file.name);
  }
  for (const report::Port& port : report.inputs)
    firmware.inputs.push_back({port.name, port.c_name, port.accessor, port.type, {}});
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    const report::Port& port = report.outputs[i];
    verify::Port out{port.name, port.c_name, port.accessor, port.type, {}};
    for (const program::RuntimeAxis& axis : analysis.program[analysis.program.outputs[i]].runtime)
      out.runtime_axes.push_back(axis.axis);
    for (const int axis : emit::sized_axes(analysis, emit::PortKind::output, i)) out.runtime_axes.push_back(axis);
    if (i < analysis.output_accuracy.size()) out.accuracy = analysis.output_accuracy[i];
    firmware.outputs.push_back(std::move(out));
  }
  for (const report::BankRow& bank : report.banks) {
    if (analysis.several_arenas()) firmware.banks.push_back({bank.name, bank.symbol, bank.section, bank.arena});
  }
  if (analysis.stream) {
    for (const stream::Actor& actor : analysis.stream->actors) {
      if (actor.what == stream::Actor::What::operation) continue;
      const bool feed = actor.what == stream::Actor::What::feed;
      verify::Port& port = (feed ? firmware.inputs : firmware.outputs)[actor.port];
      port.lines = actor.lines;
      if (feed) port.passes = stream::passes_of(*analysis.stream, actor.port);
      firmware.by_lines = true;
    }
  }
  const emit::Context context{analysis, report, emit::make_names(analysis.name, analysis.program), {}};
  for (const emit::PortLines& lines : emit::port_lines(context)) {
    const stream::Actor& actor = analysis.stream->actors[lines.actor];
    const bool feed = actor.what == stream::Actor::What::feed;
    (feed ? firmware.inputs : firmware.outputs)[actor.port].lines_function = lines.function;
  }
  for (const emit::SizeSetter& setter : emit::size_setters(analysis, report.name))
    firmware.set_sizes.push_back({setter.name, setter.low, setter.count});
  firmware.caller_io = analysis.options.caller_io;
  firmware.image = analysis.program.image.valid();
  firmware.weights_read = emit::reads_weights(analysis);
  firmware.macs = report.macs;
  firmware.arena_bytes = report.arena;
  firmware.static_bytes = report.static_bytes;
  return firmware;
}

}  // namespace

Result<verify::Firmware> write_firmware(const Analysis& analysis, const report::Report& report, const Options& options,
                                        const std::string& folder) {
  Result<std::vector<emit::OutputFile>> files = emit::emit(analysis, report, options.emit);
  if (!files) return files.faults();
  if (analysis.program.image.valid() || emit::reads_weights(analysis))
    files->push_back(emit::text_file(report.name + "_image.S", verify::linked_image(report.name + "_weights.img")));
  if (const Result<Done> written = emit::write_files(folder, *files, {.scratch = true}); !written)
    return written.faults();
  return describe(analysis, report, *files, folder);
}

}  // namespace tarn::cli
