//===- Streams.h - a GPU's stream and captured launches -------*- C++ -*-===//
//
// What a caller of the runtime does with the vendor's driver: it makes a
// stream, and records launches on it to replay them. The driver is loaded at
// run time, so that this builds and starts without one.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_TEST_DEVICECHECK_STREAMS_H
#define MLAFUSE_TEST_DEVICECHECK_STREAMS_H

#include "Error.h"

#include <cstddef>

namespace mlafuse::rt {

/// The functions of a driver; all return 0 on success. Names differ by vendor.
struct StreamFunctions {
  int (*createStream)(void **stream, unsigned flags);
  int (*destroyStream)(void *stream);
  int (*beginCapture)(void *stream, int mode);
  int (*endCapture)(void *stream, void **graph);
  int (*instantiate)(void **executable, void *graph, void **errorNode,
                     char *log, size_t logBytes);
  int (*launchGraph)(void *executable, void *stream);
  int (*destroyExecutable)(void *executable);
  int (*destroyGraph)(void *graph);
};

/// One stream and the graph that was captured on it last.
class Streams {
public:
  Streams() = default;
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;
  ~Streams();

  /// `device` is "cuda" or "hip"; a context of it must be open already, whose
  /// device becomes the thread's current one.
  Error open(const std::string &device);

  /// CUstream or hipStream_t.
  void *get() const { return stream; }

  Error beginCapture();
  Error endCapture();
  /// Puts the captured launches on the stream.
  Error replay();

private:
  void dropGraph();

  StreamFunctions driver = {};
  void *stream = nullptr, *graph = nullptr, *executable = nullptr;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_STREAMS_H
