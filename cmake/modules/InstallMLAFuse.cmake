# What find_package(MLAFuse) needs: headers, exported targets, the package files.
# Libraries, tools and the runtime install themselves where they are made.
include(CMakePackageConfigHelpers)
set(MLAFUSE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/MLAFuse)

if(MLAFUSE_BUILD_COMPILER)
  # Records too: a user's dialect may include ours, and generated headers.
  foreach(tree ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${tree}/include/MLAFuse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
      FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.h.inc"
      PATTERN CMakeFiles EXCLUDE)
  endforeach()
endif()
get_property(MLAFUSE_COMPILER_LIBRARIES GLOBAL PROPERTY MLAFUSE_LIBRARIES)

install(EXPORT MLAFuseTargets NAMESPACE mlafuse:: DESTINATION ${MLAFUSE_CMAKE_DIR})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/modules/MLAFuseConfig.cmake.in MLAFuseConfig.cmake
  INSTALL_DESTINATION ${MLAFUSE_CMAKE_DIR})
# Until 1.0 a minor version may change any interface.
write_basic_package_version_file(MLAFuseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/MLAFuseConfig.cmake
  ${PROJECT_BINARY_DIR}/MLAFuseConfigVersion.cmake
  DESTINATION ${MLAFUSE_CMAKE_DIR})
