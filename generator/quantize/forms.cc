#include "quantize/forms.h"

#include "support/text.h"

namespace tarn::quantize {

std::optional<LayerForm> layer_form(std::string_view word) {
  if (word == "4") return kInt4;
  if (word == "8") return kInt8;
  if (word == "16") return kInt16;
  if (word == "f16") return kFloat16;
  if (word == "32" || word == "float") return kFloat32;
  return {};
}

std::string word_of(const LayerForm& form) {
  return form == kFloat16 ? "f16" : form.floats() ? "float" : cat(form.bits());
}

std::string type_of(const LayerForm& form) { return cat(form.floats() ? "float" : "int", form.bits()); }

}  // namespace tarn::quantize
