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
  /// i64: the row's first byte, from `offset` bytes before; the cache's if the
  /// key does not exist.
  mlir::Value address;
  int64_t offset = 0;
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
  /// The entry's address, i64.
  mlir::Value getEntryAddress(Emitter &e, mlir::Value request, mlir::Value keys,
                              mlir::Value key) const;
  KeyAddress locate(Emitter &e, mlir::Value entry, mlir::Value keys,
                    mlir::Value key) const;

  /// Of a key's row, without what lies between rows.
  int64_t getWidthBytes() const;
  /// A divisor of `blockKeys`: keys from a multiple of it to the next have one
  /// entry, and their rows follow each other without gaps.
  int64_t getRunKeys(int64_t blockKeys) const;
  /// Bytes from a row of a page to the next, if that is known.
  std::optional<int64_t> getRowBytes() const;
  /// Whether a block of `blockKeys` keys lies in one page, whose rows are at
  /// distances that are known when the kernel is made.
  bool hasPagesOfBlocks(int64_t blockKeys) const;
  /// The same as locate for `count` keys of such a block, `step` apart from
  /// `key` on: one address and constants.
  llvm::SmallVector<KeyAddress> locateInPage(Emitter &e, mlir::Value entry,
                                             mlir::Value keys, mlir::Value key,
                                             int64_t step, int64_t count) const;

private:
  mlir::MemRefType getCacheType() const;
  /// The buffer that has a key's entry, and where in it (i32).
  std::pair<mlir::Value, ptx::Registers> getEntry(Emitter &e,
                                                  mlir::Value request,
                                                  mlir::Value keys,
                                                  mlir::Value key) const;

  const AttentionProblem &problem;
  mlir::Value queries;             ///< S.
  mlir::Value cache;               ///< Address, i64.
  mlir::Value pages, pageSize;     ///< i32.
  mlir::Value pageBytes, rowBytes; ///< Strides, i64.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYLOCATOR_H
