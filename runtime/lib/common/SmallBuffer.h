//===- SmallBuffer.h - a few elements on the stack ------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_SMALLBUFFER_H
#define MLAFUSE_RT_COMMON_SMALLBUFFER_H

#include <cstddef>
#include <memory>

namespace mlafuse::rt {

/// A fixed number of elements of trivial type T, not initialized; up to N of
/// them take no allocation.
template <typename T, size_t N>
class SmallBuffer {
public:
  explicit SmallBuffer(size_t size)
      : heap(size > N ? new T[size] : nullptr),
        first(heap ? heap.get() : local) {}

  T *data() { return first; }
  T &operator[](size_t index) { return first[index]; }
  const T &operator[](size_t index) const { return first[index]; }

private:
  T local[N];
  std::unique_ptr<T[]> heap;
  T *first;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_SMALLBUFFER_H
