//===- CheckLanes.cpp - data between lanes ----------------------------===//
#include "Harness.h"

#include <algorithm>
#include <functional>

namespace amdsim::check {
namespace {

constexpr int lanes = 64;
/// No lane: the result keeps what it held.
constexpr int kept = -1;
/// No lane: the result is 0.
constexpr int zero = -2;

/// Row k of a kernel's result: the source of each lane, `kept` or `zero`.
using Source = std::function<int(int lane)>;

class LaneCheck {
public:
  explicit LaneCheck(Kernels &kernels) : kernels(kernels), input(lanes) {
    Random random(2);
    for (int t = 0; t < lanes; ++t)
      input[t] = static_cast<int32_t>(random.below(2000)) - 1000;
  }

  /// `old`: what lanes without a source hold.
  void compare(const std::string &name, std::vector<Source> rows,
               int32_t old = -1) {
    Buffer<int32_t> output(lanes * rows.size());
    kernels.run(name, 1, lanes, input, output);
    for (size_t k = 0; k < rows.size(); ++k) {
      Comparison comparison(name + " " + std::to_string(k));
      for (int t = 0; t < lanes; ++t) {
        int source = rows[k](t);
        int32_t expected = source == kept   ? old
                           : source == zero ? 0
                                            : input[source];
        int32_t actual = output[k * lanes + t];
        comparison.add(expected == actual, t, expected, actual);
      }
    }
  }

  Kernels &kernels;
  Buffer<int32_t> input;
};

} // namespace

void checkLanes(Kernels &kernels) {
  LaneCheck check(kernels);
  int wave = static_cast<int>(kernels.waveSize());
  auto base = [wave](int t) { return t / wave * wave; };
  check.compare("swizzle",
                {[](int t) { return t ^ 16; }, [](int t) { return t ^ 1; },
                 [](int t) { return t ^ 1; }});
  check.compare("permute",
                {[](int t) { return t ^ 5; }, [](int t) { return t ^ 9; },
                 [=](int t) { return base(t) + 7; }, base});
  check.compare("permute_inactive", {[](int t) {
                  return t >= 10 ? kept : t + 3 < 10 ? t + 3 : zero;
                }});
  check.compare("dpp",
                {[](int t) { return t % 16 >= 1 ? t - 1 : kept; },
                 [](int t) { return t % 16 + 8 < 16 ? t + 8 : zero; },
                 // Bank mask 5: lanes 0 to 3 and 8 to 11 of a row.
                 [](int t) { return t % 16 / 4 % 2 == 0 ? t ^ 1 : kept; },
                 [](int t) { return t - t % 8 + 7 - t % 8; },
                 [](int t) { return t - t % 16 + (t + 8) % 16; },
                 [=](int t) {
                   return t - base(t) < 16 ? t - t % 16 + 15 - t % 16 : kept;
                 }});
  if (kernels.has("dpp_wave"))
    check.compare("dpp_wave", {[](int t) {
                                 return t / 16 % 2 == 1 ? t - t % 16 - 1 : kept;
                               },
                               [](int t) { return t >= 32 ? 31 : kept; },
                               [](int t) { return t >= 1 ? t - 1 : kept; },
                               [](int t) { return t - t % 16 + 5; }});
  if (kernels.has("permute_rows"))
    check.compare("permute_rows",
                  {[](int t) { return t; },
                   [](int t) {
                     int other = (t ^ 16) - t % 16, i = t % 16;
                     return other + (i < 8 ? 7 - i : 23 - i);
                   },
                   [](int t) { return t ^ 5; },
                   [](int t) { return t - t % 8 + 7 - t % 8; }});

  Buffer<float> x(lanes), largest(lanes);
  Random random(5);
  for (int t = 0; t < lanes; ++t)
    x[t] = random.unit() + 2;
  kernels.run("dpp_max", 1, lanes, x, largest);
  {
    Comparison comparison("dpp_max");
    for (int t = 0; t < lanes; ++t) {
      float expected = 0;
      for (int k = 0; k < 16; ++k)
        expected = std::max(expected, x[t - t % 16 + k]);
      comparison.add(expected == largest[t], t, expected, largest[t]);
    }
  }
  Buffer<int32_t> counts(2 * lanes);
  kernels.run("ballot", 1, lanes, check.input, counts);
  {
    Comparison comparison("ballot");
    for (int t = 0; t < lanes; ++t) {
      int all = 0, below = 0;
      for (int k = base(t); k < base(t) + wave; ++k) {
        all += check.input[k] > 0;
        below += k < t && check.input[k] > 0;
      }
      comparison.add(counts[t] == all && counts[lanes + t] == below, t, below,
                     counts[lanes + t]);
    }
  }
  if (!kernels.has("swap_rows"))
    return;
  Buffer<uint32_t> a(lanes), swapped(4 * lanes);
  for (int t = 0; t < lanes; ++t)
    a[t] = static_cast<uint32_t>(check.input[t]);
  kernels.run("swap_rows", 1, lanes, a, swapped);
  Comparison comparison("swap_rows");
  for (int t = 0; t < lanes; ++t) {
    // The second operand is the first plus 1000.
    for (int k = 0; k < 2; ++k) {
      int distance = k == 0 ? 32 : 16;
      bool isUpper = t & distance;
      uint32_t first = isUpper ? a[t - distance] + 1000 : a[t];
      uint32_t second = isUpper ? a[t] + 1000 : a[t + distance];
      comparison.add(swapped[2 * k * lanes + t] == first, t, first,
                     swapped[2 * k * lanes + t]);
      comparison.add(swapped[(2 * k + 1) * lanes + t] == second, t, second,
                     swapped[(2 * k + 1) * lanes + t]);
    }
  }
}

} // namespace amdsim::check
