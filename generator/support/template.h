// Templates: whole files with holes spelled @NAME@.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace tarn {

// The embedded file at `path` ("templates/model.h"); a fault of ours if there is none.
std::string_view embedded_text(std::string_view path);
bool has_embedded(std::string_view path);

// `text` with every hole filled. A hole without a value is a fault of ours; values without a hole are ignored.
std::string fill_holes(std::string_view text, const std::map<std::string, std::string>& holes);
// The same for an embedded file.
std::string fill_template(const std::string& path, const std::map<std::string, std::string>& holes);

}  // namespace tarn
