// The reductions' table and the C of their kernels. Float sums run in the order of the elements, in the compute type;
// integer sums wrap.
#include <algorithm>

#include "ops/reduce.h"
#include "support/template.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr const char* kAdd = "({T})(({U})s + ({U})v)";
constexpr const char* kAddSquare = "({T})(({U})s + ({U})v * ({U})v)";

// `s` and `m` are names in an expression, not letters in words: the state of column i is s[i].
std::string with_columns(const std::string& expression) {
  return replace_name(replace_name(expression, "s", "s[i]"), "m", "m[i]");
}

// The accumulator of LogSumExp is scaled by the largest element so far, so that no exponential overflows; m is that
// element, s the sum of exp(v - m).
constexpr const char* kLogSumExpStep =
    "const {C} t = v > m ? v : m;\n"
    "                        s = s * (m == t ? {1.0} : {exp}(m - t)) + (v == t ? {1.0} : {exp}(v - t));\n"
    "                        m = t;";

std::string run_text(const ReduceOp& op, const CType& type, const std::string& name, int width,
                     std::set<std::string>& includes) {
  const bool log_sum_exp = std::string(op.op) == "ReduceLogSumExp";
  // Its exponentials of integers are taken in double.
  CType compute = type;
  if (log_sum_exp && !type.real) {
    compute = *c_type_of("f64");
    includes.insert("tarn_math_to_int.h");
  }
  auto write = [&](const std::string& text) { return write_expression(with_columns(text), compute, includes); };
  const std::string brackets = "[" + std::to_string(width) + "];", cast = "(" + compute.compute + ")";
  std::map<std::string, std::string> holes{{"NAME", name}, {"WIDTH", std::to_string(width)}, {"IN", type.storage}};
  holes["COMPUTE"] = compute.compute;
  holes["STATE"] = compute.compute + " s" + brackets;
  holes["LOAD"] = compute.dtype != type.dtype ? cast + "from[i]" : load(type, "from[i]");
  const char* step = type.real                                    ? op.step
                     : !is_signed(type.dtype) && op.unsigned_step ? op.unsigned_step
                                                                  : op.integer_step;
  if (log_sum_exp) {
    holes["STATE"] += "\n    " + compute.compute + " m" + brackets;
    holes["START"] = write("s = {0.0};\n        m = {LOWEST};");
    holes["STEP"] = write(kLogSumExpStep);
  } else {
    holes["START"] = "s[i] = " + write_expression(type.real ? op.start : op.integer_start, compute, includes) + ";";
    holes["STEP"] = "s[i] = " + cast + "(" + write(step) + ");";
  }
  const std::string finish = with_columns(type.real ? op.finish : op.integer_finish);
  holes["STORE"] = store(finish, compute, type, includes);
  if (!type.real && finish.find("tarn_f64_to_i64") != std::string::npos) includes.insert("tarn_math_to_int.h");
  return fill_template("templates/kernels/reduce_run.c", holes);
}

}  // namespace

const std::vector<ReduceOp>& reduce_ops() {
  static const std::vector<ReduceOp> ops = {
      {"ReduceSum", "the sum", "{0.0}", "s + v", "s", "0", kAdd, "s"},
      {"ReduceMean", "the mean", "{0.0}", "s + v", "s / ({C})p->count", "0", kAdd,
       "p->count == 0 ? 0 : ({W})s / ({W})p->count"},
      {"ReduceMax", "the largest", "{LOWEST}", "v > s || v != v ? v : s", "s", "{LOWEST}", "v > s ? v : s", "s", true},
      {"ReduceMin", "the smallest", "{HIGHEST}", "v < s || v != v ? v : s", "s", "{HIGHEST}", "v < s ? v : s", "s",
       true},
      {"ReduceProd", "the product", "{1.0}", "s * v", "s", "1", "({T})(({U})s * ({U})v)", "s"},
      {"ReduceL1", "the sum of magnitudes", "{0.0}", "s + {fabs}(v)", "s", "0",
       "({T})(({U})s + (v < 0 ? 0 - ({U})v : ({U})v))", "s", false, kAdd},
      {"ReduceL2", "the root of the sum of squares", "{0.0}", "s + v * v", "{sqrt}(s)", "0", kAddSquare,
       "{sqrtf}((float)s)"},
      {"ReduceSumSquare", "the sum of squares", "{0.0}", "s + v * v", "s", "0", kAddSquare, "s"},
      {"ReduceLogSum", "the logarithm of the sum", "{0.0}", "s + v", "{log}(s)", "0", kAdd,
       "tarn_f64_to_i64({log}((double)s))"},
      {"ReduceLogSumExp", "the logarithm of the sum of exponentials", "", "", "{log}(s) + m", "", "",
       "tarn_f64_to_i64({log}(s) + m)"},
  };
  return ops;
}

std::optional<KernelText> reduce_kernel(const std::string& name) {
  const size_t at = name.rfind('_');
  if (at == std::string::npos) return {};
  const std::optional<CType> type = c_type_of(name.substr(at + 1));
  if (!type) return {};
  // "tarn_reducesum_axes_f32" finds out what "tarn_reducesum_f32" is told.
  std::string stem = name.substr(0, at);
  const bool run_time_axes = stem.ends_with("_axes");
  if (run_time_axes) stem.resize(stem.size() - 5);
  for (const ReduceOp& op : reduce_ops()) {
    if ("tarn_" + lower_case(op.op) != stem || (type->dtype == DType::boolean && !op.for_bool)) continue;
    std::set<std::string> includes;
    std::map<std::string, std::string> holes = common_holes(name);
    holes["TEXT"] = op.text;
    holes["IN"] = type->storage;
    if (run_time_axes) {
      holes["PLAIN"] = stem + name.substr(at);
      holes["INCLUDES"] = "#include \"" + holes["PLAIN"] + ".h\"\n";
      return fill_kernel("reduce_axes", holes);
    }
    holes["RUN_ONE"] = run_text(op, *type, name, 1, includes);
    holes["RUN_EIGHT"] = run_text(op, *type, name, 8, includes);
    holes["INCLUDES"] = include_lines(*type, includes);
    return fill_kernel("reduce", holes);
  }
  return {};
}

}  // namespace tarn::ops
