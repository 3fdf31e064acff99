# What `cmake --install` and CPack bring: the executable, the CMake package, the kernels' sources, a man page and bash
# completion.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tarn)

configure_package_config_file(generator/cmake/tarnConfig.cmake.in ${PROJECT_BINARY_DIR}/tarnConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_DATADIR)
# The build folder is a package too: examples and tests take it before anything is installed.
file(WRITE ${PROJECT_BINARY_DIR}/cmake/tarnConfig.cmake "if(NOT TARGET tarn::tarn)
  add_executable(tarn::tarn IMPORTED GLOBAL)
  set_target_properties(tarn::tarn PROPERTIES IMPORTED_LOCATION \"\${CMAKE_CURRENT_LIST_DIR}/../tarn\")
endif()
include(\"${PROJECT_SOURCE_DIR}/generator/cmake/tarn_add_model.cmake\")
")
# The package is one executable: it serves builds for targets of any word size.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tarnConfigVersion.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)

install(TARGETS tarn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_BINARY_DIR}/tarnConfig.cmake ${PROJECT_BINARY_DIR}/tarnConfigVersion.cmake generator/cmake/tarn_add_model.cmake
  generator/cmake/ecosystem.cmake DESTINATION ${package_folder})
install(DIRECTORY generator/cmake/zephyr generator/cmake/esp-idf DESTINATION ${package_folder})
# Side by side: one include path reaches them all.
file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/*.[ch])
install(FILES ${kernels} DESTINATION ${CMAKE_INSTALL_DATADIR}/tarn/runtime)
install(FILES ${PROJECT_BINARY_DIR}/tarn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES generator/cmake/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tarn)
install(FILES generator/report/report.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tarn)
# The documents as they stand in the source tree, so that their links hold.
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS
  PATTERN build EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY generator/doc DESTINATION ${CMAKE_INSTALL_DOCDIR}/generator)
install(FILES generator/ops/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/generator/ops)
install(FILES runtime/README.md runtime/MISRA.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/runtime)

set(CPACK_PACKAGE_NAME tarn)
set(CPACK_PACKAGE_CONTACT "The tarn project <tarn@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Static memory planner and C99 generator for neural networks on microcontrollers")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
