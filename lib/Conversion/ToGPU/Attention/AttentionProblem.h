//===- AttentionProblem.h - latent_attention as kernels see it --*- C++ -*-===//
//
// A request of a kernel is a list of keys and the rows that look at it: dense,
// the S queries of a request times H heads (row r is query r / H, head r mod
// H); with indices, each query is a request of its own, with H rows. Rows are
// counted within a request, or over all requests ("global rows": request *
// rows of a request + row, which is the order of q, o and lse in memory).
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENTIONPROBLEM_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENTIONPROBLEM_H

#include "../../Rows/CacheSpec.h"
#include "../NVIDIA/Asm.h"
#include "MLAFuse/IR/MLAFuse.h"

namespace mlafuse::kernel {

/// What is known when the kernel is made.
struct AttentionProblem {
  mutable LatentAttentionOp op;
  int64_t heads;  ///< H.
  int64_t latent; ///< L: columns of a value.
  int64_t rope;   ///< R: further columns of a key; may be 0.
  /// Of queries, and of what the matrix units multiply: bf16 or f16.
  mlir::Type elements;
  mlir::Type outputElements; ///< bf16, f16 or f32.
  CacheFormat format;
  /// Whether the rows of queries, cache and output begin at multiples of 16
  /// bytes; else kernels access them element by element.
  bool isAligned = true;
  /// Whether all but the queries may be read before the launch ahead has ended.
  /// Nothing may be written then: the workspace may be that of something which
  /// that launch reads. Kernels that do not know of it have false here.
  bool readsEarly = false;

  /// Fails, with an error at the op that names the chip, if the matrix units
  /// cannot run it.
  static llvm::FailureOr<AttentionProblem> get(LatentAttentionOp op,
                                               const Chip &chip);

  int64_t getWidth() const { return latent + rope; }
  /// Bytes that addresses of queries and of cache rows are multiples of.
  int64_t getQueryAlignment() const;
  int64_t getCacheAlignment() const;
  int64_t getOutputAlignment() const;
  /// Whether keys are stored as something else than `elements`.
  bool convertsKeys() const {
    return format != CacheFormat::BF16 || !elements.isBF16();
  }
  bool isSparse() const { return op.getIndices() != nullptr; }
  /// Whether a request has no more rows than `count`, as shapes say.
  bool hasAtMostRows(int64_t count) const;
  /// Without a scale; its kScale is null.
  CacheSpec getCache() const;

  /// Requests, and rows of one: indices, of the host or in a kernel.
  mlir::Value getRequests(Emitter &e) const;
  mlir::Value getRowsPerRequest(Emitter &e) const;
};

/// The same within a kernel: i32 values that all threads know, made where it
/// starts; they read num_actual_tokens.
class AttentionInputs {
public:
  AttentionInputs(Emitter &e, const AttentionProblem &problem);

  const AttentionProblem &getProblem() const { return problem; }
  /// Requests with a row that counts: of others nothing is read.
  mlir::Value getRequests() const { return requests; }
  mlir::Value getRowsPerRequest() const { return rowsPerRequest; }
  /// S.
  mlir::Value getQueries() const { return queries; }

  /// The length of a request as seq_lens has it, or its number of indices.
  mlir::Value loadLength(Emitter &e, mlir::Value request) const;
  /// The same where `exists` (i1) holds, else 0; without indices. What another
  /// launch may be writing: not from a cache that does not see it.
  mlir::Value peekLength(Emitter &e, mlir::Value request,
                         mlir::Value exists) const;
  /// Keys that a table names, or indices of a query.
  mlir::Value getKeyLimit() const { return keyLimit; }
  /// The keys that the last query of a request of that length sees; of queries
  /// that count: what others would see may not have been written.
  mlir::Value getKeys(Emitter &e, mlir::Value request,
                      mlir::Value length) const;
  /// How many of those `row` of the request sees: keys [0, n). They have to
  /// exist, too.
  mlir::Value getVisibleKeys(Emitter &e, mlir::Value length,
                             mlir::Value row) const;
  /// Whether a row of the request from `firstRow` on sees less than keys
  /// [0, end), i1; null where all see all.
  mlir::Value mayHide(Emitter &e, mlir::Value length, mlir::Value firstRow,
                      mlir::Value end) const;
  /// Rows of the request that count, from row 0 on: later ones are neither read
  /// nor written.
  mlir::Value getRows(Emitter &e, mlir::Value request) const;
  /// The global row of row 0.
  mlir::Value getFirstRow(Emitter &e, mlir::Value request) const;

  /// Byte addresses (i64) of a global row: its latent columns, and its rope
  /// columns (null if there are none).
  mlir::Value getLatentQuery(Emitter &e, mlir::Value globalRow) const;
  mlir::Value getRopeQuery(Emitter &e, mlir::Value globalRow) const;
  /// The same of a row of the output.
  mlir::Value getOutput(Emitter &e, mlir::Value globalRow) const;
  /// The scale of an fp8 cache, f32.
  mlir::Value loadKScale(Emitter &e) const;
  /// Does nothing if the op has no lse. `lse` is f32, natural logarithm.
  void storeLSE(Emitter &e, mlir::Value globalRow, mlir::Value lse) const;

private:
  mlir::Value clampKeys(Emitter &e, mlir::Value keys) const;
  mlir::Value getRowAddress(Emitter &e, mlir::Value buffer,
                            mlir::Value globalRow) const;

  AttentionProblem problem;
  mlir::Value queries; ///< S.
  mlir::Value requests, rowsPerRequest, actualRows;
  mlir::Value keyLimit;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENTIONPROBLEM_H
