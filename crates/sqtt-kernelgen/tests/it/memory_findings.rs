//! From a kernel's source to memory findings: compiled with the plugin, run in the simulator, written as a trace
//! folder, and read by `sqtt_decoder::memory`. Every lane has the address that the simulator accessed, structured
//! buffers included, and the costs are those of the source's patterns.

use std::collections::BTreeMap;
use std::path::Path;

use crate::compiled;
use sqtt_decoder::Filter;
use sqtt_decoder::memory::{Collector, MarkerRow, MemoryOptions, MemorySummary, Operation};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{LoadOptions, SlotId, Trace, discover};
use sqtt_decoder::write::NewFolder;
use sqtt_kernelgen::toolchain::{Build, Llvm, Plugin};
use sqtt_sim::{Access, AccessKind, Arg, Launch, Options, Program, RunResult, Target, run, write_trace};

const SOURCE: &str = r#"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
typedef int words __attribute__((ext_vector_type(4)));
__device__ int struct_load(words, int, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.i32");
__device__ words struct_load_4(words, int, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.v4i32");
__device__ void struct_store(int, words, int, int, int, int) __asm("llvm.amdgcn.struct.buffer.store.i32");
__device__ int raw_load(words, int, int, int) __asm("llvm.amdgcn.raw.buffer.load.i32");

extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(64, 64)))
void kern(int *in, int *out, int strides, int flags) {
  __shared__ int tile[64 * 32];
  int lane = __builtin_amdgcn_workitem_id_x();
  unsigned long base = (unsigned long)in;
  words structures = {(int)base, (int)(base >> 32 & 0xffff) | strides << 16, 64, flags};
  words raw = {(int)base, (int)(base >> 32 & 0xffff), 4096, flags};
  int sum = in[lane];                                        // unit
  sum += in[lane * 16];                                      // column
  sum += struct_load(structures, lane, 4, 0, 0);             // structures
  words wide = struct_load_4(structures, lane ^ 5, 0, 16, 0);  // wide structures
  sum += wide.x ^ wide.y ^ wide.z ^ wide.w;
  sum += raw_load(raw, lane * 8, 12, 0);                     // raw
  tile[lane * 32] = sum;                                     // conflicts
  __builtin_amdgcn_s_barrier();
  sum += tile[(lane ^ 1) * 32];                              // conflicts again
  sum += __builtin_amdgcn_ds_bpermute((lane ^ 3) * 4, sum);  // permute
  if (lane & 1)
    struct_store(sum, structures, lane, 8, 0, 0);            // half
  out[lane] = sum;                                           // result
}
"#;

/// Bytes of a structure.
const STRIDE: u32 = 48;

struct Traced {
    result: RunResult,
    folder: Trace,
    summary: MemorySummary,
}

fn trace(target: Target, root: &Path) -> Traced {
    let settings = vec![("SQTT_TRACE_ADDRESSES", "memory,lds".to_owned())];
    let path = Llvm::V22.plugin().to_owned();
    let build = Build {
        llvm: Llvm::V22,
        target,
        wave: if target.generation() == 9 { 64 } else { 32 },
        opt: 2,
        debug: true,
        markers: true,
        plugin: Some(Plugin { path, settings }),
    };
    let object = compiled(SOURCE, &build);
    let program = Program::load(&object).expect("an object that the simulator can run");
    // Structured bounds: only the index is checked.
    let flags = if target.generation() == 9 { 0x0002_7000 } else { 0x1002_7000 };
    let input: Vec<u32> = (0..1024).collect();
    let args = vec![Arg::words(&input), Arg::words(&[0; 64]), Arg::u32(STRIDE), Arg::u32(flags)];
    let options = Options::default().accesses(true);
    let result = run(&program, &Launch::new("kern", 1, 64, args), &options).expect("a run");
    let traced = root.join("traced");
    let new = NewFolder::create(&traced).expect("a new folder");
    write_trace(new, &object, &program, "kern", &result).expect("a trace folder");
    let found = discover(&[traced]).expect("what was written");
    let catalog = Catalog::read(&found.code_objects);
    let source = found.traces().next().expect("a trace");
    let folder = source.load(&catalog, LoadOptions::default());
    let mut collector = Collector::new(MemoryOptions::default());
    let ledger = collector.add_folder(&folder, &Filter::default(), sqtt_decoder::Threads::new(2));
    assert!(ledger.is_lossless(), "{target}: {ledger}");
    Traced { result, folder, summary: collector.into_summary() }
}

