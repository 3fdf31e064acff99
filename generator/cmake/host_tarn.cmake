# In a cross build: the target tarn::tarn runs on the machine that builds. An installed tarn is taken
# (TARN_EXECUTABLE, PATH); without one it is built from this source tree, with that machine's own compiler.
find_program(TARN_EXECUTABLE tarn NO_CMAKE_FIND_ROOT_PATH DOC "tarn for the machine that builds")
add_executable(tarn::tarn IMPORTED GLOBAL)
if(TARN_EXECUTABLE)
  set_target_properties(tarn::tarn PROPERTIES IMPORTED_LOCATION ${TARN_EXECUTABLE})
  return()
endif()

include(ExternalProject)
include(ProcessorCount)
ProcessorCount(processors)
if(processors EQUAL 0)
  set(processors 1)
endif()
set(host_tarn ${CMAKE_CURRENT_BINARY_DIR}/host_tarn)
# The environment of a cross build names the cross compiler; the inner build must not see it.
ExternalProject_Add(host_tarn_build
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${host_tarn}
  CONFIGURE_COMMAND ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX --unset=CFLAGS --unset=CXXFLAGS --unset=LDFLAGS --unset=CMAKE_TOOLCHAIN_FILE
    ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${host_tarn} -G ${CMAKE_GENERATOR} -DCMAKE_BUILD_TYPE=Release -DTARN_BUILD_TESTS=OFF
    -DTARN_ONNX_SOURCE=${TARN_ONNX_SOURCE}
  BUILD_COMMAND ${CMAKE_COMMAND} --build ${host_tarn} --target tarn --parallel ${processors}
  INSTALL_COMMAND ""
  BUILD_BYPRODUCTS ${host_tarn}/tarn)
set_target_properties(tarn::tarn PROPERTIES IMPORTED_LOCATION ${host_tarn}/tarn)
add_dependencies(tarn::tarn host_tarn_build)
