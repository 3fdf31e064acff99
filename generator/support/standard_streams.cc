#include "support/standard_streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "support/early_end.h"

namespace tarn {

namespace {

bool ends_by_sigpipe = false;
// Most results fit: then the write that fails is the one that is asked for, and its reason is known.
char buffer[size_t{1} << 18];

}  // namespace

void set_up_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one.
    const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    static_cast<void>(opened);
  }
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  ::signal(SIGXFSZ, SIG_IGN);
  ends_by_sigpipe = ::signal(SIGPIPE, SIG_IGN) == SIG_DFL;
}

Result<Done> check_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0 && std::cout.good()) return Done{};
  const int why = errno != 0 ? errno : EIO;
  if (why == EPIPE && ends_by_sigpipe) end_by_signal(SIGPIPE);
  return Diagnostic{"E401",
                    {.file = "standard output"},
                    std::string("cannot be written: ") + std::strerror(why),
                    "no output was changed; check where the output goes, and the free space there"};
}

Result<Done> print_result(const std::string& text) {
  std::cout << text;
  return check_standard_output();
}

}  // namespace tarn
