//===- device.h - what the kernels here share -------------------------===//
// Kernels in C++ for Clang's amdgcn target, without any library.
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))
/// An array of a workgroup.
#define SHARED static __attribute__((address_space(3), loader_uninitialized))
#define KERNEL extern "C" __attribute__((amdgpu_kernel)) void
/// A kernel for workgroups of `size` lanes.
#define KERNEL_OF(size)                                                        \
  extern "C" __attribute__((amdgpu_kernel,                                     \
                            amdgpu_flat_work_group_size(size, size))) void
#define VECTOR(type, count) type __attribute__((ext_vector_type(count)))

using half = _Float16;
using bfloat = __bf16;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

static inline u32 laneId() { return __builtin_amdgcn_workitem_id_x(); }
static inline u32 groupId() { return __builtin_amdgcn_workgroup_id_x(); }
static inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
