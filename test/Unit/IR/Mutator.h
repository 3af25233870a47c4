//===- Mutator.h - small random changes of IR text --------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_UNIT_IR_MUTATOR_H
#define MLAFUSE_TEST_UNIT_IR_MUTATOR_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mlafuse::test {

/// Changes texts: bytes, and whole tokens, which are deleted, doubled, swapped
/// or replaced by tokens of other texts and by numbers at the ends of ranges.
class Mutator {
public:
  Mutator(std::vector<std::string> texts, uint64_t seed);

  /// One of the texts with a few changes.
  std::string next();

private:
  size_t below(size_t bound) { return random() % bound; }
  void mutateTokens(std::vector<std::string> &tokens);
  void mutateByte(std::string &text);

  std::vector<std::string> texts;
  std::vector<std::string> pool; ///< Tokens to put into a text.
  std::mt19937_64 random;
};

} // namespace mlafuse::test

#endif // MLAFUSE_TEST_UNIT_IR_MUTATOR_H
