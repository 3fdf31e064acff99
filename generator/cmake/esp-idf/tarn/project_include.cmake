# Included by ESP-IDF before the components' CMakeLists.txt: in one of them, behind idf_component_register(),
#   tarn_add_model(kws MODEL kws.onnx RAM 64K)
#   target_link_libraries(${COMPONENT_LIB} PRIVATE kws)
# The flags of the build are those of that folder, which idf_component_register() sets.
include(${CMAKE_CURRENT_LIST_DIR}/../../ecosystem.cmake)
idf_build_get_property(tarn_chip IDF_TARGET)
# Names of its own: the file is included among the variables of the build system.
# The kernels for the chip's processor; those for any processor on Xtensa.
set(tarn_target "")
if(tarn_chip STREQUAL "linux")
  set(tarn_target host)
elseif(tarn_chip MATCHES "^esp32p")
  set(tarn_target rv32imafc)
elseif(tarn_chip MATCHES "^esp32[ch]")
  set(tarn_target rv32imac)
endif()
tarn_within(ESP-IDF TARGET "${tarn_target}")
