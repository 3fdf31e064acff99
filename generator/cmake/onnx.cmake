# The target tarn_onnx: the onnx C++ library and protobuf. Built once into a cache outside the tree by .ci/onnx.sh,
# from the pinned release or from TARN_ONNX_SOURCE.
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)

execute_process(
  COMMAND ${PROJECT_SOURCE_DIR}/.ci/onnx.sh ${TARN_ONNX_SOURCE}
  OUTPUT_VARIABLE onnx_install OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE onnx_result)
if(NOT onnx_result EQUAL 0)
  message(FATAL_ERROR "The onnx library could not be prepared; .ci/onnx.sh says why above. "
                      "With an onnx checkout at hand: -DTARN_ONNX_SOURCE=PATH")
endif()
set(TARN_ONNX_INSTALL ${onnx_install} CACHE INTERNAL "Where the onnx library is installed")

add_library(tarn_onnx INTERFACE)
target_include_directories(tarn_onnx SYSTEM INTERFACE ${onnx_install}/include)
target_compile_definitions(tarn_onnx INTERFACE ONNX_NAMESPACE=onnx ONNX_ML=1)
target_link_libraries(tarn_onnx INTERFACE ${onnx_install}/lib/libonnx.a protobuf::libprotobuf)

# One line for each definition of an operator, from the calls that register them all. The registry makes 600 objects at
# its first use, which takes longer than most models do: schema_lookup.cc makes those that a model uses.
set(onnx_definitions "")
foreach(set "" _ml)
  file(STRINGS ${onnx_install}/include/onnx/defs/operator_sets${set}.h lines REGEX "fn\\(GetOpSchema<")
  foreach(line IN LISTS lines)
    if(line MATCHES "SCHEMA_CLASS_NAME\\((Onnx|OnnxML), ([0-9]+), ([A-Za-z0-9_]+)\\)")
      string(APPEND onnx_definitions "TARN_DEFINITION(${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}, ${CMAKE_MATCH_3})\n")
    endif()
  endforeach()
endforeach()
if(NOT onnx_definitions)
  message(FATAL_ERROR "The onnx headers in ${onnx_install} list no operators as this version of tarn knows them")
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/onnx/onnx_definitions.inc CONTENT "${onnx_definitions}" @ONLY)
target_include_directories(tarn_onnx INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/onnx)
