#include "ops/microsoft_heads.h"

namespace tarn::ops {

std::string bias_from(Body& body, const std::string& takes_part, double fill, DType dtype) {
  return body.add("Where", {takes_part, body.number(0, dtype), body.number(fill, dtype)});
}

std::string positions(Body& body, int64_t count, DType dtype) {
  std::vector<int64_t> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i);
  return body.constant(Constant::ints(dtype, Shape{count}, values));
}

ValueNames attend(Body& body, const Heads& h) {
  model::Attributes attributes{{"q_num_heads", h.heads}, {"kv_num_heads", h.shared}, {"is_causal", int64_t{h.causal}}};
  if (h.scale != 0) attributes["scale"] = static_cast<float>(h.scale);
  if (h.cap != 0) attributes["softcap"] = static_cast<float>(h.cap);
  return body.add(3, "Attention", {h.q, h.k, h.v, h.bias, h.past_key, h.past_value}, std::move(attributes));
}

std::string heads_first(Body& body, const std::string& x, int64_t batch, int64_t length, int64_t heads, int64_t size) {
  return body.transpose(body.reshape(x, {batch, length, heads, size}), {0, 2, 1, 3});
}

}  // namespace tarn::ops
