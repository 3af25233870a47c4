# Compile flags and library helpers shared by the compiler and the runtime.

# -fPIC for everything, executables too: the precompiled header is shared by
# all targets, and clang refuses one made with another PIE setting.
add_compile_options(-fPIC -fvisibility-inlines-hidden -Wall -Wextra
                    -Wno-unused-parameter)
if(MLAFUSE_SANITIZE)
  add_compile_options(-fsanitize=${MLAFUSE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MLAFUSE_SANITIZE})
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Lets ccache reuse objects that were built through the precompiled header.
  add_compile_options(SHELL:-Xclang\ -fno-pch-timestamp)
endif()

# Applies the flags of compiler code, which links libMLIR: no exceptions and no
# RTTI, MLIR's headers as system headers, the precompiled header.
function(mlafuse_compiler_target name)
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(${name} PRIVATE ${MLAFUSE_LLVM_DEFINITIONS})
  add_dependencies(${name} mlafuse-headers)
  if(NOT name STREQUAL "MLAFusePCH")
    target_precompile_headers(${name} REUSE_FROM MLAFusePCH)
  endif()
endfunction()

# add_mlafuse_library(MLAFuseX a.cpp b.cpp LINK MLAFuseY): a static library of
# the compiler, mlafuse::MLAFuseX for users. They link it together with the shared
# libMLIR and libLLVM.
function(add_mlafuse_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(mlafuse::${name} ALIAS ${name})
  install(TARGETS ${name} EXPORT MLAFuseTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  mlafuse_compiler_target(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  set_property(GLOBAL APPEND PROPERTY MLAFUSE_LIBRARIES ${name})
endfunction()

# add_mlafuse_tool(mlafuse-x x.cpp LINK MLAFuseY): a tool of the compiler.
function(add_mlafuse_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  mlafuse_compiler_target(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
