//===- Stub.h - the state of the stub ---------------------------*- C++ -*-===//
//
// A device that checks every call. Work on streams is queued and runs when
// somebody waits for it, so that results that nobody waited for are missing.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_HIPSTUB_STUB_H
#define MLAFUSE_HIPSTUB_STUB_H

#include "HipFunctions.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace mlafuse::hipstub {

/// Work on the device; gives what went wrong, "" if nothing did.
using Work = std::function<std::string()>;

/// Work that was recorded on a capturing stream.
struct Capture {
  Stream *origin;
  hipStreamCaptureMode mode;
  std::string broken; ///< Why it is invalid; "" as long as it is not.
  std::vector<Work> work;
};

struct Stream {
  std::shared_ptr<Capture> capture; ///< Null unless the stream captures.
  uint64_t last = 0;                ///< The number of its last work.
};
struct Event {
  std::shared_ptr<Capture> capture; ///< Recorded in this capture.
  uint64_t last = 0;                ///< The work it was recorded behind.
  bool isRecorded = false;
  double milliseconds = 0; ///< When it was reached.
};
struct Graph {
  std::vector<Work> work;
};
struct GraphExec {
  std::vector<Work> work;
};

/// A piece of device memory: host memory between pages that nobody may touch,
/// closed to the host unless device work runs.
struct Allocation {
  char *start;
  size_t bytes;
  char *pages; ///< The pages that hold it.
  size_t pageBytes;
};

/// The device's properties, by chip.
struct ChipLimits {
  const char *name;
  uint32_t waveSize, ldsBytes;
};

class Stub {
public:
  static Stub &get();

  std::recursive_mutex mutex;
  bool isInitialized = false;
  const ChipLimits *chip = nullptr; ///< Set by hipInit.
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Module *> modules;
  std::set<Function *> functions;
  std::set<Graph *> graphs;
  std::set<GraphExec *> graphExecs;
  std::map<char *, Allocation> allocations; ///< By start.
  Stream nullStream;

  /// The allocation that holds `bytes` from `pointer` on; null if none does.
  const Allocation *findAllocation(const void *pointer, size_t bytes);

  /// Opens all device memory to this process, or closes it.
  void openMemory(bool open);

  /// Queues work on a stream, or records it if the stream captures.
  hipError_t submit(const char *call, Stream *stream, Work work);

  /// Runs what is queued, to work number `last`.
  hipError_t finish(const char *call, uint64_t last);
  uint64_t lastWork() const { return submitted; }
  bool isFinished(uint64_t last) const { return done >= last; }

  /// The stream of a handle (null: the default stream); null, after an error,
  /// if the handle is none.
  Stream *resolve(const char *call, hipStream_t handle);

  /// Whether a capture forbids a call that allocates or waits; breaks it.
  bool isForbiddenByCapture(const char *call);

private:
  std::deque<Work> queue;
  uint64_t submitted = 0, done = 0;
  std::string failure; ///< What a kernel did; every later wait fails too.
};

/// Reports misuse on stderr and gives `error`, which becomes the last error.
hipError_t fail(const char *call, hipError_t error, const std::string &why);

/// Begins a call: locks the stub; wants it initialized unless it is hipInit.
class Call {
public:
  explicit Call(const char *name)
      : stub(Stub::get()), name(name), lock(stub.mutex) {}
  hipError_t check() const;

  Stub &stub;
  const char *name;

private:
  std::lock_guard<std::recursive_mutex> lock;
};

/// "0x7f..."
std::string hex(const void *pointer);

} // namespace mlafuse::hipstub

#endif // MLAFUSE_HIPSTUB_STUB_H
