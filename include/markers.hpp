// Markers for AMD GPU thread traces (SQTT), for HIP and C++: what markers.h has, enumerations of C++, and guards.
//
//   #include "markers.hpp"                            compile with -DSQTT_ENABLED=1
//
//   sqtt_scope guard("compute");                                 a scope that ends with the block
//
// Functions and lambdas for host and device may have markers: they record on the device and do nothing on the host.
#ifndef SQTT_MARKERS_HPP
#define SQTT_MARKERS_HPP

#include "markers.h"

// `sqtt_scope("name");` ends at once, and its scope is empty.
#if __cplusplus >= 201703L
#define SQTT_DETAIL_NODISCARD [[nodiscard]]
#else
#define SQTT_DETAIL_NODISCARD
#endif

#if SQTT_DETAIL_ON

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"

namespace sqtt_detail {

template <bool, typename Type> struct type_if {};
template <typename Type> struct type_if<true, Type> {
  typedef Type type;
};
// Integers and enumerations, but no pointers: sqtt_scope guard(0) is a number.
template <typename Type> struct if_number : type_if<__is_integral(Type) || __is_enum(Type), void> {};
template <typename Type> struct if_enum : type_if<__is_enum(Type), void> {};
template <typename Type> const Type &any();
// Enumerations that become no number by themselves.
template <typename Type, bool = __is_enum(Type)> struct is_scoped {
  static const bool value = false;
};
template <typename Type> struct is_scoped<Type, true> {
  static const bool value = !__is_convertible_to(Type, __UINT64_TYPE__);
};

// Values that C has no type for, as what the plugin knows: a class of one member is passed as that member.
struct value32 {
  __UINT32_TYPE__ bits;
  template <typename Type, typename type_if<is_scoped<Type>::value && sizeof(Type) <= 4, int>::type = 0>
  SQTT_DETAIL_HD value32(Type value) : bits(static_cast<__UINT32_TYPE__>(value)) {}
};
struct value64 {
  __UINT64_TYPE__ bits;
  template <typename Type, typename type_if<is_scoped<Type>::value && sizeof(Type) == 8, int>::type = 0>
  SQTT_DETAIL_HD value64(Type value) : bits(static_cast<__UINT64_TYPE__>(value)) {}
  template <typename Result, typename... Arguments>
  SQTT_DETAIL_HD value64(Result (*function)(Arguments...)) : bits(reinterpret_cast<__UINT64_TYPE__>(function)) {}
};
// HIP's classes of 16-bit floating-point numbers.
template <typename Type, typename = decltype(any<Type>().operator float())>
struct if_half : type_if<sizeof(Type) == 2, void> {};

} // namespace sqtt_detail

SQTT_DETAIL_DATA(sqtt_detail::value32, "__sqtt_named_marker_data")
SQTT_DETAIL_DATA(sqtt_detail::value64, "__sqtt_named_marker_data_i64")

template <typename Type>
SQTT_DETAIL_INLINE typename sqtt_detail::if_half<Type>::type sqtt_marker_data(const char *name, const Type &value) {
  sqtt_marker_data(name, value.operator float());
}

template <typename Type>
SQTT_DETAIL_INLINE typename sqtt_detail::if_enum<Type>::type sqtt_marker_enter(Type id) SQTT_DETAIL_ID(id) {
  SQTT_DETAIL_RECORD(static_cast<__UINT32_TYPE__>(id) << 2 | 2u)
}

template <typename Type>
SQTT_DETAIL_INLINE typename sqtt_detail::if_enum<Type>::type sqtt_marker_point(Type id) SQTT_DETAIL_ID(id) {
  SQTT_DETAIL_RECORD(static_cast<__UINT32_TYPE__>(id) << 2)
}

template <typename Type> SQTT_DETAIL_INLINE typename sqtt_detail::if_enum<Type>::type sqtt_marker_exit(Type) {
  SQTT_DETAIL_RECORD_EXIT
}

// A scope that is entered here and left at the end of the block.
class SQTT_DETAIL_NODISCARD sqtt_scope {
public:
  SQTT_DETAIL_HD explicit sqtt_scope(const char *name) SQTT_DETAIL_SENTINEL("__sqtt_named_scope_enter");
  template <typename Type, typename = typename sqtt_detail::if_number<Type>::type>
  SQTT_DETAIL_HD __attribute__((always_inline, nodebug)) explicit sqtt_scope(Type id) SQTT_DETAIL_ID(id) {
    SQTT_DETAIL_RECORD(static_cast<__UINT32_TYPE__>(id) << 2 | 2u)
  }
  SQTT_DETAIL_HD __attribute__((always_inline, nodebug)) ~sqtt_scope() { SQTT_DETAIL_RECORD_EXIT }
  sqtt_scope(const sqtt_scope &) = delete;
  sqtt_scope &operator=(const sqtt_scope &) = delete;
};

#pragma clang diagnostic pop

#else

// No destructor: it would be something to clean up where exceptions pass.
class SQTT_DETAIL_NODISCARD __attribute__((unused)) sqtt_scope {
public:
  template <typename Type>
  SQTT_DETAIL_CONSTEXPR SQTT_DETAIL_HD __attribute__((always_inline)) explicit sqtt_scope(const Type &) {}
  sqtt_scope(const sqtt_scope &) = delete;
  sqtt_scope &operator=(const sqtt_scope &) = delete;
};

#endif

#endif // SQTT_MARKERS_HPP
