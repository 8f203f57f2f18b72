// All units include this: what each has a copy of, of which a link keeps one or none.
#include "hip.hpp"
#include "markers.hpp"

// LLVM 19 imports no function that is not inlined, so its ThinLTO cannot have any.
#ifdef INLINED
#define KEPT
#else
#define KEPT __noinline__
#endif

// No marker with a payload stands beside a packed clock.
#ifdef WITHOUT_VALUES
#define VALUE(name, value)
#else
#define VALUE(name, value) sqtt_marker_data(name, value)
#endif

// Words that clang's host half of a kernel needs.
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, __SIZE_TYPE__, void *);
extern "C" int __hipPopCallConfiguration(dim3 *, dim3 *, __SIZE_TYPE__ *, void *);

template <class Type> __device__ KEPT Type twice(Type x) {
  sqtt_scope guard("twice");
  return x * 2 + 1;
}

inline __device__ int header(int x) {
  sqtt_scope guard("header");
  return x ^ 0x55;
}

template <class Type> __global__ void first(Type *out, Type x) {
  sqtt_scope guard("a kernel of two units");
  out[__lane()] = twice(x);
}
