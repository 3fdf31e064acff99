// Why a call takes long: what its kernel does beside the plain loop over whole blocks.
#pragma once
#include <string>

#include "time/predict.h"

namespace tarn::timing {

// "the borders of the image 18 %, floats in software": what takes at least a tenth of the call's instructions, the
// largest first; empty where nothing does.
std::string reason_of(const std::string& target, const std::string& kernel, const Prediction& prediction);

}  // namespace tarn::timing
