#include "support/early_end.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace tarn {

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path;
  bool with_content;
};

constexpr size_t kMostChildren = 1024;
constexpr size_t kReserveBytes = size_t{1} << 18;

// Never destroyed: threads may still ask when the process ends.
struct State {
  std::recursive_mutex gate;
  std::vector<Folder> folders;
  std::array<pid_t, kMostChildren> children = {};
  sigset_t waited = {};
  const char* message = "";
  int exit_code = 0;
  std::unique_ptr<char[]> reserve;  // for clearing up without memory
};

State& state() {
  alignas(State) static std::byte place[sizeof(State)];
  static State* const only = [] {
    auto* made = new (place) State;
    sigemptyset(&made->waited);
    return made;
  }();
  return *only;
}

// Of this thread.
thread_local int uninterrupted = 0;

void remove(const Folder& folder) {
  if (folder.with_content) remove_folder(folder.path);
  else ::rmdir(folder.path.c_str());
}

// The caller holds the gate and does not give it back.
void clear_up() {
  State& all = state();
  for (const pid_t child : all.children) {
    if (child != 0) ::kill(-child, SIGKILL);
  }
  for (const pid_t child : all.children) {
    siginfo_t info = {};
    // Whoever waits for it too still finds it.
    while (child != 0 && ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
  }
  // The last ones lie in the first.
  for (size_t i = all.folders.size(); i-- > 0;) remove(all.folders[i]);
}

[[noreturn]] void out_of_memory() {
  if (uninterrupted > 0) throw std::bad_alloc();
  State& all = state();
  all.gate.lock();
  all.reserve.reset();
  std::set_new_handler(nullptr);
  const ssize_t ignored = ::write(STDERR_FILENO, all.message, std::strlen(all.message));
  static_cast<void>(ignored);
  try {
    clear_up();
  } catch (const std::bad_alloc&) {
    // The next run removes what is left.
  }
  ::_exit(all.exit_code);
}

}  // namespace

void remove_folder(const std::string& path) {
  constexpr int kTimes = 100;
  std::error_code ignored;
  for (int i = 0; i < kTimes; ++i) {
    fs::remove_all(path, ignored);
    if (!fs::exists(path, ignored)) return;
    ::usleep(1000);
  }
}

void clear_up_on_signals() {
  sigset_t& waited = state().waited;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now = {};
    // What the caller had ignored, as nohup does, stays ignored.
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&waited, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &waited, nullptr);
  try {
    std::thread([&waited] {
      int signal = 0;
      if (::sigwait(&waited, &signal) == 0) end_by_signal(signal);
    }).detach();
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &waited, nullptr);
    sigemptyset(&waited);
  }
}

void end_without_memory(const char* message, int exit_code) {
  State& all = state();
  all.message = message;
  all.exit_code = exit_code;
  std::set_new_handler(out_of_memory);
  if (!all.reserve) all.reserve = std::make_unique<char[]>(kReserveBytes);
}

void end_early(int exit_code) {
  state().gate.lock();
  clear_up();
  ::_exit(exit_code);
}

bool is_uninterrupted() { return uninterrupted > 0; }

const sigset_t& waited_for() { return state().waited; }

Uninterrupted::Uninterrupted() {
  state().gate.lock();
  ++uninterrupted;
}

Uninterrupted::~Uninterrupted() {
  --uninterrupted;
  state().gate.unlock();
}

void remove_at_early_end(const std::string& folder, bool with_content) {
  const Uninterrupted now;
  state().folders.push_back({folder, with_content});
}

void keep_at_early_end(const std::string& folder) {
  const Uninterrupted now;
  std::erase_if(state().folders, [&](const Folder& f) { return f.path == folder; });
}

void kill_at_early_end(pid_t child) {
  const Uninterrupted now;
  std::array<pid_t, kMostChildren>& children = state().children;
  const auto free = std::find(children.begin(), children.end(), 0);
  if (free != children.end()) *free = child;
}

void spare_at_early_end(pid_t child) {
  const Uninterrupted now;
  std::array<pid_t, kMostChildren>& children = state().children;
  std::replace(children.begin(), children.end(), child, pid_t{0});
}

void end_by_signal(int signal) {
  state().gate.lock();
  clear_up();
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  // The first process of a container is not ended by signals.
  ::_exit(128 + signal);
}

}  // namespace tarn
