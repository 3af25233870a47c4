//===- Harness.h - runs translated kernels, compares results ----*- C++ -*-===//
#ifndef AMDSIM_CHECK_HARNESS_H
#define AMDSIM_CHECK_HARNESS_H

#include "amdsim.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace amdsim::check {

/// Numbers that differ from run to run only if the seed does.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
  uint32_t bits() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 33) << 1 ^
           static_cast<uint32_t>(state >> 20);
  }
  uint32_t below(uint32_t end) { return bits() % end; }
  /// Between -1 and 1.
  float unit() {
    return static_cast<float>(static_cast<int32_t>(bits())) * 0x1p-31f;
  }

private:
  uint64_t state;
};

/// Memory that ends at a page that nobody may touch (up to its alignment, 16).
template <typename T>
class Buffer {
public:
  explicit Buffer(size_t count)
      : count(count), memory(allocate(count * sizeof(T))) {
    std::memset(static_cast<void *>(memory), 0xff, count * sizeof(T));
  }
  T &operator[](size_t i) { return memory[i]; }
  T *data() { return memory; }
  size_t size() const { return count; }

private:
  static T *allocate(size_t bytes);

  size_t count;
  T *memory; ///< Lives as long as the process.
};
void *allocateGuarded(size_t bytes);
template <typename T>
T *Buffer<T>::allocate(size_t bytes) {
  return static_cast<T *>(allocateGuarded(bytes));
}

/// The kernels of a translated code object.
class Kernels {
public:
  Kernels(const char *path, uint32_t seed);

  const std::string &chip() const { return chipName; }
  uint32_t waveSize() const { return getKernel(0)->wave_size; }
  bool has(const std::string &name) const;
  const amdsim_kernel &info(const std::string &name) const;

  /// Launches `grid` workgroups of `block` lanes; a failure ends the program.
  template <typename... Arguments>
  void run(const std::string &name, uint32_t grid, uint32_t block,
           Arguments &...arguments) {
    std::vector<std::vector<char>> values;
    (values.push_back(bytesOf(arguments)), ...);
    launch(name, grid, block, values);
  }

  uint32_t seed;

private:
  template <typename T>
  static std::vector<char> bytesOf(Buffer<T> &buffer) {
    T *pointer = buffer.data();
    return bytesOf(pointer);
  }
  template <typename T>
  static std::vector<char> bytesOf(const T &value) {
    const char *begin = reinterpret_cast<const char *>(&value);
    return std::vector<char>(begin, begin + sizeof value);
  }
  void launch(const std::string &name, uint32_t grid, uint32_t block,
              const std::vector<std::vector<char>> &values);
  uint32_t find(const std::string &name) const;

  decltype(amdsim_kernel_count) *kernelCount;
  decltype(amdsim_get_kernel) *getKernel;
  decltype(amdsim_launch) *launchKernel;
  std::string chipName;
};

/// Reports the first differences of `what`; false if there are any.
class Comparison {
public:
  explicit Comparison(std::string what) : what(std::move(what)) {}
  ~Comparison();
  /// `expected`, `actual`: for the message.
  void add(bool isEqual, size_t index, double expected, double actual);

  static int failed, passed;

private:
  std::string what;
  size_t count = 0, differing = 0;
};

/// Whether two values have the same bits.
template <typename T>
bool sameBits(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// The checks, by name; the kernels that each wants are in test/Simulator.
void checkOperations(Kernels &kernels);
void checkConversions(Kernels &kernels);
void checkScaledConversions(Kernels &kernels);
void checkLanes(Kernels &kernels);
void checkMemory(Kernels &kernels);
void checkMatrices(Kernels &kernels);
void checkScaledMatrices(Kernels &kernels);
void checkTranscendentals(Kernels &kernels);
void checkNorm(Kernels &kernels);
void checkBarriers(Kernels &kernels);

} // namespace amdsim::check

#endif // AMDSIM_CHECK_HARNESS_H
