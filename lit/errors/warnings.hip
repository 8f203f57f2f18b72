// Names of warnings: each can be silenced, is an error with -Werror, and a warning again where that is asked for.
// RUN: not %hip{O0} --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=ERROR
// RUN: not %hip{O2} --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=ERROR
// RUN: not %hip{O2} -Wno-inline-asm --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=PLUGIN
// RUN: not %hip{O2} -Wno-backend-plugin --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=ASM
// RUN: %hip{O0} -Wno-inline-asm -Wno-backend-plugin --offload-arch=gfx1100 -S %s -o /dev/null 2> %t.none
// RUN: %hip{O2} -Wno-inline-asm -Wno-backend-plugin --offload-arch=gfx1100 -S %s -o /dev/null 2>> %t.none
// RUN: %hip{O2} -g -Wno-inline-asm -Wno-backend-plugin --offload-arch=gfx1100 -S %s -o /dev/null 2>> %t.none
// RUN: count 0 < %t.none
// RUN: %hip{O0} -Wno-error=inline-asm -Wno-error=backend-plugin --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=WARN
// RUN: %hip{O2} -Wno-error=inline-asm -Wno-error=backend-plugin --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=WARN

// ERROR-DAG: error: sqtt: the name of this marker {{.*}}[-Werror,-Winline-asm]
// ERROR-DAG: error: sqtt: function k: {{.*}}[-Werror,-Wbackend-plugin]
// PLUGIN-NOT: inline-asm
// PLUGIN: [-Werror,-Wbackend-plugin]
// PLUGIN-NOT: inline-asm
// ASM-NOT: backend-plugin
// ASM: [-Werror,-Winline-asm]
// ASM-NOT: backend-plugin
// WARN-DAG: warning: sqtt: the name of this marker {{.*}}[-Winline-asm]
// WARN-DAG: warning: sqtt: function k: {{.*}}[-Wbackend-plugin]

#include "markers.hpp"

__device__ inline void wrapper(int id) { sqtt_marker_enter(id); }

extern "C" __global__ void k(const char *name) {
  sqtt_marker_point(name);
  wrapper(0);
  sqtt_marker_exit();
}
