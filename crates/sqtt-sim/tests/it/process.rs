//! Kernels on the memory of this process: modules that stay loaded, dispatches whose workgroups wait for each other.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::asm;
use sqtt_sim::{
    Arg, Counter, Fault, Host, Launch, Memory, Module, Options, Program, SimError, Target, launch,
    raw_streams,
};

const SOURCE: &str = r#"
#define GLOBAL extern "C" __attribute__((global))
typedef unsigned u32;
__attribute__((device)) u32 calls = 0;
__attribute__((device)) u32 *where = &calls;
__attribute__((device, noinline)) u32 twice(u32 x) { return 2 * x; }
__attribute__((device, noinline)) u32 thrice(u32 x) { return 3 * x; }
__attribute__((device)) u32 (*functions[2])(u32) = {twice, thrice};
static inline __attribute__((device)) u32 id() {
    return __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
}
GLOBAL void indirect(u32 *out) { out[id()] = functions[id() & 1](id()); }
GLOBAL void count(u32 *out) {
    if (id() == 0) { *where += 1; out[0] = calls; }
}
GLOBAL void later(u32 *out) {
    u32 group = __builtin_amdgcn_workgroup_id_x();
    if (__builtin_amdgcn_workitem_id_x() != 0) return;
    if (group == 0) {
        while (__atomic_load_n(&out[3], __ATOMIC_ACQUIRE) == 0) {}
        out[0] = out[3] + 1;
    } else if (group == 3) {
        __atomic_store_n(&out[3], 41, __ATOMIC_RELEASE);
    }
}
GLOBAL void slow(u32 *out) { __builtin_amdgcn_s_sleep(100); out[id()] = 1; }
GLOBAL void column(u32 *out) {
    __attribute__((shared)) static u32 tile[64 * 32];
    u32 lane = __builtin_amdgcn_workitem_id_x();
    tile[lane * 32] = lane;
    __builtin_amdgcn_s_barrier();
    out[lane] = tile[(63 - lane) * 32];
}
GLOBAL void tail(u32 *o, u32 *a, u32 *b, u32 *c, u32 *d, u32 *e, u32 *f, u32 x, u32 y, u32 z) {
    u32 t = id();
    o[t] = x + y * z + a[t] + b[t] + d[t] + e[t];
    c[t] = x + f[t];
}
"#;

fn module(target: Target, memory: &mut Memory) -> Module {
    let folder = tempfile::tempdir().unwrap();
    let (source, object) = (folder.path().join("process.hip"), folder.path().join("process.co"));
    std::fs::write(&source, SOURCE).unwrap();
    let output = Command::new(asm::clang())
        .args([
            "-x",
            "hip",
            "--cuda-device-only",
            "-nogpuinc",
            "-nogpulib",
            "--no-gpu-bundle-output",
            "-w",
            "-O2",
        ])
        .arg(format!("--offload-arch={target}"))
        .args([&source, Path::new("-o"), &object])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    memory.load(&Arc::new(Program::load(&std::fs::read(object).unwrap()).unwrap()))
}

/// Memory that kernels see, and its address.
fn map(memory: &mut Memory, words: &mut [u32], watched: bool) -> u64 {
    let start = words.as_mut_ptr().cast::<u8>();
    #[expect(unsafe_code, reason = "the tests lend their memory")]
    // SAFETY: every test keeps its words to its end, and does not touch them during a launch.
    unsafe {
        memory.map(start, 4 * words.len(), "the words".to_owned(), true, watched);
    }
    start.expose_provenance() as u64
}

fn go(memory: &mut Memory, module: &Module, what: &Launch) -> Result<(), SimError> {
    let options = Options::default().max_steps(100_000);
    let outcome = launch(memory, module, what, &options)?;
    outcome.stopped.map_or(Ok(()), Err)
}

#[test]
fn variables_and_functions_are_where_the_module_is() {
    for target in Target::ALL {
        let mut memory = Memory::of_process();
        let module = module(target, &mut memory);
        let mut words = vec![0; 128];
        let at = map(&mut memory, &mut words, false);
        let out = || vec![Arg::u64(at)];
        go(&mut memory, &module, &Launch::new("indirect", 2, 64, out())).unwrap();
        let expected: Vec<u32> = (0..128).map(|id| id * if id & 1 == 0 { 2 } else { 3 }).collect();
        assert_eq!(words, expected, "{target}");
        for calls in 1..=3 {
            go(&mut memory, &module, &Launch::new("count", 1, 64, out())).unwrap();
            assert_eq!(words[0], calls, "{target}");
        }
        let (address, size) = module.symbol("calls").unwrap();
        assert_eq!(size, 4);
        assert!(address > module.base() && memory.unmap(module.base()));
    }
}

