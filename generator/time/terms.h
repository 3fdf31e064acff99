// Terms: how often each part of a kernel's loops runs in one call, from the call's parameters alone.
//
// A call's predicted instructions are the sum over its terms of count times coefficient; coefficients are fitted to
// executed instructions, per target (predict.h). The terms of a kernel follow the loops of its source in runtime/.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tarn::timing {

// The fields of a call's parameter struct as they are emitted, pitches and ranges filled in. A field of a nested
// struct is "requant.mask", one of an array "stride.1" (emit/fields.h).
using Parameters = std::map<std::string, int64_t>;

// The parameter "in_place" of lines whose pixels are read where they lie: of a line by itself, of several at once.
inline constexpr int64_t kLineInPlace = 1, kLinesInPlace = 2;

struct Term {
  std::string name;
  double count = 0;
};
using Terms = std::vector<Term>;
constexpr const char* kNonzero = "nonzero";         // CallTerms::add_nonzero
constexpr const char* kBesideZero = "beside_zero";  // CallTerms::beside_zero

// What a core has, where kernels have other loops with it, or call functions without it.
struct Core {
  bool vectors = false;                // M-profile vector extension
  bool dsp = false;                    // products and sums of 16 bits, and no vectors
  bool floats = true, divides = true;  // instructions for float32, and for quotients
  bool unaligned = false;              // words are read and written at any address
};
Core core_of(const std::string& target);

// Where data decide how often a part runs: as they usually do, or for the least or the most work.
enum class Data { least, usual, most };
bool data_decide(const std::string& kernel);

// Makes floats of whole numbers: in software, which those of 64 bits need on every core, a zero takes the least.
bool converts_whole_numbers(const std::string& kernel);

// Nothing for a kernel that is not modelled, or whose parameters lack a field that its terms need.
std::optional<Terms> terms_of(const std::string& target, const std::string& kernel, const Parameters& parameters,
                              Data data = Data::usual);

// One file per family.
class CallTerms;
std::optional<Terms> int8_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> int8_plain_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> int8_mve_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> int8_phase_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> sums_mve_terms(const std::string& kernel, const CallTerms& call);  // with vectors
std::optional<Terms> sums_dsp_terms(const std::string& kernel, const CallTerms& call);  // with sums of 16 bits
std::optional<Terms> float32_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> float32_mve_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> elementwise_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> sequence_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> move_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> coded_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> int_matmul_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> pool_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> transposed_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> walk_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> resample_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> wide_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> scatter_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> picking_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> spread_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> sparse_terms(const std::string& kernel, const CallTerms& call);
std::optional<Terms> unpack_terms(const std::string& kernel, const CallTerms& call);

// The kernels that this one's text may be made from, itself first: other element types, weights of other widths
// (runtime/README.md). Their loops are the same.
std::vector<std::string> written_for(const std::string& kernel);

}  // namespace tarn::timing
