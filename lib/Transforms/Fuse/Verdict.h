//===- Verdict.h - whether a fusion is legal, and if not why ----*- C++ -*-===//
#ifndef MLAFUSE_LIB_TRANSFORMS_VERDICT_H
#define MLAFUSE_LIB_TRANSFORMS_VERDICT_H

#include "mlir/IR/Operation.h"

namespace mlafuse {

enum class FusionCode {
#define MLAFUSE_FUSION_CODE(Id, Code, Kind, Name, Meaning, Cure) Id,
#include "MLAFuse/Transforms/FusionCodes.def"
};

/// "MLAFUSE-F010".
llvm::StringRef getCodeText(FusionCode code);

/// "other-block".
llvm::StringRef getCodeName(FusionCode code);

/// The answer of a legality rule. The code is that of the rule that is broken.
struct Verdict {
  bool isLegal = true;
  FusionCode code = FusionCode::NormQuantize;
  std::string reason;
  mlir::Operation *blocker = nullptr;

  static Verdict legal() { return {}; }
  static Verdict missed(FusionCode code, const llvm::Twine &reason,
                        mlir::Operation *blocker) {
    return {false, code, reason.str(), blocker};
  }
};

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_VERDICT_H
