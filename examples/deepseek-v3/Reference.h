//===- Reference.h - the block in plain C++ ---------------------*- C++ -*-===//
#ifndef MLAFUSE_EXAMPLES_DEEPSEEK_V3_REFERENCE_H
#define MLAFUSE_EXAMPLES_DEEPSEEK_V3_REFERENCE_H

#include "SafeTensors.h"

#include <string>
#include <vector>

namespace deepseek_v3 {

/// Computes what attention.mlir says, independently of the compiler: sums in
/// double, every rounding to bf16 and FP8 where the IR has one. `missing` names
/// the first input that the file lacks, if any; the result, [tokens, hidden], is
/// empty then.
std::vector<float> computeReference(const mlafuse::rt::SafeTensorsFile &inputs,
                                    std::string &missing);

} // namespace deepseek_v3

#endif // MLAFUSE_EXAMPLES_DEEPSEEK_V3_REFERENCE_H
