// One network compiled again and again, with optional passes left out: the outputs stay those of the whole list.
#pragma once
#include <string>
#include <vector>

#include "suite/verify_model.h"

namespace tarn::suite {

// Each pass left out alone, all of them together, and pairs: `pairs` of them, others for every name; with a negative
// number all in which one of the two alone changes the emitted code.
//
// On the host, on stored or made-up inputs. Compared with what the network gives with all passes, as verification
// compares: integers exactly; floats, and codes that sums of floats were rounded to, within its tolerance, because a
// fused kernel rounds once where two round twice. A variant whose files are those of one that has been run is not run
// again. Nothing but kFoldFloats may make a network that is refused: kernels may ask for weights that are constants.
// One outcome: the first variant that does not pass, named; with all that pass, how many there were.
Outcome run_without_passes(const std::string& name, const cli::Options& options, int pairs,
                           const std::vector<verify::DataSet>& data = {});

// "17 variants: 12 the same text, 4 run, 1 refused", over all outcomes.
std::string variants_line(const std::vector<Outcome>& outcomes);

}  // namespace tarn::suite
