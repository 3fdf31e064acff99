// What a misspelt word was probably meant to be.
#pragma once
#include <string>
#include <vector>

namespace tarn {

// The known word with the fewest changes of a letter (one more, one less, another, two neighbours swapped; case does
// not count), the first of several; empty where none is within a third of the word's letters, or one.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

// "; did you mean 'analyze'?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& prefix = "");

// A hint for a name that nothing has: the known one it was probably meant to be, else "WHAT: " and the first six known
// ones; empty where none is known.
std::string known_names(const std::string& word, const std::vector<std::string>& known, const std::string& what);

}  // namespace tarn
