# Finds the one MLIR release that mlafuse is written for, or says in one
# sentence what was found and what is wanted.
set(MLAFUSE_MLIR_WANTED 22.1)

if(NOT MLIR_DIR AND EXISTS /usr/lib/llvm-22/lib/cmake/mlir)
  set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir CACHE PATH "Directory of MLIRConfig.cmake")
endif()
# find_package would look elsewhere, and take what nobody asked for.
if(MLIR_DIR AND NOT EXISTS ${MLIR_DIR}/MLIRConfig.cmake)
  message(FATAL_ERROR "mlafuse needs MLIR ${MLAFUSE_MLIR_WANTED}, but ${MLIR_DIR} holds no "
    "MLIRConfig.cmake: pass -DMLIR_DIR=<directory of MLIRConfig.cmake>.")
endif()
find_package(MLIR QUIET CONFIG)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "mlafuse needs MLIR ${MLAFUSE_MLIR_WANTED}, and none was found "
    "(MLIR_DIR is '${MLIR_DIR}'): install Debian's libmlir-22-dev, mlir-22-tools and llvm-22-dev, "
    "or pass -DMLIR_DIR=<directory of MLIRConfig.cmake>.")
endif()
if(NOT "${LLVM_PACKAGE_VERSION}" MATCHES "^${MLAFUSE_MLIR_WANTED}\\.")
  message(FATAL_ERROR "mlafuse needs MLIR ${MLAFUSE_MLIR_WANTED}, but ${MLIR_DIR} holds MLIR "
    "${LLVM_PACKAGE_VERSION}: pass -DMLIR_DIR=<directory of MLIRConfig.cmake of a ${MLAFUSE_MLIR_WANTED} release>.")
endif()
if(NOT TARGET MLIR OR NOT TARGET LLVM)
  message(FATAL_ERROR "mlafuse links the shared libMLIR and libLLVM, but ${MLIR_DIR} has static "
    "libraries only: install Debian's libmlir-22-dev.")
endif()
message(STATUS "mlafuse: MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(MLAFUSE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
