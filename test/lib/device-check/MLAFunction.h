//===- MLAFunction.h - functions with the products of MLA ------*- C++ -*-===//
//
// gpu-cases names functions attention_..., decode_... and projection_... after
// their op. One whose output is quantized comes with three others, which share
// its arguments by name: f__unkeyed writes what f quantizes, f__quantize
// quantizes that, f__dequantize gives the numbers of codes and scales. One
// that writes or quantizes bf16 may have an f__f32, which has no key and writes
// f32.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TEST_DEVICECHECK_MLAFUNCTION_H
#define MLAFUSE_TEST_DEVICECHECK_MLAFUNCTION_H

#include "Manifest.h"

namespace mlafuse::rt {

/// How large a run is.
struct RunSize {
  int64_t requests = 0;
  int64_t keys = 0; ///< Of the longest request, or indices of a query.
};

/// A function and those that tell what it should write.
struct MLAFunction {
  enum class Op { Attention, Decode, Projection };

  Op op = Op::Attention;
  const Function *function = nullptr;
  /// All null if the function has no key.
  const Function *unkeyed = nullptr;
  const Function *quantize = nullptr;
  const Function *dequantize = nullptr;
  /// The one without a key that writes f32; null if there is none.
  const Function *unrounded = nullptr;

  int64_t queries = 0; ///< Of a request.
  int64_t heads = 0;
  int64_t columns = 0; ///< Of the output, those of one head.
  int64_t latent = 0;  ///< Values of a cache's row, 0 if it has no cache.
  int64_t page = 0;    ///< Rows of a page of the cache.
  bool hasIndices = false;

  bool hasPaging() const { return op != Op::Projection; }
  bool hasKey() const { return unkeyed != nullptr; }
  /// Rows of the destination ahead of those that the function writes.
  int64_t rowOffset() const;
};

/// True if the name begins as gpu-cases names functions with such products.
bool isMLAName(const std::string &name);

/// True for one of the functions that come with another.
bool isPartOfFamily(const std::string &name);

/// What the names and shapes of a function's arguments say, with its family:
/// the one without a key is the device's, the others are run by the CPU alone
/// and are the oracle's. Fails on one that lacks what its name promises.
Error describe(const Manifest &device, const Manifest &oracle,
               const Function &function, MLAFunction &result);

/// The argument of this name, or NULL.
const Argument *findArgument(const Function &function, std::string_view name);

/// The argument whose name begins so, or NULL: codes, scales.
const Argument *findByPrefix(const Function &function, std::string_view prefix);

/// Sizes of one run, which all functions of the family share.
struct MLASizes {
  int64_t requests = 0, keys = 0;
  int64_t tokens = 0; ///< Rows that are written: all queries.
  int64_t tableWidth = 0, pages = 0;
  int64_t rows = 0; ///< Of the whole output, of which an offset skips some.
  bool isAligned = false; ///< Whether each row of a strided argument is.
};

/// `seed` decides whether the block table is exactly as wide as needed, whether
/// the rows reach the end of the output, and whether strided rows are aligned.
MLASizes sizesOf(const MLAFunction &function, RunSize size, uint64_t seed);

/// Values of the symbols of a function of the family.
std::vector<int64_t> symbolValues(const Function &function,
                                  const MLASizes &sizes);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_MLAFUNCTION_H
