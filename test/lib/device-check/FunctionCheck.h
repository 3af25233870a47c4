//===- FunctionCheck.h - one function on both devices ---------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_FUNCTIONCHECK_H
#define MLAFUSE_TEST_DEVICECHECK_FUNCTIONCHECK_H

#include "Options.h"
#include "Outputs.h"
#include "Side.h"
#include "Streams.h"
#include "Values.h"

namespace mlafuse::rt {

/// Runs one function with all sizes and values that the options ask for.
class FunctionCheck {
public:
  /// `streams` is NULL to launch on the default stream alone. All must outlive
  /// this object.
  FunctionCheck(const Side &device, const Side &oracle,
                const Function &function, const CheckOptions &options,
                Streams *streams)
      : device(device), oracle(oracle), function(function), options(options),
        streams(streams), strictness(strictnessOf(function.name)),
        tallies(function.arguments.size()) {}

  Error run();

  int64_t getRuns() const { return runs; }
  /// Sums and maxima over all arguments.
  Tally getTotal() const;
  const std::vector<int64_t> &getTokens() const { return tokens; }

private:
  Error runTokens(int64_t count);
  Error runValues(int64_t tokenCount, const Values &values, bool again);
  Error prepare(int64_t tokenCount, const Values &values);
  Error makeImages(const Values &values,
                   std::vector<MemoryImage> &images) const;
  Error launchOracle(const std::vector<MemoryImage> &before,
                     std::vector<MemoryImage> &after) const;
  Error launchDevice(const std::vector<MemoryImage> &before, bool again,
                     std::vector<MemoryImage> &after) const;
  Error replay(int64_t tokenCount, Values values);
  Error compare(const std::vector<MemoryImage> &before,
                const std::vector<MemoryImage> &actual,
                const std::vector<MemoryImage> &expected);
  Error judgeAll() const;
  std::optional<size_t> findCount() const;
  /// Counts of tokens worth a try: none if the function takes no count.
  std::vector<int64_t> countsToTry(int64_t tokenCount) const;

  const Side &device, &oracle;
  const Function &function;
  const CheckOptions &options;
  Streams *streams;
  Strictness strictness;
  const mlafuse_function *deviceHandle = nullptr, *oracleHandle = nullptr;
  std::vector<int64_t> symbols;
  std::vector<Placement> placements;
  std::vector<Tally> tallies;
  std::vector<int64_t> tokens;
  int64_t runs = 0;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_FUNCTIONCHECK_H
