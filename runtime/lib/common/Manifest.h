//===- Manifest.h - what a compiled library says of itself ----*- C++ -*-===//
//
// The manifest of abi.h as data, and its parser. Everything that a launch or a
// tool relies on is checked here, once.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RT_COMMON_MANIFEST_H
#define MLAFUSE_RT_COMMON_MANIFEST_H

#include "Dim.h"
#include "Error.h"

namespace mlafuse::rt {

/// One end of a range: a size if `dim` is set, else a number.
struct Bound {
  double number = 0;
  std::optional<Dim> dim;
};

/// Values that make sense for an argument: low <= value < high.
struct Range {
  Bound low, high;
};

struct Argument {
  std::string name;
  mlafuse_type type = MLAFUSE_F32;
  std::vector<Dim> shape;
  mlafuse_layout layout = MLAFUSE_CONTIGUOUS;
  mlafuse_access access = MLAFUSE_READ;
  std::optional<Range> range;
  bool distinct = false;
  /// If set, the values ascend from 0 to this size.
  std::optional<Dim> offsets;
};

struct Result {
  std::string name;
  size_t argument = 0;
};

struct Function {
  std::string name;
  /// The names of the sizes that a launch gives, in order of appearance. Each
  /// stands by itself as some argument's size, so that shapes determine it.
  std::vector<std::string> symbols;
  std::vector<Argument> arguments;
  std::vector<Result> results;
};

enum class ImageFormat { Cubin, Ptx, Hsaco };

/// Code for a GPU, a constant of the library.
struct Image {
  ImageFormat format = ImageFormat::Cubin;
  std::string symbol;
  int64_t bytes = 0;
};

/// What a call of a function takes on one target.
struct Entry {
  std::string name; ///< The function's.
  /// Of a GPU: launches that a call makes at most, if that is known, and the
  /// kernels that it may launch.
  std::optional<int64_t> launches;
  std::vector<std::string> kernels;
  /// Bytes of workspace, as a formula for people.
  std::string workspace;
};

/// One chip that the library was compiled for.
struct Target {
  std::string backend;
  std::string chip;
  /// What the symbols of its host functions begin with.
  std::string prefix;
  /// Of a GPU: the same kernels in one or more forms. None for the CPU.
  std::vector<Image> images;
  /// The symbols of the kernels in each image.
  std::vector<std::string> kernels;
  /// One for each function, or none.
  std::vector<Entry> entries;
};

struct Manifest {
  std::string compiler;
  std::vector<Target> targets;
  std::vector<Function> functions;
};

/// Parses and checks a manifest. An error (MLAFUSE_BAD_LIBRARY) says where in
/// the manifest it is, as a path like "functions[0].arguments[2].type".
Error parseManifest(std::string_view text, Manifest &manifest);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_MANIFEST_H
