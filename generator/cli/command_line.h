// cxxopts, set up once: every file that used it otherwise would compile the same templates to something else.
#pragma once

// Values of repeated options are taken as they are: a comma may be part of one.
#define CXXOPTS_VECTOR_DELIMITER '\0'
// It would make its regular expressions before main(), anew for every file that includes it.
#define CXXOPTS_NO_REGEX 1
#include <cxxopts.hpp>
#include <string>
#include <vector>

namespace tarn::cli {

// As options.parse(argc, argv); -oPLACE is what -o PLACE is, whatever letters the place is made of: without regular
// expressions cxxopts only knows letters and digits there.
cxxopts::ParseResult parse(cxxopts::Options& options, int argc, const char* const* argv);

}  // namespace tarn::cli
