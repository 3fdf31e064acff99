// cxxopts, set up once: every file that used it otherwise would compile the same templates to something else.
#pragma once

// Values of repeated options are taken as they are: a comma may be part of one.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#include <cxxopts.hpp>
