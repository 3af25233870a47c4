//===- Stub.h - the state of the stub ---------------------------*- C++ -*-===//
//
// A device that checks every call. Work on streams is queued and runs when
// somebody waits for it, so that results that nobody waited for are missing.
//
// A function of a driver's interface begins a Call and gives it to one of the
// functions that Copies.h, Modules.h and Streams.h declare.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_GPUSTUB_STUB_H
#define MLAFUSE_GPUSTUB_STUB_H

#include "Error.h"
#include "Memory.h"
#include "Vendor.h"

#include <deque>
#include <memory>
#include <mutex>
#include <set>

namespace mlafuse::gpustub {

class Call;
struct Module;
struct Function;

/// Work on the device; gives what went wrong, "" if nothing did.
using Work = std::function<std::string()>;

/// As both vendors number them.
enum CaptureMode : int32_t {
  GlobalCapture,
  ThreadLocalCapture,
  RelaxedCapture
};

/// Work that was recorded on a capturing stream.
struct Capture {
  struct Stream *origin;
  CaptureMode mode;
  std::string broken; ///< Why it is invalid; "" as long as it is not.
  std::vector<Work> work;
};

struct Stream {
  std::shared_ptr<Capture> capture; ///< Null unless the stream captures.
  uint64_t last = 0;                ///< The number of its last work.
  uint64_t lastLaunch = 0;          ///< Of its last launch.
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

class Stub {
public:
  static Stub &get();

  std::recursive_mutex mutex;
  const Chip *chip = nullptr; ///< Null until somebody initializes the driver.
  DeviceMemory memory;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Module *> modules;
  std::set<Function *> functions;
  std::set<Graph *> graphs;
  std::set<GraphExec *> graphExecs;
  Stream nullStream;

  /// Queues work on a stream, or records it if the stream captures.
  Error submit(Call &call, Stream *stream, Work work);

  /// Runs what is queued, to work number `last`.
  Error finish(Call &call, uint64_t last);
  Error finishAll(Call &call) { return finish(call, submitted); }
  bool isFinished(uint64_t last) const { return done >= last; }

  /// The stream of a handle (null: the default stream); null, after an error,
  /// if the handle is none.
  Stream *resolve(Call &call, Stream *handle);

  /// For calls that allocate or wait: whether a capture forbids them. Breaks
  /// the capture.
  Error checkNoCapture(Call &call);

private:
  std::deque<Work> queue;
  uint64_t submitted = 0, done = 0;
  std::string failure; ///< What a kernel did; every later wait fails too.
};

/// A call of a function of the driver; locks the stub while it runs.
class Call {
public:
  explicit Call(const char *name)
      : stub(Stub::get()), name(name), lock(stub.mutex) {}

  /// Whether the driver was initialized.
  Error check();

  /// Reports misuse on stderr and gives `error`.
  Error fail(Error error, const std::string &why);

  Stub &stub;
  const char *name;
  std::string problem; ///< What `fail` reported last.

private:
  std::lock_guard<std::recursive_mutex> lock;
};

/// Opens the device: the chip that the environment names, or the default.
Error initialize(Call &call, unsigned flags);
/// Whether there is a device of that number.
Error checkDevice(Call &call, int device);

/// Whether the caller gave an address for a result, `what`.
Error checkPlace(Call &call, const void *place, const char *what = "result");

/// "0x7f..."
std::string hex(const void *pointer);

/// Whether the handle is one of `known`.
template <typename Object>
Error checkHandle(Call &call, const std::set<Object *> &known, Object *handle,
                  const char *what) {
  if (known.count(handle))
    return Success;
  return call.fail(InvalidHandle, std::string("no ") + what + " " +
                                      hex(handle) + " exists (any more)");
}

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_STUB_H
