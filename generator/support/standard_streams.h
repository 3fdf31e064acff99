// stdout carries results: what cannot be written there is a fault like any other.
#pragma once
#include <string>

#include "support/result.h"

namespace tarn {

// At the start of the process. A stream that the caller closed is opened so that writing to it fails, rather than into
// the next file that is opened; and a full disk, a limit of file sizes or a reader that went away is an error of the
// write that meets it.
void set_up_standard_streams();

// Prints a result. E401 when it did not go through; a reader that went away ends the process by SIGPIPE, as is the
// custom, unless the caller had that ignored.
Result<Done> print_result(const std::string& text);
// The same of all that was printed in other ways.
Result<Done> check_standard_output();

}  // namespace tarn
