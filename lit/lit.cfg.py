# One run of these tests is one LLVM and the plugin built for it:
#
#   lit -D llvm=22 -D plugin=target/debug/libsqttinstrumentpass.so lit
#
# `cargo test --test lit` runs them on 22 and 19.
import os
import sys

import lit.formats

llvm = lit_config.params.get("llvm", "22")
plugin = os.path.abspath(lit_config.params["plugin"])
bin_dir = os.path.join(os.environ.get("LLVM_ROOT", f"/usr/lib/llvm-{llvm}"), "bin")
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
inputs = os.path.join(root, "lit", "Inputs")

config.name = f"llvm{llvm}"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".hip", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(root, "lit")
config.test_exec_root = lit_config.params.get("out", os.path.join(root, "target", "lit", llvm))
config.available_features = {f"llvm{llvm}"}

# The plugin reads every SQTT_ variable: none comes from outside.
config.environment = {name: value for name, value in config.environment.items() if not name.startswith("SQTT_")}
# Every wave records and nothing stands around a marker unless a test asks for it: filter and boundary have their own.
config.environment["SQTT_SCOPE_CU"] = "-1"
config.environment["SQTT_MEM_BARRIER"] = "none"
config.environment["PATH"] = bin_dir + os.pathsep + config.environment["PATH"]


def tool(name):
    return os.path.join(bin_dir, name)


opt = f"{tool('opt')} -load-pass-plugin={plugin} -verify-each"
hip = f"-x hip --cuda-device-only -nogpuinc -nogpulib -Wall -Wextra -Werror -I {root}/include -include {inputs}/hip.hpp"

# Longest first: lit replaces in order, and %opt is the start of others.
config.substitutions = [
    # Both phases and nothing else.
    ("%phases", f"{opt} -passes='sqtt-early,verify,sqtt-late,verify' -S"),
    ("%early", f"{opt} -passes='sqtt-early,verify' -S"),
    ("%late", f"{opt} -passes='sqtt-late,verify' -S"),
    # A whole pipeline, as clang runs it.
    *((f"%O{level}", f"{opt} -passes='default<O{level}>' -S") for level in range(4)),
    ("%plainopt", tool("opt")),
    ("%opt", opt),
    # Device code to IR or assembly: %hip{O2} --offload-arch=gfx1100 -S …
    *((f"%hip{{O{level}}}", f"{tool('clang')} {hip} -O{level} -DSQTT_ENABLED=1 -fpass-plugin={plugin}") for level in range(4)),
    ("%plainhip", f"{tool('clang')} {hip}"),
    ("%llc", f"{tool('llc')} -verify-machineinstrs"),
    ("%clang", tool("clang")),
    ("%lld", tool("ld.lld")),
    ("%llvm-", tool("llvm-")),
    ("%FileCheck", f"{tool('FileCheck')} --dump-input=fail --allow-unused-prefixes=false"),
    # Nothing but what the checks name: no other marker, no sentinel left; %known: no fallback name either.
    ("%only", "--implicit-check-not='call{{.*}}ttracedata' --implicit-check-not='call{{.*}}sqtt_'"),
    ("%known", "--implicit-check-not='unnamed marker'"),
    ("%python", sys.executable),
    ("%plugin", plugin),
    ("%inputs", inputs),
    ("%root", root),
]
