#include "ops/operands.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace tarn::ops {

namespace {

// One word for each input, as ONNX Runtime documents its contrib operators:
//   T U V   any type, the same wherever a word of the operator has the letter
//   C D     int8 or uint8, the same wherever the letter is
//   F I L   float32, int32, int64; N: int32 or int64; Z: bool; *: anything
//   ?       behind a letter: may be left out; ... at the end: the last three repeat
struct Operands {
  const char* op;
  const char* inputs;
  size_t outputs = 1;  // at most
};

constexpr Operands kOperands[] = {
    {"Attention", "T T T? I? T? T? I?", 2},
    {"BiasAdd", "T T T"},
    {"BiasGelu", "T T"},
    {"BiasSoftmax", "T T"},
    {"BiasSplitGelu", "T T"},
    {"CDist", "T T"},
    {"DequantizeLinear", "T U T?"},
    {"DynamicQuantizeLSTM", "F C C F? I? F? F? F? F C F C", 3},
    {"DynamicQuantizeMatMul", "F C F C? F?"},
    {"EmbedLayerNormalization", "I I? T T T? T T I? I?", 3},
    {"ExpandDims", "T I"},
    {"FastGelu", "T T?"},
    {"FusedConv", "T T T? T?"},
    {"FusedGemm", "T T T?"},
    {"FusedMatMul", "T T"},
    {"GatherBlockQuantized", "T N U T?"},
    {"GatherND", "T N"},
    {"Gelu", "T"},
    {"GemmFastGelu", "T T T?"},
    {"GridSample", "T T"},
    {"GroupQueryAttention", "T T? T? T? T? I I T? T? L? T? T? *? *?", 4},
    {"Inverse", "T"},
    {"MatMulInteger16", "* *"},
    {"MatMulIntegerToFloat", "C D F F C? D? F?"},
    {"MatMulNBits", "T * T *? I? T?"},
    {"MultiHeadAttention", "T T? T? T? I? T? T? T? I? I?", 4},
    {"NhwcMaxPool", "C"},
    {"Pad", "T L T?"},
    {"QAttention", "C D F F F I? C? D? F?", 2},
    {"QEmbedLayerNormalization", "I I? C C C? C C I? F F F? F F C C C? C C", 2},
    {"QGemm", "C F C D F D I? F? *?"},
    {"QLinearAdd", "C F C? C F C? F C?"},
    {"QLinearAveragePool", "C F C? F C?"},
    {"QLinearConcat", "F C C F C ..."},
    {"QLinearConv", "C F C D F D F * I?"},
    {"QLinearGlobalAveragePool", "C F C F C"},
    {"QLinearLeakyRelu", "C F C? F C?"},
    {"QLinearMul", "C F C? C F C? F C?"},
    {"QLinearReduceMean", "C F C? F C?"},
    {"QLinearSigmoid", "C F C? F C?"},
    {"QLinearSoftmax", "C F C? F C"},
    {"QLinearWhere", "Z C F C C F C F C"},
    {"QuantizeLinear", "T T *?"},
    {"QuickGelu", "T"},
    {"Range", "T T T?"},
    {"RotaryEmbedding", "T L T T"},
    {"SimplifiedLayerNormalization", "T U", 2},
    {"SkipLayerNormalization", "T T T T? T?", 4},
    {"SkipSimplifiedLayerNormalization", "T T T T?", 4},
    {"TransposeMatMul", "T T"},
    {"Trilu", "T L?"},
    {"Unique", "T", 3},
};

bool takes(char letter, DType dtype) {
  switch (letter) {
    case 'C':
    case 'D': return dtype == DType::int8 || dtype == DType::uint8;
    case 'F': return dtype == DType::float32;
    case 'I': return dtype == DType::int32;
    case 'L': return dtype == DType::int64;
    case 'N': return dtype == DType::int32 || dtype == DType::int64;
    case 'Z': return dtype == DType::boolean;
    default: return true;
  }
}

}  // namespace

std::optional<Fault> check_operands(const Facts& facts) {
  // Exporters write this one into the standard's domain, too.
  if (facts.node.domain != "com.microsoft" && !facts.node.is("SimplifiedLayerNormalization")) return {};
  const auto* const known = std::find_if(std::begin(kOperands), std::end(kOperands),
                                         [&](const Operands& operands) { return facts.node.op == operands.op; });
  if (known == std::end(kOperands)) return {};
  std::vector<std::string> words = split(known->inputs, ' ');
  const size_t given = facts.types.size();
  if (words.back() == "...") {
    words.pop_back();
    const std::vector<std::string> group(words.end() - 3, words.end());
    while (words.size() < given) words.insert(words.end(), group.begin(), group.end());
  }
  if (given > words.size()) return Fault{cat("it has ", given, " inputs; at most ", words.size(), " are allowed")};
  if (facts.declared.size() > known->outputs)
    return Fault{cat("it has ", facts.declared.size(), " outputs; at most ", known->outputs, " are allowed")};
  std::map<char, size_t> first;  // by letter: the input that has its type
  for (size_t i = 0; i < words.size(); ++i) {
    const char letter = words[i][0];
    if (!facts.has(i)) {
      if (words[i].ends_with('?')) continue;
      return Fault{cat("input ", i, " is missing, and is not optional")};
    }
    const DType dtype = facts.types[i].dtype;
    if (!takes(letter, dtype))
      return Fault{cat("input ", i, " is ", to_string(facts.types[i]), ", a type that the operator does not take")};
    if (letter == '*') continue;
    const size_t same = first.emplace(letter, i).first->second;
    if (facts.types[same].dtype != dtype) {
      return Fault{cat("input ", same, " is ", to_string(facts.types[same]), " and input ", i, " is ",
                       to_string(facts.types[i]), "; they must be of one type")};
    }
  }
  return {};
}

}  // namespace tarn::ops
