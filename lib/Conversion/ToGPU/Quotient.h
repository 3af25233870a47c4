//===- Quotient.h - elements divided by their group's scale -----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_QUOTIENT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_QUOTIENT_H

#include "../Rows/Quantization.h"

namespace mlafuse::kernel {

using namespace rows;

/// The f32 vector `values` over the divisor of its group, as the rule says: the
/// bits that a correctly rounded division (or multiplication) gives, but for
/// quotients that are too small for any code but zero.
mlir::Value emitQuotient(Emitter &e, const QuantBuffers &buffers,
                         const Divisor &divisor, mlir::Value values);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_QUOTIENT_H
