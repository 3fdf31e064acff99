# tarn_add_model(NAME MODEL file.onnx [RAM size] [FLASH size] [TARGET cortex-m4] [DIM name=value ...]
#                [BANK name=size@section ...] [REPORT file.html ...] [OPTIONS ...] [DATA test_data_set_0 ...] [VERIFY]
#                [QUANTIZE folder])
#
# A static library NAME with the model's code; linking it gives the include folder of NAME.h. The code is made anew when
# the model, its external data, tarn or these options change, and at no other time; code that comes out the same is not
# compiled again. A budget that is exceeded fails the build with tarn's reasons; REPORT then shows this failure. Where RAM is only kept to by lines that
# have to be pushed, so that there is no NAME_run, the build says so (warning W301); OPTIONS --stream auto allows it
# silently, --stream off fails instead.
#
# QUANTIZE makes a float model one of 8-bit codes first, from the samples in a folder (`tarn quantize`); a sample that changes, comes
# or goes makes the code anew. What was made is kept by content: touched files and other budgets do not quantise again.
#
# VERIFY adds the test NAME_verify: the model's stored data (test_data_set_N beside it, or DATA) run on the host, or on
# the target through CMAKE_CROSSCOMPILING_EMULATOR. Without stored data it says so and goes on.
include_guard(GLOBAL)

function(tarn_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "VERIFY" "MODEL;RAM;FLASH;TARGET;QUANTIZE" "DIM;BANK;REPORT;OPTIONS;DATA")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tarn_add_model(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT arg_MODEL)
    message(FATAL_ERROR "tarn_add_model(${name}): MODEL is missing")
  endif()
  # Set by tarn_within(): what another build system knows by itself.
  get_property(within GLOBAL PROPERTY TARN_WITHIN)
  get_property(known_target GLOBAL PROPERTY TARN_TARGET)
  get_property(flags_of GLOBAL PROPERTY TARN_LINK_LIBRARIES)
  if(within AND arg_VERIFY)
    message(FATAL_ERROR "tarn_add_model(${name}): VERIFY makes a program of its own, which ${within} does not link: use tarn verify")
  endif()
  if(known_target AND NOT arg_TARGET)
    set(arg_TARGET ${known_target})
  endif()
  get_filename_component(model ${arg_MODEL} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  # A model that the build makes is known by add_custom_command() in this folder.
  get_source_file_property(made_later ${model} GENERATED)
  if(NOT EXISTS ${model} AND NOT made_later)
    message(FATAL_ERROR "tarn_add_model(${name}): MODEL ${arg_MODEL} is not there: no file ${model}")
  endif()
  if(arg_VERIFY AND NOT arg_DATA AND EXISTS ${model})
    get_filename_component(beside ${model} DIRECTORY)
    file(GLOB stored "${beside}/test_data_set_*")
    if(NOT stored)
      message(WARNING "tarn_add_model(${name}): VERIFY adds no test: no test_data_set_N folder is beside the model, and no DATA is named")
      set(arg_VERIFY FALSE)
    endif()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.tarn)
  set(stamp ${folder}/${name}.stamp)
  set(made ${folder}/${name}.h ${folder}/${name}.c)

  # One C file by default, so that the names of all files are known before tarn has run.
  set(options --name ${name} --files single)
  if("incbin" IN_LIST arg_OPTIONS)
    list(APPEND made ${folder}/${name}_weights.S)
    enable_language(ASM)
  elseif(NOT "--weights" IN_LIST arg_OPTIONS)
    list(APPEND options --weights c)
  endif()
  foreach(option IN ITEMS RAM FLASH TARGET)
    string(TOLOWER --${option} flag)
    if(DEFINED arg_${option})
      list(APPEND options ${flag} ${arg_${option}})
    endif()
  endforeach()
  foreach(option IN ITEMS DIM BANK)
    string(TOLOWER --${option} flag)
    foreach(value IN LISTS arg_${option})
      list(APPEND options ${flag} ${value})
    endforeach()
  endforeach()
  if(arg_QUANTIZE)
    if(arg_VERIFY)
      message(FATAL_ERROR "tarn_add_model(${name}): VERIFY compares with the float model's stored outputs: not with QUANTIZE")
    endif()
    get_filename_component(data ${arg_QUANTIZE} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND options --quantize ${data})
  endif()
  set(reports "")
  foreach(report IN LISTS arg_REPORT)
    get_filename_component(path ${report} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    list(APPEND reports ${path})
    list(APPEND options --report ${path})
  endforeach()
  # Code size and stack as this project's own compiler makes them.
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT "--cc" IN_LIST arg_OPTIONS)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
    string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${config}}" flags)
    list(APPEND options --cc ${CMAKE_C_COMPILER})
    if(flags)
      list(APPEND options "--cflags=${flags}")
    endif()
  endif()
  if(arg_OPTIONS MATCHES "(^|;)--layout")
    message(FATAL_ERROR "tarn_add_model(${name}): --layout is for packages that other build systems take: use tarn generate")
  endif()
  list(APPEND options ${arg_OPTIONS})
  if(arg_VERIFY)
    list(APPEND options --selftest)
    list(APPEND made ${folder}/${name}_selftest.c)
    foreach(data IN LISTS arg_DATA)
      get_filename_component(path ${data} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND options --data ${path})
    endforeach()
  endif()

  # The stamp is the output that is always new; the C files only change when their content does.
  set(depfile_target ${stamp})
  cmake_policy(PUSH)
  if(CMAKE_GENERATOR MATCHES "Ninja" AND CMAKE_VERSION VERSION_LESS 4.4 AND model MATCHES "[$#]")
    # CMake rewrites dependency files for Ninja, until 4.4 without escaping these characters; as the policy was, it leaves them alone.
    set(CMAKE_WARN_DEPRECATED FALSE)
    cmake_policy(SET CMP0116 OLD)
    file(RELATIVE_PATH depfile_target ${CMAKE_BINARY_DIR} ${stamp})
  endif()
  # CMake before 3.26 takes no such names for byproducts.
  set(known_reports ${reports})
  list(FILTER known_reports EXCLUDE REGEX "[#<>]")
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${made} ${known_reports}
    COMMAND tarn::tarn generate ${model} -o ${folder} ${options} --depfile ${stamp}.d --depfile-target ${depfile_target}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${model} tarn::tarn
    DEPFILE ${stamp}.d
    COMMENT "Planning ${name} from ${arg_MODEL}"
    VERBATIM)
  cmake_policy(POP)
  add_custom_target(${name}_generate DEPENDS ${stamp})

  set(sources ${made})
  list(FILTER sources EXCLUDE REGEX "_selftest\\.c$")
  set_source_files_properties(${made} PROPERTIES GENERATED TRUE)
  add_library(${name} STATIC ${sources})
  add_dependencies(${name} ${name}_generate)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${folder}>)
  # Kernels for vectors are right without these flags, and slower.
  if(arg_TARGET MATCHES "^x86-64-" AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${name} PRIVATE -march=${arg_TARGET})
  endif()
  if(flags_of)
    target_link_libraries(${name} PRIVATE ${flags_of})
  endif()
  # .incbin finds the weights through -I.
  set_source_files_properties(${folder}/${name}_weights.S PROPERTIES COMPILE_OPTIONS "-I${folder}")

  if(arg_VERIFY)
    add_executable(${name}_verify ${folder}/${name}_selftest.c)
    add_dependencies(${name}_verify ${name}_generate)
    target_link_libraries(${name}_verify PRIVATE ${name})
    add_test(NAME ${name}_verify COMMAND ${name}_verify)
  endif()
endfunction()
