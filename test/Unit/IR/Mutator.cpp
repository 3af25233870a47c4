//===- Mutator.cpp - small random changes of IR text ----------------------===//

#include "Mutator.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlafuse::test;

/// The token at the start of `text`: a word, a number, the "x" between two
/// sizes of a type, a run of spaces, or a single character.
static size_t getTokenLength(llvm::StringRef text, llvm::StringRef previous) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  auto isSpace = [](char c) { return c == ' '; };
  auto run = [&](auto predicate) { return text.take_while(predicate).size(); };
  if (llvm::isDigit(text[0]))
    return run(llvm::isDigit);
  bool afterSize = previous == "?" ||
                   (!previous.empty() && llvm::all_of(previous, llvm::isDigit));
  if (text[0] == 'x' && afterSize)
    return 1;
  return std::max<size_t>(1, isWord(text[0]) ? run(isWord) : run(isSpace));
}

static std::vector<std::string> tokenize(llvm::StringRef text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    size_t length = getTokenLength(text, tokens.empty() ? "" : tokens.back());
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  return tokens;
}

Mutator::Mutator(std::vector<std::string> sources, uint64_t seed)
    : texts(std::move(sources)),
      pool({"0", "-1", "1", "?", "1099511627776", "2147483648",
            "9223372036854775807", "-9223372036854775808", "1e400"}),
      random(seed) {
  for (const std::string &text : texts)
    for (std::string &token : tokenize(text))
      if (token[0] != ' ')
        pool.push_back(std::move(token));
}

void Mutator::mutateTokens(std::vector<std::string> &tokens) {
  size_t at = below(tokens.size());
  switch (below(4)) {
  case 0:
    tokens.erase(tokens.begin() + at);
    break;
  case 1:
    tokens.insert(tokens.begin() + at, tokens[at]);
    break;
  case 2:
    std::swap(tokens[at], tokens[below(tokens.size())]);
    break;
  default:
    tokens[at] = pool[below(pool.size())];
  }
}

void Mutator::mutateByte(std::string &text) {
  text[below(text.size())] = static_cast<char>(below(256));
}

std::string Mutator::next() {
  const std::string &text = texts[below(texts.size())];
  std::vector<std::string> tokens = tokenize(text);
  for (size_t changes = 1 + below(3); changes > 0 && tokens.size() > 1;
       --changes)
    mutateTokens(tokens);
  std::string mutated = llvm::join(tokens, "");
  if (below(8) == 0 && !mutated.empty())
    mutateByte(mutated);
  return mutated;
}
