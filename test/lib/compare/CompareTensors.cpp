//===- CompareTensors.cpp - two tensors within a tolerance ------------===//
#include "Compare.h"

#include <cmath>
#include <cstdlib>

namespace mlafuse::rt {
namespace {

bool isExact(const Elements &a, const Elements &b, int64_t i) {
  return a.code(i) == b.code(i) || (a.isNaN(i) && b.isNaN(i));
}

bool isWithin(const Elements &actual, const Elements &expected, int64_t i,
              const Tolerance &tolerance) {
  if (isExact(actual, expected, i))
    return true;
  if (actual.isNaN(i) || expected.isNaN(i))
    return false;
  double a = actual.value(i), e = expected.value(i);
  switch (tolerance.kind) {
  case Tolerance::Kind::Bits:
    return false;
  case Tolerance::Kind::Close:
    // An infinity allows nothing but itself, though rtol times it is one.
    return std::isfinite(a) && std::isfinite(e) &&
           std::fabs(a - e) <= tolerance.atol + tolerance.rtol * std::fabs(e);
  case Tolerance::Kind::Codes:
    return std::llabs(actual.ordinal(i) - expected.ordinal(i)) <=
           tolerance.maxUlp;
  }
  return false;
}

struct Differences {
  int64_t inexact = 0;
  int64_t beyond = 0;
  int64_t firstInexact = -1;
  int64_t firstBeyond = -1;
};

std::string countText(int64_t count, const char *what) {
  return concat({std::to_string(count), " ", what});
}

} // namespace

void Report::add(bool ok, const std::string &line) {
  passed &= ok;
  text += concat({ok ? "ok    " : "WRONG ", line, "\n"});
}

Error compareTensors(const SafeTensor &actual, const SafeTensor &expected,
                     const std::string &encoding, const Tolerance &tolerance,
                     Report &report) {
  const std::string &name = actual.name;
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    report.add(false, concat({name, ": got ", actual.dtype, " ",
                              shapeText(actual.shape), ", wanted ",
                              expected.dtype, " ", shapeText(expected.shape)}));
    return {};
  }
  Elements a, e;
  if (Error error = Elements::make(actual, encoding, a))
    return std::move(error).in(name);
  if (Error error = Elements::make(expected, encoding, e))
    return std::move(error).in(name);

  Differences found;
  for (int64_t i = 0; i < a.size(); ++i) {
    if (!isExact(a, e, i) && found.inexact++ == 0)
      found.firstInexact = i;
    if (!isWithin(a, e, i, tolerance) && found.beyond++ == 0)
      found.firstBeyond = i;
  }
  double exactShare =
      a.size() == 0 ? 1 : 1 - static_cast<double>(found.inexact) / a.size();
  bool ok = found.beyond == 0 && exactShare >= tolerance.minExact;
  std::string line = concat({name, ": ", countText(a.size(), "elements, "),
                             countText(found.inexact, "differ, "),
                             countText(found.beyond, "of them beyond "),
                             "tolerance (", toleranceText(tolerance), ")"});
  if (found.inexact > 0) {
    int64_t first = found.beyond > 0 ? found.firstBeyond : found.firstInexact;
    line += concat({"; first at ", a.indexText(first), ": got ",
                    a.valueText(first), ", wanted ", e.valueText(first)});
  }
  report.add(ok, line);
  return {};
}

} // namespace mlafuse::rt