/// An operation: its line in the source, its width, and lanes with addresses.
type Done = (usize, u32, Vec<(u32, u64)>);

/// The operations of each wave.
fn operations(folder: &Trace) -> BTreeMap<SlotId, Vec<Done>> {
    let mut all: BTreeMap<SlotId, Vec<_>> = BTreeMap::new();
    folder.decode(&Filter::default(), |wave, stream| {
        while let Some(event) = stream.next() {
            let Some(operation) = Operation::of(wave, &event, folder.gfxip) else { continue };
            assert_eq!(operation.no_address(), None);
            let lanes =
                operation.lanes().map(|lane| (lane.lane, lane.address.expect("an address"))).collect();
            let location = String::from_utf8_lossy(operation.entry.source_loc().expect("-g")).into_owned();
            let line = location.rsplit(':').next().and_then(|line| line.parse().ok()).expect("a line");
            all.entry(wave.slot).or_default().push((line, operation.access_bytes.expect("a width"), lanes));
        }
    });
    all
}

/// The line of the source that ends in this comment.
fn line_of(comment: &str) -> usize {
    let ends = |line: &str| line.trim_end().ends_with(&format!("// {comment}"));
    SOURCE.lines().position(ends).expect("a line of the source") + 1
}

fn row<'a>(summary: &'a MemorySummary, comment: &str) -> &'a MarkerRow {
    let end = format!(":{}", line_of(comment));
    let rows = summary.lines.iter();
    rows.clone()
        .find(|row| row.source.as_ref().is_some_and(|source| source.ends_with(end.as_bytes())))
        .unwrap_or_else(|| {
            panic!("{comment} is none of {:?}", rows.map(|row| &row.source).collect::<Vec<_>>())
        })
}

#[test]
fn addresses_are_those_that_were_accessed() {
    for target in [Target::Gfx942, Target::Gfx1030, Target::Gfx1100, Target::Gfx1200] {
        let root = tempfile::tempdir().expect("a temporary folder");
        let Traced { result, folder, summary } = trace(target, root.path());
        let operations = operations(&folder);
        let mut compared = 0;
        for wave in &result.waves {
            let slot =
                SlotId { se: wave.se, cu: wave.cu as u16, simd: wave.simd as u8, slot: wave.slot as u8 };
            let own = &operations[&slot];
            // The kernel's arguments come by scalar loads, which nobody traces.
            let vector = |access: &&Access| access.kind != AccessKind::ScalarLoad;
            let accesses: Vec<&Access> = wave.accesses.iter().filter(vector).collect();
            assert_eq!(own.len(), accesses.len(), "{target}");
            for ((line, bytes, lanes), access) in own.iter().zip(accesses) {
                assert_eq!((*bytes, lanes), (access.width, &access.lanes), "{target}: line {line}");
                compared += lanes.len();
            }
        }
        // Ten operations of 64 lanes, one of them by half.
        assert_eq!(compared, 10 * 64 - 32, "{target}");

        let waves = result.waves.len() as u64;
        let unit = row(&summary, "unit");
        assert_eq!(
            (unit.operations, unit.access_bytes, unit.efficiency),
            (waves, Some(4), Some(1.0)),
            "{target}"
        );
        assert_eq!(unit.strides.common, [(4, waves)], "{target}");
        let column = row(&summary, "column");
        assert_eq!((column.strides.common[0].0, column.efficiency), (64, Some(4.0 / 64.0)), "{target}");
        let structures = row(&summary, "structures");
        assert_eq!(structures.strides.common, [(i64::from(STRIDE), waves)], "{target}");
        assert_eq!(row(&summary, "wide structures").access_bytes, Some(16), "{target}");
        let half = row(&summary, "half");
        assert_eq!((half.active_lanes.sum, half.active_lanes.possible), (32, 64), "{target}");
        // All lanes of a column of LDS are in one bank.
        let conflicts = row(&summary, "conflicts").lds_banks.as_ref().expect("banks");
        assert_eq!((conflicts.cycles, conflicts.minimum), (64, 2), "{target}");
        assert_eq!(row(&summary, "permute").space, sqtt_decoder::memory::Space::Lanes, "{target}");
    }
}
