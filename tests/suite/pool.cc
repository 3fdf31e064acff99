#include "suite/pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "support/text.h"

namespace tarn::suite {
namespace {

using Clock = std::chrono::steady_clock;

// Ends a complete result: what a crashing job has written does not.
constexpr char kEnd = '\x04';

struct Running {
  size_t index = 0;
  pid_t child = -1;
  int result = -1;  // the pipe's reading end
  FILE* err = nullptr;
  std::string text;
  Clock::time_point started;
};

void write_all(int to, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t wrote = write(to, text.data() + at, text.size() - at);
    if (wrote <= 0) _exit(3);
    at += static_cast<size_t>(wrote);
  }
}

Running start(size_t index, int64_t cpu_seconds, const std::function<std::string(size_t)>& job) {
  Running running;
  running.index = index;
  running.started = Clock::now();
  int ends[2];
  running.err = std::tmpfile();
  if (running.err == nullptr || pipe2(ends, O_CLOEXEC) != 0) return running;
  std::fflush(nullptr);
  running.child = fork();
  if (running.child == 0) {
    close(ends[0]);
    dup2(fileno(running.err), 2);
    rlimit limit = {};
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = static_cast<rlim_t>(cpu_seconds);
    setrlimit(RLIMIT_CPU, &limit);
    write_all(ends[1], job(index) + kEnd);
    std::fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  running.result = ends[0];
  return running;
}

std::string last_of(FILE* file) {
  constexpr long kMost = 2000;
  std::fseek(file, 0, SEEK_END);
  const long bytes = std::ftell(file), first = std::max(0L, bytes - kMost);
  std::fseek(file, first, SEEK_SET);
  std::string text(static_cast<size_t>(bytes - first), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

JobEnd finish(Running& running) {
  JobEnd end;
  int status = 0;
  while (waitpid(running.child, &status, 0) < 0 && errno == EINTR) {
  }
  close(running.result);
  end.seconds = std::chrono::duration<double>(Clock::now() - running.started).count();
  end.err = last_of(running.err);
  std::fclose(running.err);
  if (WIFSIGNALED(status)) {
    end.out_of_time = WTERMSIG(status) == SIGXCPU;
    end.trouble = cat("signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  } else if (running.text.empty() || running.text.back() != kEnd) {
    end.trouble = cat("exit status ", WEXITSTATUS(status));
  } else {
    end.ended = true;
    running.text.pop_back();
    end.result = std::move(running.text);
  }
  return end;
}

}  // namespace

void run_jobs(size_t count, int workers, int64_t cpu_seconds, const std::function<std::string(size_t)>& job,
              const std::function<void(size_t, const JobEnd&)>& done) {
  std::vector<Running> running;
  size_t next = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < static_cast<size_t>(std::max(1, workers))) {
      Running one = start(next, cpu_seconds, job);
      if (one.child > 0) {
        running.push_back(std::move(one));
      } else {
        JobEnd end;
        end.trouble = cat("cannot be started: ", std::strerror(errno));
        done(next, end);
      }
      ++next;
    }
    std::vector<pollfd> waiting;
    for (const Running& one : running) waiting.push_back({one.result, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    for (size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(running[i].result, buffer, sizeof buffer);
      if (got > 0) {
        running[i].text.append(buffer, static_cast<size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        const JobEnd end = finish(running[i]);
        const size_t index = running[i].index;
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
        done(index, end);
      }
    }
  }
}

}  // namespace tarn::suite
