#include "verify/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "support/early_end.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::verify {
namespace {

// A pair of descriptors that are closed at the end, and not passed on to other children.
struct Pipe {
  int ends[2] = {-1, -1};
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void close_end(int which) {
    if (ends[which] >= 0) close(ends[which]);
    ends[which] = -1;
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
};

void limit(int resource, int64_t soft, int64_t hard) {
  const rlimit value = {static_cast<rlim_t>(soft), static_cast<rlim_t>(hard)};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

// In the memory of the parent, which waits for the end of this: only calls that are safe after a fork of a threaded
// program.
[[noreturn]] void become(const Command& command, char* const* arguments, char* const* environment, const char* program,
                         int out, int err, int report, [[maybe_unused]] pid_t parent) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);     // nobody reads what it finds any more
  if (getppid() != parent) _exit(127);  // died before that
#endif
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_CPU, command.cpu_seconds, command.cpu_seconds + 2);
  if (command.memory_bytes > 0) limit(RLIMIT_AS, command.memory_bytes, command.memory_bytes);
  if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 &&
      (command.folder.empty() || chdir(command.folder.c_str()) == 0)) {
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &waited_for(), nullptr);
    execve(program, arguments, environment);
  }
  const int fault = errno;
  ssize_t ignored = write(report, &fault, sizeof fault);
  static_cast<void>(ignored);
  _exit(127);
}

using Clock = std::chrono::steady_clock;

bool has_ended(pid_t child) {
  siginfo_t info = {};
  const int got = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return (got == 0 && info.si_pid == child) || (got < 0 && errno != EINTR);
}

// Reads both streams until they end, or the child does while something that it left behind keeps them open. False when
// the deadline passes.
bool collect(pid_t child, Pipe (&pipes)[2], std::string (&texts)[2], size_t most, Clock::time_point deadline) {
  for (;;) {
    pollfd waiting[2] = {{pipes[0].ends[0], POLLIN, 0}, {pipes[1].ends[0], POLLIN, 0}};
    if (pipes[0].ends[0] < 0 && pipes[1].ends[0] < 0) return true;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    const int ready = poll(waiting, 2, static_cast<int>(std::min<int64_t>(left, 100)));
    if (ready < 0 && errno != EINTR) return true;
    if (ready == 0 && has_ended(child)) return true;
    for (size_t i = 0; ready > 0 && i < 2; ++i) {
      if (waiting[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(waiting[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        texts[i].append(buffer, std::min(static_cast<size_t>(got), most - std::min(most, texts[i].size())));
      } else if (got == 0 || errno != EINTR) {
        pipes[i].close_end(0);
      }
    }
  }
}

// Waits for the child without reaping it; false when it is still alive at the deadline.
bool await(pid_t child, Clock::time_point deadline) {
  while (!has_ended(child)) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// The caller's environment, with messages of other programs in English: they are read below.
std::vector<std::string> english_environment() {
  std::vector<std::string> variables = {"LC_ALL=C"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("LC_ALL=") && !text.starts_with("LANGUAGE=")) variables.emplace_back(text);
  }
  return variables;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Ended judge(int status, bool in_time) {
  Ended ended;
  if (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
    ended.how = Ended::How::out_of_time;
  } else if (WIFSIGNALED(status)) {
    ended.how = Ended::How::signalled;
    ended.code = WTERMSIG(status);
  } else {
    ended.how = Ended::How::exited;
    ended.code = WEXITSTATUS(status);
  }
  return ended;
}

}  // namespace

Ended run(const Command& command) {
  Ended ended;
  if (command.arguments.empty()) return ended;
  const std::string program = find_program(command.arguments[0]);
  Pipe streams[2], report;
  if (program.empty() || !streams[0].open() || !streams[1].open() || !report.open()) {
    ended.code = program.empty() ? ENOENT : errno;
    return ended;
  }
  const std::vector<char*> arguments = pointers_to(command.arguments);
  const std::vector<std::string> variables = english_environment();
  const std::vector<char*> environment = pointers_to(variables);

  const pid_t parent = getpid();
  pid_t child = -1;
  {
    const Uninterrupted now;
    // Not fork: that would copy the page tables, which are large when a model or a sanitizer is.
    child = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
    if (child > 0) kill_at_early_end(child);
  }
  if (child < 0) {
    ended.code = errno;
    return ended;
  }
  if (child == 0) {
    become(command, arguments.data(), environment.data(), program.c_str(), streams[0].ends[1], streams[1].ends[1],
           report.ends[1], parent);
  }
  setpgid(child, child);
  for (Pipe& pipe : streams) pipe.close_end(1);
  report.close_end(1);

  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(10 * command.cpu_seconds + 5);
  std::string texts[2];
  int status = 0;
  const bool in_time = collect(child, streams, texts, command.output_bytes, deadline) && await(child, deadline);
  spare_at_early_end(child);
  kill(-child, SIGKILL);  // also what it left behind; the group's number is ours until the child is reaped
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

  int fault = 0;
  if (read(report.ends[0], &fault, sizeof fault) == static_cast<ssize_t>(sizeof fault)) {
    ended.code = fault;
    return ended;
  }
  ended = judge(status, in_time);
  ended.out = std::move(texts[0]);
  ended.err = std::move(texts[1]);
  return ended;
}

std::vector<Ended> run_all(const std::vector<Command>& commands) {
  std::vector<Ended> results(commands.size());
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next++; i < commands.size(); i = next++) results[i] = run(commands[i]);
  };
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  try {
    for (size_t i = 1; i < std::min(cores, commands.size()); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Fewer threads do it too.
  }
  work();
  others.clear();
  return results;
}

std::string describe(const Ended& ended, const Command& command) {
  switch (ended.how) {
    case Ended::How::exited: return cat("exit status ", ended.code);
    case Ended::How::signalled: return cat("signal ", ended.code, " (", strsignal(ended.code), ")");
    case Ended::How::out_of_time: return cat("no end within ", command.cpu_seconds, " s of CPU time");
    case Ended::How::not_started: return cat("cannot be started: ", std::strerror(ended.code));
  }
  return "";
}

}  // namespace tarn::verify
