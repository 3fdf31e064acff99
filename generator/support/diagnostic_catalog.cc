// Every diagnostic there is. A number never changes its meaning; `tarn explain` prints these texts.
#include "support/diagnostic.h"

namespace tarn {

const std::vector<DiagnosticKind>& diagnostic_catalog() {
  static const std::vector<DiagnosticKind> catalog = {
      // E1xx: reading
      {"E101", 3, "the model file cannot be read", "The file does not exist, is a folder, is empty or may not be read.",
       "Check the path and its permissions."},
      {"E102", 3, "not an ONNX model",
       "The bytes are no complete ONNX ModelProto: truncated, damaged or another format.",
       "Export the model again; `onnx.checker.check_model` should accept it."},
      {"E103", 3, "the model is absurdly large", "A size in the file exceeds every limit tarn works with.",
       "Check how the model was exported; sizes above 2 GiB must be external data."},
      {"E104", 3, "external data is missing", "A weight lives in another file, and that file is not there.",
       "Put the named file beside the model. `analyze` works without it, `generate` does not."},
      {"E105", 3, "external data lies outside the model's folder",
       "The location is absolute, climbs out with `..`, or is no regular file reached without links.",
       "Keep external data in the model's own folder, as a plain file."},
      {"E106", 3, "external data does not match its tensor",
       "Offset or length are malformed, or reach beyond the file, or differ from what shape and type need.",
       "Save the model's external data again."},
      {"E107", 3, "the ONNX checker refuses the model", "The model violates the ONNX specification.",
       "The message is the checker's own; fix the exporter or run the model through `onnx.checker`."},
      {"E108", 4, "unsupported ONNX version", "tarn reads IR versions 3 to 13 and ai.onnx opsets 6 to 27.",
       "Convert the model with `onnx.version_converter`, or export it for a newer opset."},
      {"E109", 3, "tensor data does not match its shape",
       "The bytes stored for a tensor are fewer or more than its shape and type need.",
       "The file is damaged or was written by a faulty exporter; export it again."},
      {"E110", 3, "not a planning problem", "The CSV file, or an item in it, is not as the format asks.",
       "See `tarn plan --help`."},
      // E2xx: model and operators
      {"E201", 3, "the graph is malformed",
       "A cycle, a value used but never made, a name made twice, or inputs that do not fit.",
       "The message names the place; fix the exporter."},
      {"E202", 2, "a dimension is not bound",
       "An input has a symbolic or unknown dimension; static planning needs a number.",
       "Give every one listed: --dim NAME=VALUE."},
      {"E203", 4, "operator not supported", "tarn has no lowering for this operator, or not in this form.",
       "`tarn ops` lists what is supported; the hint names the nearest thing to do. `--emit arena` plans unknown "
       "operators too."},
      {"E204", 4, "element type not supported", "The operator is supported, but not for this element type.",
       "Convert the model to a type that `tarn ops` lists for the operator."},
      {"E205", 3, "shapes do not fit", "An operator's inputs contradict each other or its attributes.",
       "The message gives the shapes found; fix the model."},
      {"E206", 4, "shape cannot be determined",
       "A tensor's shape depends on data or is not derivable, and nothing declares it; or the sizes of a run-time "
       "dimension (--dim NAME=LOW..HIGH) make too many different calls, or need different constants.",
       "Bind the dimension with --dim, fix the input with --const, or declare the shape in the model; choose a smaller "
       "range of sizes."},
      {"E207", 3, "absurd size",
       "A tensor's shape has a negative dimension, or so many elements that its size overflows or exceeds 16 GiB.",
       "Check the dimension named; it usually comes from a wrong --dim or a damaged file."},
      {"E208", 4, "attribute or input not supported in this form",
       "The operator is supported, but not with this attribute value or non-constant input.",
       "The hint says which form works."},
      {"E209", 2, "no such name in the model",
       "An option names an input, output, tensor or dimension that the model does not have.",
       "The hint lists the names there are."},
      {"E210", 4, "size known only at run time, and no bound",
       "A tensor's size depends on data and nothing bounds it, so no memory can be set aside.",
       "Give an upper bound: --dim NAME=VALUE for the dimension named."},
      {"E211", 3, "out of range", "A constant index, axis or count lies outside what the operator allows.",
       "Fix the model."},
      // E3xx: planning and budgets
      {"E301", 5, "RAM budget exceeded, proved", "No plan of this graph with these options fits the budget.",
       "The report names the peak, the floor and what would fit."},
      {"E302", 6, "RAM budget exceeded, not proved",
       "No plan was found that fits, and none is proved impossible: the search limit ended the search, or running by "
       "lines is allowed, "
       "of which the best plans found are too large too.",
       "See the report for what would fit."},
      {"E303", 5, "flash budget exceeded", "The weights alone are larger than the budget.",
       "Quantise the model, or place weights in external flash."},
      {"E304", 5, "nothing fits the capacity, proved", "The items listed cannot be placed together below the capacity.",
       "Raise the capacity."},
      {"E305", 6, "no placement found", "The search limit ended before a placement or a proof was found.",
       "Raise --effort."},
      {"E306", 2, "banks and pins contradict each other",
       "A tensor has no bank: it is pinned to two, or to one that may not hold it.",
       "The hint says which option to change."},
      {"E307", 3, "not a report", "A file given to `tarn diff` or `tarn compare` is no JSON report.",
       "Write it with --report FILE.json."},
      {"E308", 5, "a figure changed more than allowed", "A --fail-if condition of `tarn diff` holds.",
       "See which tensors and steps grew."},
      {"E309", 5, "the memories are too small, proved",
       "No division of this graph's tensors among the banks fits, in whatever order it runs.",
       "The report names the bank and the sizes that would fit."},
      {"E310", 6, "no division among the memories was found",
       "The search ended, for the orders tried, without a division that fits.",
       "The report names the bank and the sizes that would fit; or raise --effort."},
      {"E311", 4, "the model cannot run by lines",
       "Branches, loops and sizes known only at run time need all of a tensor at once. States are kept by --stream "
       "resident alone: whose lines are pushed begins each run anew.",
       "Leave --stream away."},
      {"E312", 4, "the network cannot go on without end",
       "With --stream time each step of an output is made of steps of the input up to then. Padding at the end, means "
       "of a signal that is padded and layers that read all of it are not.",
       "Pad in front alone and give an output for each step, or a mean without padding; or hand over one "
       "window after the other with --stream fed."},
      {"E313", 5, "budget of time exceeded",
       "A run takes more instructions than --instructions or --time allow, by more than the estimate was ever off; "
       "after "
       "tarn verify on the target: it executed them.",
       "The message names the slowest steps, the report which changes save instructions; a quantised model (tarn "
       "quantize) takes fewer where the core has no float unit."},
      {"E314", 6, "budget of time exceeded, or not to be told",
       "The estimate is over the budget by less than its own error, or steps of the network are not modelled on the "
       "target, so that nothing says that it fits.",
       "tarn verify --on with the target counts the instructions of a run."},
      // E4xx: emission and verification
      {"E401", 2, "output cannot be written",
       "The output folder, a file in it or standard output could not be written; nothing was changed.",
       "Check the path, its permissions and the free space."},
      {"E402", 2, "a tool is missing", "A compiler or emulator that the command needs is not on PATH.",
       "Install the package named in the hint."},
      {"E403", 70, "emitted code does not compile", "The compiler refused what tarn wrote. This is a fault of tarn.",
       "Please report it, with the model."},
      {"E404", 7, "outputs differ from the reference",
       "The emitted code ran and its outputs are outside the tolerance.",
       "Please report it; `--reference naive` tells kernel from planning faults."},
      {"E405", 2, "no reference data",
       "There is no test_data_set_N folder beside the model, or it does not fit the model's inputs and outputs.",
       "Give one with --data DIR, or use --reference ort or naive."},
      {"E406", 7, "the run failed", "The emitted program crashed, faulted or ran out of time.",
       "Please report it, with the model."},
      {"E407", 7, "prediction and measurement differ",
       "Arena, static data or stack measured is not what the report predicted.", "Please report it, with the model."},
      {"E408", 2, "the model does not fit the board",
       "The emulated board has less memory than code, weights, arena and stack need.",
       "Choose a board with more memory, or verify on the host."},
      {"E409", 4, "a plan by lines that cannot be written", "The plan uses a form of lines that no kernel has yet.",
       "Choose another --stream mode."},
      {"E410", 2, "onnxruntime cannot be had",
       "`tarn verify --reference ort` found no Python with onnxruntime, or onnxruntime does not run the model.",
       "Install onnxruntime for python3 on PATH, name a Python that has it with TARN_PYTHON, or use --reference data "
       "or naive."},
      {"E411", 2, "an output would replace an input or another output",
       "A file that is to be written is one of those that were read - the model, its external data, a file of --const, "
       "a stored data set, the table of a plan - under its own name, by a link or as the same file by another name; or "
       "two outputs are one file.",
       "Write somewhere else."},
      {"E412", 2, "out of memory", "The system gave no more memory; nothing was changed.",
       "Close other programs, raise the limit (`ulimit -v`) or use a machine with more."},
      {"E413", 4, "the model takes too much memory to work on",
       "Whatever the model, tarn takes at most 256 MB and three times what the model's files have. The node named asks "
       "for "
       "tables of its lines or its elements, or the network has too many steps and tensors, for more than that.",
       "Check the dimension, pad or count of the node named: firmware has no use for a tensor of millions of lines. "
       "--effort 3 has no limit."},
      {"E414", 2, "a file of somebody else is in the way",
       "The package of --layout has a file of its own under a name that is taken in the folder, by a file that does "
       "not "
       "say that tarn wrote it for this network. Nothing was changed.",
       "Give each package a folder of its own."},
      {"E415", 3, "the dump of a run cannot be used",
       "The text given to `tarn compare` holds no run printed by NAME_trace(), parts of it are damaged, or it was "
       "printed by "
       "firmware of another plan than the report's.",
       "Print it again, with nothing else within its lines; generate, build and flash the firmware anew when the plan "
       "differs."},
      {"E420", 2, "calibration data cannot be used",
       "`tarn quantize` found no data in the folder, or files that it cannot read, that do not fit the model's inputs, "
       "or "
       "that hold NaN or infinite numbers.",
       "See `tarn quantize --help` for how a folder of data looks."},
      {"E421", 4, "the model cannot be quantised",
       "It is quantised already, by integer operators or wholly, computes nothing in float32 that integer kernels "
       "could "
       "take, or cannot be written as one ONNX file. Models that pairs of 8 bits quantise in part are completed.",
       "Give the float model that the exporter wrote."},
      {"E422", 6, "no quantisation keeps to the limits",
       "With `--max-loss`, `--ram`, `--flash`, `--time` or `--instructions` layers get 4, 8 or 16 bits or stay in "
       "floats, from the least memory on and in the order of the noise that goes for its bytes. None of the "
       "assignments "
       "that were made keeps to all limits; the hint has the options of the nearest.",
       "Allow more loss, memory or time, give more data, or try other `--ranges`."},
      {"E423", 5, "no quantisation keeps to the sizes, proved",
       "The assignment of the least memory, 8-bit codes throughout and weights of 4 bits where these take less, needs "
       "more: its weights are counted, and of its arena a lower bound is proved.",
       "Allow the sizes that the hint tells, or choose a smaller network."},
      // Warnings
      {"W101", 0, "external data is missing", "Analysed without the weights; `generate` needs them.",
       "Put the named file beside the model."},
      {"W201", 0, "declared shape differs",
       "The model declares another shape for a tensor than its operators give; the computed one is used.",
       "Export the model again."},
      {"W202", 0, "ONNX Runtime gives other values",
       "What is emitted follows the text of ONNX, which ONNX Runtime does not follow here: automatic padding where the "
       "stride is larger than the window, or pixels that a Resize takes.",
       "Compare with ONNX's reference evaluator; or state pads and sizes as numbers on which both agree."},
      {"W203", 0, "the layout is what it is already",
       "`--input-layout nhwc` or `--output-layout nhwc` was given for an image that the model itself has channels "
       "last.",
       "Leave the option away."},
      {"W204", 0, "an If has one branch alone",
       "With the sizes of these inputs one branch of an If is no valid graph, as in models for several sizes. The "
       "other "
       "is emitted, and each run checks the condition: where it asks for the missing branch, the run ends with a "
       "status.",
       "Fix the condition with --const, or export the model for these sizes."},
      {"W205", 0, "the layout asked for may be a mistake",
       "`--input-layout nhwc` or `--output-layout nhwc` moves the second axis behind the others; this tensor has at "
       "most "
       "four elements along its last axis and more along the others, as images that have their channels last.",
       "Leave the option away where the last axis holds the channels."},
      {"W206", 0, "a dimension is not bound",
       "Nothing gives one, two or three open dimensions of the inputs sizes: the report is that of the sizes that are "
       "told, beside formulas over the first sizes that the model takes. `generate`, `verify` and `plan` need one of "
       "each (E202).",
       "`--dim NAME=VALUE` binds it, `--dim NAME=LOW..HIGH` gives formulas over another range."},
      {"W207", 0, "no states were found by name",
       "--state auto pairs outputs with inputs by their names, element types and shapes, and finds none, or leaves "
       "some out.",
       "Name the pairs with --state OUT=IN."},
      {"W301", 0, "a budget changed how the network is called",
       "With `--ram` and no `--stream`, a network that does not fit by layers runs by lines where that fits: its lines "
       "are pushed and pulled, and there is no NAME_run.",
       "Name the way: `--stream fed`, `resident` or `auto`; or `--stream off`, which fails when layers do not fit."},
      {"W401", 0, "tarn is compared with tarn",
       "`tarn verify` found no stored outputs and compared with the same model planned without sharing: faults of "
       "kernels stay unseen.",
       "Store outputs as test_data_set_0/output_N.pb beside the model, name a folder with --data, or use --reference "
       "ort."},
      {"W402", 0, "a newer opset was needed",
       "`tarn quantize` writes QuantizeLinear per channel, which ai.onnx has since opset 13: the model was converted.",
       "Nothing, where the tools that read it know opset 13."},
      {"W403", 0, "an operator stays in floats",
       "No integer kernel takes this operator, or it follows the last layer, whose sums are handed over as floats.",
       "`--outputs codes` quantises what follows the last layer; else replace the operator, or leave it in floats."},
      {"W404", 0, "the data tell little",
       "There is one sample, or a tensor is the same number in all of them: codes would fit nothing else well.",
       "Give some dozens of samples that differ as the network's inputs will."},
      {"W405", 0, "the output folder holds other sources",
       "Builds that compile all sources of a folder would take files that do not belong to the network.",
       "Give the network a folder of its own. Several networks of tarn in one folder are no reason for this warning."},
      {"W406", 0, "the estimate of instructions was off",
       "`tarn verify` executed over 5 % more or less instructions than were predicted from the kernels' shapes.",
       "Take the executed ones. Estimates hold for the compiler and flags that they were fitted with, and for data of "
       "the usual kind."},
  };
  return catalog;
}

}  // namespace tarn
