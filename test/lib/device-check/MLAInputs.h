//===- MLAInputs.h - made-up arguments of MLA's functions -----*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_MLAINPUTS_H
#define MLAFUSE_TEST_DEVICECHECK_MLAINPUTS_H

#include "Images.h"
#include "MLAFunction.h"

namespace mlafuse::rt {

/// How long the requests of a run are.
enum class Lengths {
  Mixed, ///< One is the longest; others 0, 1, whole pages and anything between.
  Longest,
  Zero,
  One
};

struct MLAValues {
  uint64_t seed = 0;
  Lengths lengths = Lengths::Mixed;
  /// Queries of zeros and of large numbers; in a product alone also NaN.
  bool special = false;
  /// Value of num_actual_tokens, if the function takes it.
  std::optional<int64_t> count;
};

/// Which keys the queries of a run look at, and what memory nobody may look at:
/// entries of requests and queries beyond the count, of block tables beyond a
/// request's end, rows of the cache that no query sees. There lie NaN, and
/// numbers that would lead out of the cache.
class MLAInputs {
public:
  MLAInputs(const MLAFunction &function, const MLASizes &sizes,
            const MLAValues &values);

  /// Rows that are written, from the offset on.
  int64_t liveTokens() const { return live; }
  const std::vector<int32_t> &getLengths() const { return lengths; }
  /// By slot of the cache: whether any query may look at it.
  const std::vector<bool> &getNamed() const { return named; }

  /// The memory of an argument before a launch; of a destination, bytes that
  /// are no plausible result. Fails on an argument of a name not known.
  Error fill(const Argument &argument, const Placement &placement,
             MemoryImage &image) const;

private:
  void drawLengths();
  void drawTables();
  void drawIndices();
  bool isLive(int64_t request) const {
    return request * function.queries < live;
  }

  const MLAFunction &function;
  const MLASizes sizes;
  const MLAValues values;
  int64_t live = 0;
  std::vector<int32_t> lengths; ///< By request.
  std::vector<int32_t> table;   ///< requests x tableWidth
  std::vector<int32_t> indices; ///< tokens x keys
  std::vector<bool> named;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_MLAINPUTS_H
