// A setting that the ids exclude is an error that names the accepted ones.
// RUN: env SQTT_ID_SPACE=link not %hip{O0} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=LINK
// RUN: env SQTT_ID_SPACE=link not %hip{O2} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=LINK
// RUN: env SQTT_SHADER_CLOCK_BITS=12 not %hip{O2} -fgpu-rdc --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=CLOCK
// RUN: env SQTT_SHADER_CLOCK_BITS=12 SQTT_ID_SPACE=unit not %hip{O2} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=CLOCK
// RUN: env SQTT_ID_SPACE=units not %hip{O2} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=VALUE
// RUN: env SQTT_UNIT_SALT=x not %hip{O2} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s --check-prefix=SALT
// RUN: env SQTT_SHADER_CLOCK_BITS=12 SQTT_ID_SPACE=link %hip{O2} -fgpu-rdc --offload-arch=gfx1201 -c --no-gpu-bundle-output %s -o %t.co 2>&1 | count 0

// LINK: error: sqtt: SQTT_ID_SPACE=link: this compile makes code, which is not numbered at a link any more; accepted without -fgpu-rdc: auto, compact or unit
// CLOCK: error: sqtt: SQTT_SHADER_CLOCK_BITS=12: a shader clock leaves no room for ids that are unique among units; accepted with it: SQTT_ID_SPACE=link, or compact where one unit alone has markers
// VALUE: error: sqtt: SQTT_ID_SPACE=units: accepted: auto, compact, unit or link
// SALT: error: sqtt: SQTT_UNIT_SALT=x: accepted: a number from 0 to 4294967295

#include "markers.hpp"
extern "C" __global__ void k(int *) { sqtt_scope guard("one"); }
