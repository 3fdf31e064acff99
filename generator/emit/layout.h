// The emitted files as a package that an ecosystem of firmware takes as it is: in its folders, with its descriptions.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compile.h"
#include "emit/files.h"
#include "report/report.h"

namespace tarn::emit {

enum class Layout { plain, zephyr, esp_idf, arduino, platformio, cmsis_pack, rust };
// As the command line calls them, in the order of Layout.
const std::vector<std::string>& layout_names();

// `files` of emit() where the layout wants them, and its descriptions, which name them.
std::vector<OutputFile> arrange(Layout layout, const Analysis& analysis, const report::Report& report,
                                std::vector<OutputFile> files);

// The folder below that of the output of which a build takes all sources; none: the descriptions name them.
std::optional<std::string> compiled_whole(Layout layout);

// The names of all descriptions of a network, whatever the layout. Each says in its head whose it is.
std::vector<std::string> description_names(const std::string& prefix);
bool is_description(const std::string& head, const std::string& prefix);

// E414: descriptions among `files` whose place in `folder` is taken by a file that is none of this network.
Diagnostics others_in_place(const std::string& folder, const std::string& prefix, const std::vector<OutputFile>& files);

}  // namespace tarn::emit
