// Markers for AMD GPU thread traces (SQTT), for device code in HIP.
//
//   #include "markers.hpp"                            compile with -DSQTT_ENABLED=1
//
//   sqtt_marker_enter("load");  …  sqtt_marker_exit("load");     a scope
//   sqtt_marker_point("first tile");                             an event
//   sqtt_marker_data("tile", index);                             an event with a 32-bit value
//   sqtt_scope guard("compute");                                 a scope that ends with the block
//
// With a name: the plugin is needed (-fpass-plugin=libsqttinstrumentpass.so); without it the link fails on
// __sqtt_named_marker_*. A name is a string literal, or something that can be traced back to literals at compile time.
// With a number of any integer type: no plugin is needed. A number is an id of 30 bits; an exit's number says nothing,
// exits always close the scope entered last. Id 0 is reserved: enter from 1.
//
// A record is written once per wave, whatever lanes are active. A value that differs between lanes is taken from the
// first active one.
//
// SQTT_ENABLED 0 or not defined: nothing of this reaches the program, and arguments are not evaluated.
#ifndef SQTT_MARKERS_HPP
#define SQTT_MARKERS_HPP

#ifndef SQTT_ENABLED
#define SQTT_ENABLED 0
#endif

#if SQTT_ENABLED

#define SQTT_DETAIL_DEVICE __attribute__((device))
#define SQTT_DETAIL_INLINE static inline __attribute__((device, always_inline))
// Calls that the plugin replaces. One call is one record: it must not be merged with its like.
#define SQTT_DETAIL_SENTINEL(symbol) __asm__(symbol) __attribute__((nomerge))

SQTT_DETAIL_DEVICE void sqtt_marker_enter(const char *name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_enter");
SQTT_DETAIL_DEVICE void sqtt_marker_exit(const char *name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_exit");
SQTT_DETAIL_DEVICE void sqtt_marker_point(const char *name) SQTT_DETAIL_SENTINEL("__sqtt_named_marker_point");
SQTT_DETAIL_DEVICE void sqtt_marker_data(const char *name, __UINT32_TYPE__ data)
    SQTT_DETAIL_SENTINEL("__sqtt_named_marker_data");

namespace sqtt_detail {

// One record. LLVM believes s_ttracedata harmless in a wave whose lanes are all off and may run it there; the empty
// asm beside it keeps the branch that skips it. The one behind keeps LLVM 19's scheduler alive, which cannot do with
// nothing but debug information between two of its barriers.
SQTT_DETAIL_INLINE void record(__UINT32_TYPE__ word) {
#if defined(__AMDGCN__)
  __builtin_amdgcn_sched_barrier(0);
  __asm__ volatile("");
  __builtin_amdgcn_s_ttracedata(static_cast<int>(word));
  __builtin_amdgcn_sched_barrier(0);
  __asm__ volatile("");
#else
  (void)word;
#endif
}

// The exit, in the short form where the target has it.
SQTT_DETAIL_INLINE void record_exit() {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  __builtin_amdgcn_sched_barrier(0);
  __asm__ volatile("");
  __builtin_amdgcn_s_ttracedata_imm(1);
  __builtin_amdgcn_sched_barrier(0);
  __asm__ volatile("");
#else
  record(1u);
#endif
}

// Integers and enumerations, but no pointers: sqtt_marker_exit(0) is a number.
template <bool> struct number_only {};
template <> struct number_only<true> {
  typedef void type;
};
template <typename T> struct if_number : number_only<__is_integral(T) || __is_enum(T)> {};

} // namespace sqtt_detail

template <typename T> SQTT_DETAIL_INLINE typename sqtt_detail::if_number<T>::type sqtt_marker_enter(T id) {
  sqtt_detail::record((static_cast<__UINT32_TYPE__>(id) << 2) | 2u);
}

template <typename T> SQTT_DETAIL_INLINE typename sqtt_detail::if_number<T>::type sqtt_marker_point(T id) {
  sqtt_detail::record(static_cast<__UINT32_TYPE__>(id) << 2);
}

SQTT_DETAIL_INLINE void sqtt_marker_exit() { sqtt_detail::record_exit(); }

template <typename T> SQTT_DETAIL_INLINE typename sqtt_detail::if_number<T>::type sqtt_marker_exit(T) {
  sqtt_detail::record_exit();
}

// A scope that is entered here and left at the end of the block.
class sqtt_scope {
public:
  SQTT_DETAIL_DEVICE __attribute__((always_inline)) explicit sqtt_scope(const char *name) { sqtt_marker_enter(name); }
  template <typename T, typename = typename sqtt_detail::if_number<T>::type>
  SQTT_DETAIL_DEVICE __attribute__((always_inline)) explicit sqtt_scope(T id) {
    sqtt_marker_enter(id);
  }
  SQTT_DETAIL_DEVICE __attribute__((always_inline)) ~sqtt_scope() { sqtt_marker_exit(); }
  sqtt_scope(const sqtt_scope &) = delete;
  sqtt_scope &operator=(const sqtt_scope &) = delete;
};

#undef SQTT_DETAIL_DEVICE
#undef SQTT_DETAIL_INLINE
#undef SQTT_DETAIL_SENTINEL

#else // !SQTT_ENABLED

#define SQTT_DETAIL_OFF static inline __attribute__((host, device, always_inline))

namespace sqtt_detail {
// Stands behind `false &&`: the compiler reads the arguments, and emits neither them nor their literals.
template <typename... T> SQTT_DETAIL_OFF bool not_evaluated(T...) { return false; }
} // namespace sqtt_detail

SQTT_DETAIL_OFF void sqtt_marker_off(bool) {}

// For those who take an address.
SQTT_DETAIL_OFF void sqtt_marker_enter(const char *) {}
SQTT_DETAIL_OFF void sqtt_marker_exit(const char *) {}
SQTT_DETAIL_OFF void sqtt_marker_point(const char *) {}
SQTT_DETAIL_OFF void sqtt_marker_data(const char *, __UINT32_TYPE__) {}

#define sqtt_marker_enter(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))
#define sqtt_marker_exit(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))
#define sqtt_marker_point(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))
#define sqtt_marker_data(...) sqtt_marker_off(false && ::sqtt_detail::not_evaluated(__VA_ARGS__))

#undef SQTT_DETAIL_OFF

class sqtt_scope {
public:
  template <typename T> __attribute__((host, device, always_inline)) explicit sqtt_scope(const T &) {}
  __attribute__((host, device, always_inline)) ~sqtt_scope() {}
  sqtt_scope(const sqtt_scope &) = delete;
  sqtt_scope &operator=(const sqtt_scope &) = delete;
};

#endif // SQTT_ENABLED

#endif // SQTT_MARKERS_HPP
