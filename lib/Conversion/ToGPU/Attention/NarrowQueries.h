//===- NarrowQueries.h - a part's queries in registers ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWQUERIES_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWQUERIES_H

#include "NarrowBlock.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// The queries of a part's row tile as left operands of products, four i32 for
/// each, in the lanes of every score warp.
///
/// Codes of fp8 are multiplied in f16, which holds them exactly; queries are
/// f16, too. bf16 has more exponents. Most often all of a lane's numbers of a
/// row are below 2^15 and one is at least 2^-10: then what f16 loses of others
/// is 2^-15 of that at most. If not, all rows are multiplied by the power of
/// two that brings their largest magnitude to [2^14, 2^15): values down to
/// 2^-31 of it stay exact.
///
/// The order of columns is the one in which a lane reads a key: product
/// 4 c + s has, of each lane of four, columns 64 c + 16 lane + 4 s to + 3.
struct NarrowQueries {
  /// Rows of a lane: lane / 4, and 8 more.
  static constexpr int64_t kRows = 2;
  /// Registers of a product's left operand.
  static constexpr int64_t kOperand = 4;

  /// Brings this thread's share of a request's queries to shared memory, where
  /// create finds it, as f16. Rows that the request does not have are
  /// another's: what comes of them is not stored. Of the part before nobody
  /// multiplies any more. Returns kFit or kDoNotFit, i32.
  static mlir::Value bring(Emitter &e, const NarrowBlock &block,
                           const AttentionInputs &inputs, const SplitPlan &plan,
                           mlir::Value request, mlir::Value warp,
                           mlir::Value lane);
  static constexpr int64_t kFit = 1, kDoNotFit = 2;

  /// The score warps share the work, through shared memory: all of them get
  /// here, behind `bring`, whose result is `brought`.
  static NarrowQueries create(Emitter &e, const NarrowBlock &block,
                              const AttentionInputs &inputs,
                              const SplitPlan &plan, mlir::Value request,
                              mlir::Value brought, mlir::Value warp,
                              mlir::Value lane);

  ptx::Registers operands;
  /// What takes the power of two out of a row's products, f32.
  mlir::Value scales[kRows];
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWQUERIES_H
