//===- Nvidia.h - names of NVIDIA's chips -----------------------*- C++ -*-===//
#ifndef MLAFUSE_CUDASTUB_NVIDIA_H
#define MLAFUSE_CUDASTUB_NVIDIA_H

#include <string>

namespace mlafuse::cudastub {

/// 90 for "sm_90" and "sm_90a"; -1 if the text is no such name.
int capabilityOf(const std::string &name);

} // namespace mlafuse::cudastub

#endif // MLAFUSE_CUDASTUB_NVIDIA_H
