// Markers for AMD GPU thread traces (SQTT): what C, OpenCL C, C++ and HIP have in common. C++ and HIP include
// markers.hpp, which adds guards.
//
//   #include "markers.h"                              compile with -DSQTT_ENABLED=1
//
//   sqtt_marker_enter("load");  …  sqtt_marker_exit("load");     a scope
//   sqtt_marker_point("first tile");                             an event
//   sqtt_marker_data("tile", index);                             an event with a value
//
// With a name: the plugin is needed (-fpass-plugin=libsqttinstrumentpass.so); without it the call is a compile error. A
// name is a string literal, or something that can be traced back to literals at compile time; in OpenCL C, `__constant`.
// With a number of any integer type: no plugin is needed. A number is an id of 30 bits; an exit's number says nothing,
// exits always close the scope entered last. Id 0 is reserved: enter from 1.
//
// A value has 32 bits, or 64, which are two words of the trace, the low one first: integers, enumerations, pointers, and
// floating-point numbers by their bits; those of 16 bits by the bits of the `float` that they are.
//
// A record is written once per wave, whatever lanes are active. A value that differs between lanes is taken from the
// first active one.
//
// SQTT_ENABLED 0 or not defined, and in all code for the host: nothing of this reaches the program, and arguments are
// not evaluated.
#ifndef SQTT_MARKERS_H
#define SQTT_MARKERS_H

#ifndef SQTT_ENABLED
#define SQTT_ENABLED 0
#endif

#if SQTT_ENABLED && defined(__AMDGCN__)
#define SQTT_DETAIL_ON 1
#ifdef __SPIRV__
#error "sqtt: markers are instructions of a GPU, and amdgcnspirv is none: name GPUs (--offload-arch=gfx942), or leave SQTT_ENABLED at 0"
#endif
#else
#define SQTT_DETAIL_ON 0
#endif

// In HIP the host may call all of this, to no effect.
#if defined(__HIP__) || defined(__CUDA__)
#define SQTT_DETAIL_HD __attribute__((host, device))
#else
#define SQTT_DETAIL_HD
#endif

#ifdef __cplusplus
#define SQTT_DETAIL_CAST(type, value) static_cast<type>(value)
#define SQTT_DETAIL_ANY SQTT_DETAIL_HD
#else
#define SQTT_DETAIL_CAST(type, value) ((type)(value))
#define SQTT_DETAIL_ANY __attribute__((overloadable))
#endif

#if SQTT_DETAIL_ON || (defined(__clang__) && !defined(__cplusplus))

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"

#define SQTT_DETAIL_INLINE static inline SQTT_DETAIL_ANY __attribute__((always_inline, nodebug))

// The words of a value, as an integer of 32 or 64 bits.
#define SQTT_DETAIL_BITS(type, as, word)                                                                               \
  SQTT_DETAIL_INLINE word sqtt_detail_value(type value) {                                                              \
    union {                                                                                                            \
      as number;                                                                                                       \
      word bits;                                                                                                       \
    } both;                                                                                                            \
    both.number = SQTT_DETAIL_CAST(as, value);                                                                         \
    return both.bits;                                                                                                  \
  }
SQTT_DETAIL_BITS(int, int, __UINT32_TYPE__)
SQTT_DETAIL_BITS(unsigned, unsigned, __UINT32_TYPE__)
SQTT_DETAIL_BITS(long, __INT64_TYPE__, __UINT64_TYPE__)
SQTT_DETAIL_BITS(unsigned long, __UINT64_TYPE__, __UINT64_TYPE__)
SQTT_DETAIL_BITS(float, float, __UINT32_TYPE__)
#ifdef __OPENCL_VERSION__
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
SQTT_DETAIL_BITS(double, double, __UINT64_TYPE__)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
SQTT_DETAIL_BITS(half, float, __UINT32_TYPE__)
#endif
SQTT_DETAIL_BITS(const volatile __global void *, const volatile __global void *, __UINT64_TYPE__)
SQTT_DETAIL_BITS(const volatile __constant void *, const volatile __constant void *, __UINT64_TYPE__)
SQTT_DETAIL_BITS(const volatile __local void *, const volatile __local void *, __UINT32_TYPE__)
SQTT_DETAIL_BITS(const volatile __private void *, const volatile __private void *, __UINT32_TYPE__)
#define SQTT_DETAIL_NAME const __constant char *
#else
SQTT_DETAIL_BITS(long long, __INT64_TYPE__, __UINT64_TYPE__)
SQTT_DETAIL_BITS(unsigned long long, __UINT64_TYPE__, __UINT64_TYPE__)
SQTT_DETAIL_BITS(double, double, __UINT64_TYPE__)
#ifdef __FLT16_MANT_DIG__
SQTT_DETAIL_BITS(_Float16, float, __UINT32_TYPE__)
#endif
#ifdef __AMDGCN__
SQTT_DETAIL_BITS(__bf16, float, __UINT32_TYPE__)
#endif
SQTT_DETAIL_BITS(const volatile void *, const volatile void *, __UINT64_TYPE__)
#define SQTT_DETAIL_NAME const char *
#endif