#[test]
fn workgroups_of_a_cooperative_dispatch_wait_for_later_ones() {
    let mut memory = Memory::of_process();
    let module = module(Target::Gfx942, &mut memory);
    let mut words = vec![0; 8];
    let at = map(&mut memory, &mut words, false);
    let later = || Launch::new("later", 4, 64, vec![Arg::u64(at)]);
    let alone = go(&mut memory, &module, &later());
    assert!(matches!(alone, Err(SimError::Execution(error)) if matches!(error.cause, Fault::StepLimit(_))));
    words.fill(0);
    go(&mut memory, &module, &later().cooperative(true)).unwrap();
    assert_eq!((words[0], words[3]), (42, 41));
}

#[test]
fn the_last_scalar_load_may_reach_past_the_arguments() {
    for target in Target::ALL {
        let mut memory = Memory::of_process();
        let module = module(target, &mut memory);
        let mut words: Vec<u32> = (0..7 * 64).collect();
        let at = map(&mut memory, &mut words, false);
        let mut args: Vec<Arg> = (0..7).map(|k| Arg::u64(at + 256 * k)).collect();
        args.extend([Arg::u32(5), Arg::u32(6), Arg::u32(7)]);
        go(&mut memory, &module, &Launch::new("tail", 1, 64, args)).unwrap();
        let (a, b, d, e) = (64, 128, 256, 320);
        assert!((0..64u32).all(|t| words[t as usize] == 5 + 42 + a + b + d + e + 4 * t), "{target}");
    }
}

#[test]
fn a_read_of_what_nobody_wrote_is_told_with_its_place() {
    let mut memory = Memory::of_process();
    let module = module(Target::Gfx1100, &mut memory);
    let mut words = vec![0; 64];
    let at = map(&mut memory, &mut words, true);
    let count = || Launch::new("later", 1, 32, vec![Arg::u64(at)]);
    let error = go(&mut memory, &module, &count()).unwrap_err().to_string();
    assert!(
        error.contains("kernel later") && error.contains("byte 12 of the words was never written"),
        "{error}"
    );
    words[3] = 1;
    memory.mark_written(at, 16);
    go(&mut memory, &module, &count()).unwrap();
    assert_eq!(words[0], 2);
}

#[test]
fn the_host_serves_waves_while_they_wait() {
    let mut memory = Memory::of_process();
    let module = module(Target::Gfx942, &mut memory);
    let words = Box::leak(vec![0; 8].into_boxed_slice());
    let at = map(&mut memory, words, false);
    let host = Host::new(move || {
        #[expect(unsafe_code, reason = "the host looks at the memory that it shares with kernels")]
        // SAFETY: the words live on; the host is called between the turns of waves.
        unsafe {
            std::ptr::with_exposed_provenance_mut::<u32>(at as usize + 12).write_volatile(7);
        }
    });
    let options = Options::default().host(host).waves(false);
    let what = Launch::new("later", 1, 64, vec![Arg::u64(at)]);
    let outcome = launch(&mut memory, &module, &what, &options).unwrap();
    assert!(outcome.stopped.is_none());
    let counts = outcome.result.counts;
    assert!(outcome.result.waves.is_empty() && counts.of(Counter::VmemRead) > 1);
    assert_eq!((counts.of(Counter::VmemWrite), outcome.result.instructions), (1, counts.all()));
    assert_eq!(words[0], 8);
}

#[test]
fn columns_of_lds_conflict_and_are_counted_on_request() {
    // All lanes of a phase of 32 want the one bank: 31 cycles too many, in two phases, for a write and a read.
    for (target, block, expected) in [(Target::Gfx942, 64, 124), (Target::Gfx1100, 32, 62)] {
        let mut memory = Memory::of_process();
        let module = module(target, &mut memory);
        let mut words = vec![0; 64];
        let at = map(&mut memory, &mut words, false);
        let what = Launch::new("column", 2, block, vec![Arg::u64(at)]);
        for (asked, cycles) in [(true, 2 * expected), (false, 0)] {
            let options = Options::default().lds_conflicts(asked);
            let counts = launch(&mut memory, &module, &what, &options).unwrap().result.counts;
            assert_eq!((counts.lds_conflict_cycles(), counts.waves()), (cycles, 2), "{target}");
        }
    }
}

#[test]
fn a_trace_of_more_workgroups_side_by_side_than_there_are_places_is_refused() {
    let mut memory = Memory::of_process();
    let module = module(Target::Gfx942, &mut memory);
    let mut words = vec![0; 65 * 64];
    let at = map(&mut memory, &mut words, false);
    for (groups, has_room) in [(64, true), (65, false)] {
        let what = Launch::new("slow", groups, 64, vec![Arg::u64(at)]).cooperative(true);
        let outcome = launch(&mut memory, &module, &what, &Options::default()).unwrap();
        let streams = raw_streams(module.program(), "slow", &outcome.result);
        match streams {
            Ok(_) => assert!(has_room),
            Err(error) => {
                assert!(!has_room && error.to_string().contains("room for 64 workgroups"), "{error}");
            }
        }
    }
}
