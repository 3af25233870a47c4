//===- PCH.cpp - owner of the precompiled header --------------------------===//
//
// The target needs a source; everything it holds is its precompiled header.
//
//===----------------------------------------------------------------------===//