#if SQTT_DETAIL_ON

// A call that the plugin replaces. One call is one record: it must not be merged with its like.
#define SQTT_DETAIL_SENTINEL(symbol)                                                                                   \
  __asm__(symbol) __attribute__((                                                                                      \
      nomerge, error("a marker with a name needs the plugin: add -fpass-plugin=PATH/libsqttinstrumentpass.so, or "     \
                     "leave markers out with -DSQTT_ENABLED=0")))

// What is wrong with an id is said where it is a constant.
#define SQTT_DETAIL_ID(id)                                                                                             \
  __attribute__((diagnose_if(SQTT_DETAIL_CAST(__UINT64_TYPE__, id) == 0,                                               \
                             "id 0 is reserved, decoders ignore such a marker: use an id from 1", "warning"),          \
                 diagnose_if(SQTT_DETAIL_CAST(__UINT64_TYPE__, id) > 0x3FFFFFFF,                                       \
                             "a marker's id has 30 bits: use one up to 1073741823", "error")))

// One record, which the plugin knows by its last words. LLVM puts no wait between a write of M0 and s_ttracedata, and
// believes s_ttracedata harmless in a wave whose lanes are all off; it keeps the branch around an asm. M0 is a fixed
// output, since LLVM rejects it as a clobber. The empty asm keeps LLVM 19's scheduler alive, which cannot do with nothing
// but debug information between two of its barriers. One block: the plugin looks for such.
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define SQTT_DETAIL_WAIT "s_nop 3"
#else
#define SQTT_DETAIL_WAIT "s_nop 0"
#endif
#define SQTT_DETAIL_RECORD(word)                                                                                       \
  {                                                                                                                    \
    unsigned short sqtt_m0;                                                                                            \
    __builtin_amdgcn_sched_barrier(0);                                                                                 \
    __asm__ volatile("s_mov_b32 m0, %1\n\t" SQTT_DETAIL_WAIT "\n\ts_ttracedata ; sqtt number"                          \
                     : "={m0}"(sqtt_m0)                                                                                \
                     : "s"(__builtin_amdgcn_readfirstlane(SQTT_DETAIL_CAST(int, word))));                              \
    __builtin_amdgcn_sched_barrier(0);                                                                                 \
    __asm__ volatile("");                                                                                              \
  }

// The exit, in the short form where the target has it.
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define SQTT_DETAIL_RECORD_EXIT                                                                                        \
  {                                                                                                                    \
    __builtin_amdgcn_sched_barrier(0);                                                                                 \
    __asm__ volatile("s_ttracedata_imm 1 ; sqtt number");                                                              \
    __builtin_amdgcn_sched_barrier(0);                                                                                 \
    __asm__ volatile("");                                                                                              \
  }
#else
#define SQTT_DETAIL_RECORD_EXIT SQTT_DETAIL_RECORD(1)
#endif

#define SQTT_DETAIL_NUMBER(type)                                                                                       \
  SQTT_DETAIL_INLINE void sqtt_marker_enter(type id) SQTT_DETAIL_ID(id) {                                              \
    SQTT_DETAIL_RECORD(SQTT_DETAIL_CAST(__UINT32_TYPE__, id) << 2 | 2u)                                                \
  }                                                                                                                    \
  SQTT_DETAIL_INLINE void sqtt_marker_point(type id) SQTT_DETAIL_ID(id) {                                              \
    SQTT_DETAIL_RECORD(SQTT_DETAIL_CAST(__UINT32_TYPE__, id) << 2)                                                     \
  }                                                                                                                    \
  SQTT_DETAIL_INLINE void sqtt_marker_exit(type id) {                                                                  \
    (void)id;                                                                                                          \
    SQTT_DETAIL_RECORD_EXIT                                                                                            \
  }
