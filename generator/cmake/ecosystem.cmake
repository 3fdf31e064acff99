# tarn_add_model() within a build system that brings its own flags and knows the processor: for zephyr/ and esp-idf/, which lie beside
# this file in the source tree and in the installed package.

# The executable: of the package that this file lies in, else -DTARN_EXECUTABLE or that on PATH.
if(NOT TARGET tarn::tarn)
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/tarnConfig.cmake)
    include(${CMAKE_CURRENT_LIST_DIR}/tarnConfig.cmake)
  else()
    find_program(TARN_EXECUTABLE tarn NO_CMAKE_FIND_ROOT_PATH DOC "tarn for the machine that builds")
    if(NOT TARN_EXECUTABLE)
      message(FATAL_ERROR "tarn is not on PATH: build and install it, or name it with -DTARN_EXECUTABLE=PATH")
    endif()
    add_executable(tarn::tarn IMPORTED GLOBAL)
    set_target_properties(tarn::tarn PROPERTIES IMPORTED_LOCATION ${TARN_EXECUTABLE})
  endif()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/tarn_add_model.cmake)

# tarn_within(NAME [TARGET target] [LINK_LIBRARIES library]): for every tarn_add_model() that follows: the target where none is
# named, and what carries the flags that all code is compiled with.
function(tarn_within name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;LINK_LIBRARIES" "")
  set_property(GLOBAL PROPERTY TARN_WITHIN ${name})
  set_property(GLOBAL PROPERTY TARN_TARGET "${arg_TARGET}")
  set_property(GLOBAL PROPERTY TARN_LINK_LIBRARIES "${arg_LINK_LIBRARIES}")
endfunction()
