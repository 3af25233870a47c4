//===- KeyLocator.h - where keys lie in the paged cache ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYLOCATOR_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYLOCATOR_H

#include "AttentionProblem.h"

namespace mlafuse::kernel {

/// A key's row of the cache.
struct KeyAddress {
  /// i1: whether the cache has it. If not, nothing of the row may reach a
  /// result.
  mlir::Value exists;
  /// i64: the row's first byte; the cache's if the key does not exist.
  mlir::Value address;
};

/// Finds keys. Made at the kernel's start.
class KeyLocator {
public:
  KeyLocator(Emitter &e, const AttentionInputs &inputs);

  /// Key number `key` (i32, >= 0) of a request with `keys` (i32, > 0) keys, as
  /// AttentionInputs::loadKeys gives them; one past them does not exist. Reads
  /// one entry of the block table or of the indices, never one past the last
  /// key's, and branches nowhere.
  KeyAddress find(Emitter &e, mlir::Value request, mlir::Value keys,
                  mlir::Value key) const;

  /// The same in two steps: the entry of a key (i32: its page, or its slot), to
  /// be loaded ahead of its use, and its row.
  mlir::Value loadEntry(Emitter &e, mlir::Value request, mlir::Value keys,
                        mlir::Value key) const;
  KeyAddress locate(Emitter &e, mlir::Value entry, mlir::Value keys,
                    mlir::Value key) const;

private:
  const AttentionProblem &problem;
  mlir::Value queries;             ///< S.
  mlir::Value cache;               ///< Address, i64.
  mlir::Value pages, pageSize;     ///< i32.
  mlir::Value pageBytes, rowBytes; ///< Strides, i64.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYLOCATOR_H
