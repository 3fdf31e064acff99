// Weights that several operations pack alike stand in flash once.
#pragma once
#include "program/program.h"

namespace tarn::program {

// Operations that read weights of the same type and bytes read one of them; the others are dropped.
void share_weights(Program& program);

}  // namespace tarn::program
