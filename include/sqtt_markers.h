// The markers under the names of RCCL's device code, so that a source with those names changes an include and no more.
//
//   #include "sqtt_markers.h"                         compile with -DSQTT_ENABLED=1
//
//   SQTT_MARKER_ENTER("load");  …  SQTT_MARKER_EXIT("load");     a scope
//   SQTT_MARKER_POINT("first tile");                             an event
//   SQTT_MARKER_DATA("tile", index);                             an event with a value
//   SQTT_SCOPED_MARKER("compute");                               a scope that ends with the block, in C++ alone
//
// markers.h and markers.hpp say what names and values may be.
#ifndef SQTT_SQTT_MARKERS_H
#define SQTT_SQTT_MARKERS_H

#ifdef __cplusplus
#include "markers.hpp"
#else
#include "markers.h"
#endif

#define SQTT_MARKER_ENTER(name) sqtt_marker_enter(name)
#define SQTT_MARKER_EXIT(name) sqtt_marker_exit(name)
#define SQTT_MARKER_POINT(name) sqtt_marker_point(name)
#define SQTT_MARKER_DATA(name, value) sqtt_marker_data(name, value)

#ifdef __cplusplus
#if SQTT_DETAIL_ON
#define SQTT_DETAIL_JOIN_EXPANDED(left, right) left##right
#define SQTT_DETAIL_JOIN(left, right) SQTT_DETAIL_JOIN_EXPANDED(left, right)
// A guard's name is its own, also where a macro expands to several guards on one line.
#define SQTT_SCOPED_MARKER(name) ::sqtt_scope SQTT_DETAIL_JOIN(sqtt_scoped_marker_, __COUNTER__)(name)
#else
// A guard would evaluate its name.
#define SQTT_SCOPED_MARKER(name) sqtt_marker_enter(name)
#endif
// The same, named like its neighbours.
#define SQTT_MARKER_SCOPED(name) SQTT_SCOPED_MARKER(name)
#endif

#endif // SQTT_SQTT_MARKERS_H
