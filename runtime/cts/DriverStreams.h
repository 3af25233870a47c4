//===- DriverStreams.h - streams and graphs of a caller -------*- C++ -*-===//
//
// What programs on a GPU do with its driver themselves, beside the runtime.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RUNTIME_CTS_DRIVERSTREAMS_H
#define MLAFUSE_RUNTIME_CTS_DRIVERSTREAMS_H

#include <string>

namespace mlafuse::cts {

/// Streams and graphs of the backend under test, a GPU's. Functions give "" or
/// which call failed.
class DriverStreams {
public:
  /// Makes the backend's first device current for the thread.
  std::string open();

  std::string createStream(void *&stream);
  std::string destroyStream(void *stream);
  std::string synchronize(void *stream);

  std::string beginCapture(void *stream);
  /// Ends the capture and makes an executable graph.
  std::string endCapture(void *stream, void *&graph);
  std::string launchGraph(void *graph, void *stream);
  std::string destroyGraph(void *graph);

private:
  /// Calls the driver's function of that name, in its vendor's form.
  template <typename... Arguments>
  std::string call(const char *cuda, const char *hip, Arguments... arguments);

  void *library = nullptr;
};

} // namespace mlafuse::cts

#endif // MLAFUSE_RUNTIME_CTS_DRIVERSTREAMS_H
