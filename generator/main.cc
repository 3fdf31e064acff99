// tarn: from an ONNX model to C99 with one statically planned arena.
#include <iostream>

int main() {
  std::cerr << "usage: tarn analyze|generate|verify|plan|ops|explain|diff ...\n";
  return 2;
}
