// Networks by lines: the table of where the lines of tensors lie, and the functions that read it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "emit/stream_sizes.h"

namespace tarn::emit {

// The least unsigned type of C that holds numbers up to `most`.
std::string fitting(int64_t most);
// A constant array, in lines that are not too long.
std::string array(const std::string& type, const std::string& name, const std::vector<std::string>& numbers);

// Where lines lie, and the functions that find them; nothing when all steps are of whole tensors.
std::string line_functions(LineText& text, SizedStream& sizes, std::map<std::string, std::string> holes);

}  // namespace tarn::emit
