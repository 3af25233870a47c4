//===- SetSchedule.h - schedules from the command line ----------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_SETSCHEDULE_H
#define MLAFUSE_CONVERSION_SETSCHEDULE_H

#include "mlir/Pass/PassManager.h"

namespace mlafuse {

/// Adds `mlafuse-set-schedule` with this option: "stages = 2;
/// head_projection: tile_rows = 128".
void addSetSchedule(mlir::OpPassManager &manager, llvm::StringRef schedule);

/// Registers `mlafuse-schedule`, the same pass with the option as its value.
void registerScheduleOption();

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_SETSCHEDULE_H