SQTT_DETAIL_INLINE void sqtt_marker_exit(void) { SQTT_DETAIL_RECORD_EXIT }

#else

#define SQTT_DETAIL_SENTINEL(symbol)
#define SQTT_DETAIL_NUMBER(type)                                                                                       \
  SQTT_DETAIL_ANY void sqtt_marker_enter(type id);                                                                     \
  SQTT_DETAIL_ANY void sqtt_marker_point(type id);                                                                     \
  SQTT_DETAIL_ANY void sqtt_marker_exit(type id);
SQTT_DETAIL_ANY void sqtt_marker_exit(void);

#endif

SQTT_DETAIL_NUMBER(int)
SQTT_DETAIL_NUMBER(unsigned)
SQTT_DETAIL_NUMBER(long)
SQTT_DETAIL_NUMBER(unsigned long)
#ifndef __OPENCL_VERSION__
SQTT_DETAIL_NUMBER(long long)
SQTT_DETAIL_NUMBER(unsigned long long)
#endif

SQTT_DETAIL_ANY void sqtt_marker_enter(SQTT_DETAIL_NAME name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_enter");
SQTT_DETAIL_ANY void sqtt_marker_exit(SQTT_DETAIL_NAME name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_exit");
SQTT_DETAIL_ANY void sqtt_marker_point(SQTT_DETAIL_NAME name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_point");
SQTT_DETAIL_ANY void sqtt_marker_data(SQTT_DETAIL_NAME name, __UINT32_TYPE__ value)
    SQTT_DETAIL_SENTINEL("__sqtt_named_marker_data");
SQTT_DETAIL_ANY void sqtt_marker_data(SQTT_DETAIL_NAME name, __UINT64_TYPE__ value)
    SQTT_DETAIL_SENTINEL("__sqtt_named_marker_data64");

#if SQTT_DETAIL_ON
// The conversion stands in the caller's line, and so does what the compiler says of the call.
#define sqtt_marker_data(name, ...) sqtt_marker_data(name, sqtt_detail_value(__VA_ARGS__))
#else
// C without markers: the compiler reads the arguments and evaluates none.
#define sqtt_marker_enter(...) ((void)sizeof((sqtt_marker_enter)(__VA_ARGS__), 0))
#define sqtt_marker_exit(...) ((void)sizeof((sqtt_marker_exit)(__VA_ARGS__), 0))
#define sqtt_marker_point(...) ((void)sizeof((sqtt_marker_point)(__VA_ARGS__), 0))
#define sqtt_marker_data(name, ...) ((void)sizeof((sqtt_marker_data)(name, sqtt_detail_value(__VA_ARGS__)), 0))
#endif

#pragma clang diagnostic pop

#elif defined(__cplusplus)

#define SQTT_DETAIL_INLINE static inline SQTT_DETAIL_ANY

namespace sqtt_detail {
// Stands behind `false &&`: the compiler reads the arguments, and emits neither them nor their literals.
template <typename... T> SQTT_DETAIL_INLINE bool not_evaluated(T...) { return false; }
} // namespace sqtt_detail

SQTT_DETAIL_INLINE void sqtt_marker_off(bool) {}

// For those who take an address.
SQTT_DETAIL_INLINE void sqtt_marker_enter(const char *) {}
SQTT_DETAIL_INLINE void sqtt_marker_exit(const char *) {}
SQTT_DETAIL_INLINE void sqtt_marker_point(const char *) {}
SQTT_DETAIL_INLINE void sqtt_marker_data(const char *, __UINT32_TYPE__) {}

#define sqtt_marker_enter(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))
#define sqtt_marker_exit(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))
#define sqtt_marker_point(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))
#define sqtt_marker_data(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))

#else

// C of another compiler, which makes no device code.
#define sqtt_marker_enter(...) ((void)0)
#define sqtt_marker_exit(...) ((void)0)
#define sqtt_marker_point(...) ((void)0)
#define sqtt_marker_data(...) ((void)0)

#endif

#endif // SQTT_MARKERS_H
