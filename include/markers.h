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

// In a compile of HIP the macros of the GPU are there in the host's half, too.
#if defined(__HIP__) || defined(__CUDA__)
#define SQTT_DETAIL_HD __attribute__((host, device))
#ifdef __HIP_DEVICE_COMPILE__
#define SQTT_DETAIL_DEVICE 1
#endif
#else
#define SQTT_DETAIL_HD
#ifdef __AMDGCN__
#define SQTT_DETAIL_DEVICE 1
#endif
#endif

#if SQTT_ENABLED && defined(SQTT_DETAIL_DEVICE)
#define SQTT_DETAIL_ON 1
#ifdef __SPIRV__
#error "sqtt: markers are instructions of a GPU, and amdgcnspirv is none: name GPUs (--offload-arch=gfx942), or leave SQTT_ENABLED at 0"
#endif
#else
#define SQTT_DETAIL_ON 0
#endif

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_CPP_VERSION__)
#define SQTT_DETAIL_OPENCL
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

#ifdef SQTT_DETAIL_OPENCL
#define SQTT_DETAIL_NAME const __constant char *
#else
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
#ifndef SQTT_DETAIL_OPENCL
SQTT_DETAIL_NUMBER(long long)
SQTT_DETAIL_NUMBER(unsigned long long)
#endif

SQTT_DETAIL_ANY void sqtt_marker_enter(SQTT_DETAIL_NAME name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_enter");
SQTT_DETAIL_ANY void sqtt_marker_exit(SQTT_DETAIL_NAME name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_exit");
SQTT_DETAIL_ANY void sqtt_marker_point(SQTT_DETAIL_NAME name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_point");

// The plugin makes words of values; it knows the type by the symbol.
#define SQTT_DETAIL_DATA(type, symbol)                                                                                 \
  SQTT_DETAIL_ANY void sqtt_marker_data(SQTT_DETAIL_NAME name, type value) SQTT_DETAIL_SENTINEL(symbol);
SQTT_DETAIL_DATA(int, "__sqtt_named_marker_data")
SQTT_DETAIL_DATA(unsigned, "__sqtt_named_marker_data")
SQTT_DETAIL_DATA(long, "__sqtt_named_marker_data_i64")
SQTT_DETAIL_DATA(unsigned long, "__sqtt_named_marker_data_i64")
SQTT_DETAIL_DATA(float, "__sqtt_named_marker_data_f32")
#ifdef SQTT_DETAIL_OPENCL
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
SQTT_DETAIL_DATA(double, "__sqtt_named_marker_data_f64")
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
SQTT_DETAIL_DATA(half, "__sqtt_named_marker_data_f16")
#endif
SQTT_DETAIL_DATA(const volatile __global void *, "__sqtt_named_marker_data_p1")
SQTT_DETAIL_DATA(const volatile __local void *, "__sqtt_named_marker_data_p3")
SQTT_DETAIL_DATA(const volatile __constant void *, "__sqtt_named_marker_data_p4")
SQTT_DETAIL_DATA(const volatile __private void *, "__sqtt_named_marker_data_p5")
#else
SQTT_DETAIL_DATA(long long, "__sqtt_named_marker_data_i64")
SQTT_DETAIL_DATA(unsigned long long, "__sqtt_named_marker_data_i64")
SQTT_DETAIL_DATA(double, "__sqtt_named_marker_data_f64")
#ifdef __FLT16_MANT_DIG__
SQTT_DETAIL_DATA(_Float16, "__sqtt_named_marker_data_f16")
#endif
#if defined(SQTT_DETAIL_DEVICE) && __clang_major__ >= 18
SQTT_DETAIL_DATA(__bf16, "__sqtt_named_marker_data_bf16")
#endif
SQTT_DETAIL_DATA(const volatile void *, "__sqtt_named_marker_data_p0")
#endif

#if !SQTT_DETAIL_ON
// C without markers: the compiler reads the arguments and evaluates none.
#define sqtt_marker_enter(...) ((void)sizeof((sqtt_marker_enter)(__VA_ARGS__), 0))
#define sqtt_marker_exit(...) ((void)sizeof((sqtt_marker_exit)(__VA_ARGS__), 0))
#define sqtt_marker_point(...) ((void)sizeof((sqtt_marker_point)(__VA_ARGS__), 0))
#define sqtt_marker_data(...) ((void)sizeof((sqtt_marker_data)(__VA_ARGS__), 0))
#endif

#pragma clang diagnostic pop

#elif defined(__cplusplus)

// So that functions of constant expressions may have markers, too. C++11 has none without a result.
#if __cplusplus >= 201402L
#define SQTT_DETAIL_CONSTEXPR constexpr
#else
#define SQTT_DETAIL_CONSTEXPR
#endif
#define SQTT_DETAIL_INLINE static inline SQTT_DETAIL_CONSTEXPR SQTT_DETAIL_ANY __attribute__((always_inline))

namespace sqtt_detail {
// Stands behind `false &&`: the compiler reads the arguments, and emits neither them nor their literals.
template <typename... Types> SQTT_DETAIL_INLINE bool not_evaluated(Types...) { return false; }
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
