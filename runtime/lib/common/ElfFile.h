//===- ElfFile.h - whether a shared library is whole ----------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_ELFFILE_H
#define MLAFUSE_RT_COMMON_ELFFILE_H

#include "Error.h"

namespace mlafuse::rt {

/// Whether the file has all bytes that its ELF header, its segments and its
/// section headers tell of. The dynamic loader maps a file that is cut short
/// and crashes where the bytes end. An error is MLAFUSE_BAD_LIBRARY. Files of
/// another kind, or for other machines, are left to the loader to refuse.
Error checkIsWhole(const std::string &path);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_ELFFILE_H
