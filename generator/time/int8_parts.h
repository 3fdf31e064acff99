// Terms of convolutions whose patches are taken in parts.
#pragma once
#include "time/int8_call.h"

namespace tarn::timing {

Terms conv2d_dsp_parts(Int8Call call);

}  // namespace tarn::timing
