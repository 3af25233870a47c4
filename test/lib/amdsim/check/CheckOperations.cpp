//===- CheckOperations.cpp - kernels against the host's compiler ------===//
#include "Harness.h"
#include "Types.h"

#include <type_traits>

/// What Clang calls to round to bf16; the compiler's run-time library of some
/// systems lacks it.
extern "C" __attribute__((weak)) bfloat __truncsfbf2(float x) {
  unsigned bits = bitsOf(x);
  unsigned rounded =
      x != x ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
  return __builtin_bit_cast(bfloat, static_cast<unsigned short>(rounded >> 16));
}

namespace amdsim::check {
namespace {

/// The type of an element of a scalar or a vector.
template <typename T>
auto elementOf() {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, half> ||
                std::is_same_v<T, bfloat>)
    return T();
  else
    return std::decay_t<decltype(T()[0])>();
}

template <typename E>
constexpr bool isFloat = std::is_floating_point_v<E> ||
                         std::is_same_v<E, half> || std::is_same_v<E, bfloat>;

/// Numbers of all sizes, some of them special.
template <typename E>
E makeElement(Random &random) {
  uint64_t bits = uint64_t(random.bits()) << 32 | random.bits();
  E x;
  std::memcpy(&x, &bits, sizeof x);
  if constexpr (isFloat<E>) {
    constexpr double special[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  0.5,
                                  2.5,
                                  -1.5,
                                  448.0,
                                  0x1p-126,
                                  0x1.8p-130,
                                  0x1p-149,
                                  0x1p120,
                                  __builtin_inf(),
                                  -__builtin_inf()};
    uint32_t choice = random.below(40);
    if (choice < sizeof special / sizeof *special)
      return static_cast<E>(static_cast<float>(special[choice]));
    // Mostly numbers that can be added and multiplied without overflow.
    if (choice < 34)
      return static_cast<E>(random.unit() * 16.0f);
  } else if (random.below(4) == 0) {
    return static_cast<E>(static_cast<int>(random.below(65)) - 32);
  }
  return x;
}

template <typename E>
bool isSame(E a, E b) {
  if constexpr (isFloat<E>)
    if (a != a && b != b)
      return true;
  return sameBits(a, b);
}

template <typename T, typename R>
void compare(Kernels &kernels, const char *name, R (*reference)(T, T, T, int)) {
  using E = decltype(elementOf<T>());
  using F = decltype(elementOf<R>());
  constexpr size_t count = 4000, inputs = sizeof(T) / sizeof(E);
  Buffer<T> a(count), b(count), c(count);
  Buffer<R> results(count);
  Random random(std::strlen(name) + static_cast<size_t>(name[0]));
  for (size_t i = 0; i < count; ++i)
    for (Buffer<T> *buffer : {&a, &b, &c}) {
      E elements[inputs];
      for (E &element : elements)
        element = makeElement<E>(random);
      std::memcpy(&(*buffer)[i], elements, sizeof elements);
    }
  int size = count;
  kernels.run(name, 16, 256, a, b, c, results, size);
  Comparison comparison(name);
  for (size_t i = 0; i < count; ++i) {
    R expected = reference(a[i], b[i], c[i], static_cast<int>(i));
    F wanted[sizeof(R) / sizeof(F)], got[sizeof(R) / sizeof(F)];
    std::memcpy(wanted, &expected, sizeof wanted);
    std::memcpy(got, &results[i], sizeof got);
    for (size_t k = 0; k < sizeof(R) / sizeof(F); ++k)
      comparison.add(isSame(wanted[k], got[k]), i,
                     static_cast<double>(wanted[k]),
                     static_cast<double>(got[k]));
  }
}

#define OPERATION(name, type, result, expression)                              \
  result name([[maybe_unused]] type a, [[maybe_unused]] type b,                \
              [[maybe_unused]] type c, [[maybe_unused]] int i) {               \
    return expression;                                                         \
  }
#include "Operations.h"
#undef OPERATION

} // namespace

void checkOperations(Kernels &kernels) {
#define OPERATION(name, type, result, expression)                              \
  compare<type, result>(kernels, #name, name);
#include "Operations.h"
#undef OPERATION
}

} // namespace amdsim::check
