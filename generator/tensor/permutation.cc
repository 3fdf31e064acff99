#include "tensor/permutation.h"

namespace tarn {

Perm channels_last(int rank) {
  Perm perm{0};
  for (int i = 2; i < rank; ++i) perm.push_back(i);
  perm.push_back(1);
  return perm;
}

Perm inverse(const Perm& perm) {
  Perm result(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) result[static_cast<size_t>(perm[i])] = static_cast<int>(i);
  return result;
}

Perm compose(const Perm& a, const Perm& b) {
  Perm result;
  for (int axis : b) result.push_back(a[static_cast<size_t>(axis)]);
  return result;
}

bool is_identity(const Perm& perm) {
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<int>(i)) return false;
  }
  return true;
}

Shape permuted(const Shape& shape, const Perm& perm) {
  Shape result;
  for (int axis : perm) result.dims.push_back(shape[axis]);
  return result;
}

bool moves_nothing(const Shape& shape, const Perm& perm) {
  int last = -1;
  for (int axis : perm) {
    if (shape[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

}  // namespace tarn
