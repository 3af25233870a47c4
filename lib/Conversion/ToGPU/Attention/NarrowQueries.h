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
/// f16, too. Their exponents would not fit. So a row is multiplied by the power
/// of two that brings its largest magnitude to [2^14, 2^15): values down to
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
  /// create finds it. Rows that the request does not have are another's: what
  /// comes of them is not stored. Of the part before nobody multiplies any
  /// more.
  static void bring(Emitter &e, const NarrowBlock &block,
                    const AttentionInputs &inputs, const SplitPlan &plan,
                    mlir::Value request, mlir::Value warp, mlir::Value lane);

  /// The score warps share the work, through shared memory: all of them get
  /// here, behind `bring`.
  static NarrowQueries create(Emitter &e, const NarrowBlock &block,
                              const AttentionInputs &inputs, mlir::Value warp,
                              mlir::Value lane);

  ptx::Registers operands;
  /// What takes the power of two out of a row's products, f32.
  mlir::Value scales[kRows];
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWQUERIES_H
