//===- MLACheck.h - one function of MLA on both devices -------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_MLACHECK_H
#define MLAFUSE_TEST_DEVICECHECK_MLACHECK_H

#include "MLABounds.h"
#include "MLAInputs.h"
#include "Memories.h"
#include "Options.h"
#include "Side.h"
#include "Streams.h"

namespace mlafuse::rt {

/// Runs one function, and with a key its family, with all sizes and values that
/// the options ask for:
/// - an output without a key is compared by rows with the CPU's, one of bf16
///   with the CPU's before it is rounded, if there is a function for that: else
///   a number at the edge of two may be one bf16 off, and be most of a row;
/// - of one with a key, codes and scales must equal, bit for bit, what the CPU
///   makes of the output that the device writes without the key, and be near
///   what the CPU makes of its own;
/// - a second launch, with other garbage in its workspace, gives the same bits,
///   and so does a captured one that is replayed with requests of other
///   lengths.
class MLACheck {
public:
  /// `streams` is NULL to launch on the default stream alone. All must outlive
  /// this object.
  MLACheck(const Side &device, const Side &oracle, const MLAFunction &function,
           const CheckOptions &options, Streams *streams)
      : device(device), oracle(oracle), function(function), options(options),
        streams(streams) {}

  Error run();

  int64_t getRuns() const { return runs; }
  const MLATally &getTally() const { return tally; }

private:
  std::vector<RunSize> runSizes() const;
  Error runSize(RunSize size);
  std::vector<std::optional<int64_t>> counts(const MLASizes &sizes) const;
  /// One set of arguments; `results` is what the device wrote.
  Error runValues(const MLASizes &sizes, const MLAValues &values,
                  Memories *results = nullptr);
  Error replay(RunSize size);
  Error capture(const MLASizes &sizes, const MLAValues &values,
                Launcher &launcher) const;
  Error replayOnce(const MLASizes &sizes, const MLAValues &values,
                   Launcher &launcher, const Memories &direct) const;

  Error makeMemories(const Function &of, const MLASizes &sizes,
                     const MLAInputs &inputs, Memories &memories) const;
  /// Runs a function of the family on the memories of its arguments. `poison`
  /// is the byte that its workspace holds.
  Error launch(const Side &side, const Function &launched, uint8_t poison,
               Memories &memories) const;
  /// On the CPU, with memories of its own.
  Error launchOracle(const Function &launched, const MLASizes &sizes,
                     const MLAInputs &inputs, Memories &memories) const;
  /// On the device, twice.
  Error launchTwice(const Function &launched, Memories &memories) const;

  Error checkUnkeyed(const MLAInputs &inputs, const Memories &before,
                     const Memories &actual, const Memories &expected);
  Error checkKeyed(const MLASizes &sizes, const MLAInputs &inputs,
                   const Memories &before, Memories &actual);
  Error checkEpilogue(const Memories &before, const Memories &actual,
                      const Memories &wanted) const;
  Error checkNumbers(const MLASizes &sizes, const TokenRows &rows,
                     const Memories &actual, const Memories &expected,
                     const Memory &source);
  /// By element, what a code of 1 stands for.
  Error scalesByElement(const MLASizes &sizes, const Memories &memories,
                        std::vector<float> &scales) const;

  const Side &device, &oracle;
  const MLAFunction &function;
  const CheckOptions &options;
  Streams *streams;
  MLATally tally;
  int64_t runs = 0;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_MLACHECK_H
