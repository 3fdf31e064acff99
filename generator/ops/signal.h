// Operators on signals and on random numbers.
#pragma once
#include "ops/op.h"

namespace tarn::ops {

std::vector<OperatorEntry> fourier_entries();  // DFT, STFT
std::vector<OperatorEntry> window_entries();   // HannWindow, HammingWindow, BlackmanWindow, MelWeightMatrix
std::vector<OperatorEntry> ngram_entries();    // TfIdfVectorizer
std::vector<OperatorEntry>
random_entries();  // RandomUniform, RandomNormal and their Like forms, Bernoulli, Multinomial

}  // namespace tarn::ops
