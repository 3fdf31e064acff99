// Operators on signals and on random numbers.
#pragma once
#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> fourier_rooms();  // DFT, STFT
std::vector<Room> window_rooms();   // HannWindow, HammingWindow, BlackmanWindow, MelWeightMatrix
std::vector<Room> ngram_rooms();    // TfIdfVectorizer
std::vector<Room> random_rooms();   // RandomUniform, RandomNormal and their Like forms, Bernoulli, Multinomial

}  // namespace tarn::ops
