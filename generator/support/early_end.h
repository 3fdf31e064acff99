// A process that ends early leaves nothing behind: neither temporary folders nor running programs. It ends early by
// SIGINT, SIGTERM or SIGHUP, when nobody reads what it prints, and when there is no more memory.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <string>

namespace tarn {

// Set up by the command line alone; without it signals and exhausted memory end the process as they would anyway.
// A thread of its own waits for the signals, which are blocked in all others.
void clear_up_on_signals();
// Ends the process with a message on stderr, wherever in the program the memory was asked for: nothing can be
// computed without, and neither threads nor destructors need to know what to do then. Inside Uninterrupted it is
// std::bad_alloc.
void end_without_memory(const char* message, int exit_code);

// What clear_up_on_signals() blocked; a program that is started gets it unblocked.
const sigset_t& waited_for();

// Ends the process after clearing up, wherever it is; what is to be said has been said. Not inside Uninterrupted.
[[noreturn]] void end_early(int exit_code);
bool is_uninterrupted();  // this thread

// While one exists the process does not end early: for steps on files that belong together, and for whatever is made
// and has to be noted below at once. May be nested. What it guards takes no longer than moving a few files.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
};

// Removes a folder with all that it holds. A program that was killed may yet finish what it asked the system for, such
// as a new file: tried again for a tenth of a second while something is left. Never throws but for the lack of memory.
void remove_folder(const std::string& path);

// An absolute path. Removed with all that it holds, or only if it is empty.
void remove_at_early_end(const std::string& folder, bool with_content);
void keep_at_early_end(const std::string& folder);  // allocates nothing

// A child that leads a process group: all of it. Allocate nothing.
void kill_at_early_end(pid_t child);
void spare_at_early_end(pid_t child);

// Ends the process as the signal would have, after clearing up.
[[noreturn]] void end_by_signal(int signal);

}  // namespace tarn
