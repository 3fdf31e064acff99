// The list of steps as a few words, each repeated some times.
#pragma once
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

// The shortest list (a byte an actor, three a word) among those of words up to a period that grows with the room the
// search has.
std::vector<Word> find_words(const std::vector<Step>& steps);

}  // namespace tarn::stream
